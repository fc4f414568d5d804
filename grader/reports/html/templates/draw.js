"use strict";
// The boards that pages can draw, by game. The script of each game adds its own.
const boards = {};

// Creates elements for the other scripts. Texts are always added as text nodes, so they are never parsed as HTML.
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function drawText(text, attributes) {
  return draw("text", { "text-anchor": "middle", "dominant-baseline": "central", ...attributes }, text);
}

// The mark of a refused move: a cross, drawn twice so that it stands out on any piece.
function cross(x, y, radius) {
  const path = `M${x - radius} ${y - radius}L${x + radius} ${y + radius}M${x + radius} ${y - radius}L${x - radius} ${y + radius}`;
  const width = radius / 2.2;
  return draw("g", { class: "refused-move" },
    draw("path", { d: path, class: "halo", "stroke-width": width * 2 }), draw("path", { d: path, class: "cross", "stroke-width": width }));
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Fills the gaps of a template, all at once, so that gaps inside the values are left alone.
function sentence(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? String(values[name]) : gap));
}

// A number as the language of the page writes it, with at least `fewest` and at most `most` decimals.
function decimal(value, fewest = 0, most = Math.max(fewest, 3)) {
  const digits = { minimumFractionDigits: fewest, maximumFractionDigits: most, useGrouping: false };
  return value.toLocaleString(document.documentElement.lang, digits);
}

document.documentElement.classList.add("scripted");
const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
