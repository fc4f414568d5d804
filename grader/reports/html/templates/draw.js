"use strict";
// The boards that pages can draw, by game: each is put here by a script of its own.
const boards = {};

// How the other scripts make elements. Every text goes in as a text node, so that none of it can be anything else.
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function drawText(text, attributes) {
  return draw("text", { "text-anchor": "middle", "dominant-baseline": "central", ...attributes }, text);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// A sentence of the page's data with its gaps filled, all at once, so that what is filled in is not filled again.
function sentence(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? String(values[name]) : gap));
}

document.documentElement.classList.add("scripted");
const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
