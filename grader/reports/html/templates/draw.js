"use strict";
const pageData = JSON.parse(document.getElementById("data").textContent);
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

// Reads the numbers that packed_numbers.py has written.
const PACKED_SIGNS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter((sign) => !'"&<>\\'.includes(sign)).join("");
const LAST_SIGNS = 76; // how many of the signs end a number

function unpackNumbers(text) {
  const numbers = [];
  let rest = 0;
  for (const sign of text) {
    const digit = PACKED_SIGNS.indexOf(sign);
    if (digit < LAST_SIGNS) numbers.push(rest * LAST_SIGNS + digit);
    rest = digit < LAST_SIGNS ? 0 : rest * (PACKED_SIGNS.length - LAST_SIGNS) + digit - LAST_SIGNS;
  }
  return numbers;
}

// A number as the language of the page writes it, with at least `fewest` and at most `most` decimals.
function decimal(value, fewest = 0, most = Math.max(fewest, 3)) {
  const digits = { minimumFractionDigits: fewest, maximumFractionDigits: most, useGrouping: false };
  return value.toLocaleString(document.documentElement.lang, digits);
}

document.documentElement.classList.add("scripted");
const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
