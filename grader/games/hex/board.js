"use strict";
// Draws the board of Hex: a rhombus (axial), or a board whose even rows are shifted half a cell to the right (even-r).
const hex = (boards.hex = (() => {
  const SIDE = 1; // of a hexagon, in the units of the drawing
  const WIDTH = Math.sqrt(3) * SIDE;
  const CORNERS = [[0, -1], [0.5, -0.5], [0.5, 0.5], [0, 1], [-0.5, 0.5], [-0.5, -0.5]].map(([x, y]) => [x * WIDTH, y * SIDE]);

  // The neighbours of a cell in the order of the sides between the corners: NE, E, SE, SW, W, NW.
  function neighbours(row, col, adjacency) {
    if (adjacency === "axial") {
      return [[row - 1, col + 1], [row, col + 1], [row + 1, col], [row + 1, col - 1], [row, col - 1], [row - 1, col]];
    }
    const right = row % 2 === 0 ? 1 : 0;
    return [
      [row - 1, col + right], [row, col + 1], [row + 1, col + right],
      [row + 1, col + right - 1], [row, col - 1], [row - 1, col + right - 1],
    ];
  }

  function centre(row, col, adjacency) {
    const shift = adjacency === "axial" ? row / 2 : row % 2 === 0 ? 0.5 : 0;
    return [(col + shift) * WIDTH, row * 1.5 * SIDE];
  }

  // The shortest chain of a player's stones from one of its sides to the other; empty if there is none.
  function chain(stones, player, size, adjacency) {
    const own = new Set(stones.map(([row, col]) => row * size + col));
    const along = (row, col) => (player === 0 ? col : row);
    const queue = stones.filter(([row, col]) => along(row, col) === 0);
    const from = new Map(queue.map(([row, col]) => [row * size + col, null]));
    for (const cell of queue) {
      if (along(...cell) === size - 1) return tracePath(cell, from, size);
      for (const [row, col] of neighbours(...cell, adjacency)) {
        const key = row * size + col;
        const inside = row >= 0 && col >= 0 && row < size && col < size;
        if (inside && own.has(key) && !from.has(key)) {
          from.set(key, cell);
          queue.push([row, col]);
        }
      }
    }
    return [];
  }

  function tracePath(end, from, size) {
    const cells = [];
    for (let cell = end; cell; cell = from.get(cell[0] * size + cell[1])) cells.push(cell);
    return cells;
  }

  const cellOf = (move) => [Number(move.slice(1)) - 1, move.charCodeAt(0) - 97];

  function board(game) {
    const { size, adjacency } = game.options;
    const at = (row, col) => centre(row, col, adjacency);
    const svg = draw("svg", { viewBox: frame(size, adjacency), class: "board-svg hex", role: "img" });
    svg.style.maxWidth = `${4.5 * (size + 3)}rem`; // so that small boards do not have huge cells
    const cells = draw("g", { class: "cells" });
    svg.append(goals(size, adjacency, at), cells, coordinates(size, at));
    for (let row = 0; row < size; row++) {
      for (let col = 0; col < size; col++) {
        const [x, y] = at(row, col);
        cells.append(draw("polygon", { points: CORNERS.map(([dx, dy]) => `${round(x + dx)},${round(y + dy)}`).join(" ") }));
      }
    }
    const stones = game.moves.map((move, ply) => stone(...at(...cellOf(move)), ply));
    const layer = draw("g", {});
    const marks = draw("g", {});
    svg.append(layer, marks);

    function show(ply, { animate, numbers, refused }) {
      layer.replaceChildren(...stones.slice(0, ply));
      marks.replaceChildren();
      svg.classList.toggle("numbered", numbers);
      if (ply > 0) markLast(ply, animate);
      if (refused) marks.append(cross(...at(...cellOf(refused)), 0.5));
    }

    function markLast(ply, animate) {
      const [x, y] = at(...cellOf(game.moves[ply - 1]));
      marks.append(draw("circle", { cx: x, cy: y, r: 0.74, class: "last-move" }));
      if (animate && stones[ply - 1].animate) stones[ply - 1].animate([{ opacity: 0 }, { opacity: 1 }], 160);
      if (ply === game.moves.length && game.ending === "connected") markChain();
    }

    function markChain() {
      const own = game.moves.filter((_, ply) => ply % 2 === game.winner).map(cellOf);
      const path = chain(own, game.winner, size, adjacency).map(([row, col]) => at(row, col));
      marks.append(draw("polyline", { points: path.map(([x, y]) => `${round(x)},${round(y)}`).join(" "), class: "chain" }));
      for (const [x, y] of path) marks.append(draw("circle", { cx: round(x), cy: round(y), r: 0.7, class: "chain-stone" }));
    }

    return { svg, show };
  }

  function frame(size, adjacency) {
    const wide = adjacency === "axial" ? size + (size - 1) / 2 : size + 0.5;
    return [-1.25 * WIDTH, -2.3, (wide + 1) * WIDTH, 1.5 * (size - 1) + 4].map(round).join(" ");
  }

  // The sides of the board in the colours of the players that connect them: lines along the outer sides of the cells.
  function goals(size, adjacency, at) {
    const pieces = new Map(); // by starting point; all run clockwise
    for (let row = 0; row < size; row++) {
      for (let col = 0; col < size; col++) {
        const [x, y] = at(row, col);
        neighbours(row, col, adjacency).forEach((next, side) => {
          for (const [player, ...ends] of outerParts(side, next, size)) {
            const [from, to] = ends.map(([dx, dy]) => `${round(x + dx)},${round(y + dy)}`);
            pieces.set(from, { from, to, player });
          }
        });
      }
    }
    const lines = [];
    for (const piece of inOrder(pieces)) {
      if (!lines.length || lines.at(-1).player !== piece.player) lines.push({ player: piece.player, points: [piece.from] });
      lines.at(-1).points.push(piece.to);
    }
    return draw("g", { class: "sides" },
      ...lines.map(({ player, points }) => draw("polyline", { points: points.join(" "), class: player })));
  }

  // If a side of a cell is on the edge of the board: the player that connects it, and its ends. At two corners each player
  // has one half: clockwise, the top or bottom comes before the right or left if it is the NE or SW side.
  function outerParts(side, [row, col], size) {
    const [from, to] = [CORNERS[side], CORNERS[(side + 1) % 6]];
    const one = col < 0 || col >= size;
    const two = row < 0 || row >= size;
    if (!one || !two) return one ? [["one", from, to]] : two ? [["two", from, to]] : [];
    const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const [first, second] = side % 3 === 0 ? ["two", "one"] : ["one", "two"];
    return [[first, from, middle], [second, middle, to]];
  }

  // The pieces once around the board, beginning where a player's side begins.
  function inOrder(pieces) {
    const [start] = pieces.values();
    const found = [start];
    while (found.at(-1).to !== start.from) found.push(pieces.get(found.at(-1).to));
    const first = found.findIndex((piece, at) => at > 0 && piece.player !== found[at - 1].player);
    return [...found.slice(first), ...found.slice(0, first)];
  }

  function coordinates(size, at) {
    const group = draw("g", { class: "coordinates" });
    for (let n = 0; n < size; n++) {
      const [columnX] = at(0, n);
      group.append(drawText(String.fromCharCode(97 + n), { x: round(columnX), y: -1.74, class: "coordinate", "font-size": 0.62 }));
      const [rowX, rowY] = at(n, 0);
      group.append(drawText(String(n + 1), { x: round(rowX - 0.98 * WIDTH), y: rowY, class: "coordinate", "font-size": 0.62 }));
    }
    return group;
  }

  function stone(x, y, ply) {
    const group = draw("g", { class: `piece ${ply % 2 ? "two" : "one"}`, transform: `translate(${round(x)} ${round(y)})` });
    group.append(draw("circle", { r: 0.68, class: "disc" }));
    if (ply % 2) group.append(draw("circle", { r: 0.34, class: "ring" }));
    group.append(drawText(String(ply + 1), { class: "stone-number", "font-size": ply > 98 ? 0.56 : 0.66, y: 0.02 }));
    return group;
  }

  const round = (value) => Math.round(value * 1000) / 1000;

  function decode(text, { size }) {
    return unpackNumbers(text).map((cell) => String.fromCharCode(97 + (cell % size)) + (Math.floor(cell / size) + 1));
  }

  const describe = (game, ply) => ["plays", { move: game.moves[ply - 1] }];

  return { decode, neighbours, chain, cellOf, board, describe, goals: ["joinsSides", "joinsEnds"] };
})());
