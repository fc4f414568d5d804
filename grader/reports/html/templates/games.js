"use strict";
// The table of a student's games, filled into the template that the page has once.
function gamesTable(data, student) {
  const table = document.getElementById("games").content.cloneNode(true);
  const row = table.querySelector("tbody tr");
  row.replaceWith(...student.games.map((_, at) => {
    const game = readGame(data, student, at);
    const texts = { link: encodeURIComponent(student.id), at: at + 1, result: game.result, sign: RESULT_SIGNS[game.result] };
    return gameRow(row.cloneNode(true), { ...texts, outcome: data.words[game.result], ...game.row });
  }));
  return table;
}

function gameRow(row, texts) {
  fillGaps(row, texts);
  row.querySelector("bdi").replaceChildren(...breakable(texts.opponent));
  if (!texts.fault) row.querySelector(".opponent-fault").remove();
  return row;
}

// Fills the gaps in all texts and attributes of an element. Values are never parsed as HTML.
function fillGaps(node, values) {
  for (const attribute of node.attributes || []) attribute.value = sentence(attribute.value, values);
  if (node.nodeType === Node.TEXT_NODE) node.nodeValue = sentence(node.nodeValue, values);
  for (const child of node.childNodes) fillGaps(child, values);
}

// A name that may be broken after the punctuation between its words, as `breakable` in __init__.py does it.
function breakable(name) {
  const pieces = name.match(/.+?(?:[_.@-](?=[\p{L}\p{N}_])|$)/gsu) || [];
  return pieces.flatMap((piece, at) => (at ? [make("wbr"), piece] : [piece]));
}
