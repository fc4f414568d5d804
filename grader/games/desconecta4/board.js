"use strict";
// Draws the board of Desconecta-4 BOOM, with the rules that a replay needs. Row 0 is at the bottom.
const desconecta4 = (boards.desconecta4 = (() => {
  const SIZE = 7;
  const BOOM = "B";
  const LINES = [[0, 1], [1, 0], [1, 1], [-1, 1]]; // steps by row and column

  // Each state is {pieces, gone}: the pieces on the board, and those that the last move removed.
  // A piece keeps its id from state to state, so that its fall can be animated.
  function states(moves) {
    const columns = Array.from({ length: SIZE }, () => []);
    const found = [snapshot(columns, [])];
    moves.forEach((move, ply) => {
      const owner = ply % 2;
      found.push(snapshot(columns, move === BOOM ? explode(columns, owner) : drop(columns, Number(move) - 1, owner, ply)));
    });
    return found;
  }

  function drop(columns, col, owner, ply) {
    const round = Math.floor(ply / 2) + 1;
    const armed = columns.some((column) => column.some((piece) => piece.bomb && piece.owner === owner));
    columns[col].push({ id: ply, owner, bomb: round % 5 === 0 && !armed });
    return [];
  }

  function explode(columns, owner) {
    const row = Math.max(...columns.map((column) => column.findIndex((piece) => piece.bomb && piece.owner === owner)));
    const gone = [];
    columns.forEach((column, col) => {
      if (column[row] && column[row].owner === owner) gone.push({ ...column.splice(row, 1)[0], row, col });
    });
    return gone;
  }

  function snapshot(columns, gone) {
    const pieces = columns.flatMap((column, col) => column.map((piece, row) => ({ ...piece, row, col })));
    return { pieces, gone };
  }

  // The cells of every four in a row of a player.
  function lines(pieces, owner) {
    const own = new Set(pieces.filter((piece) => piece.owner === owner).map((piece) => `${piece.row},${piece.col}`));
    const found = [];
    for (let row = 0; row < SIZE; row++) {
      for (let col = 0; col < SIZE; col++) {
        for (const [up, right] of LINES) {
          const cells = [0, 1, 2, 3].map((at) => [row + up * at, col + right * at]);
          if (cells.every(([r, c]) => own.has(`${r},${c}`))) found.push(cells);
        }
      }
    }
    return found;
  }

  const x = (col) => col + 0.5;
  const y = (row) => SIZE - row - 0.5;
  const place = (piece) => `translate(${x(piece.col)}px, ${y(piece.row)}px)`;

  function board(game) {
    const all = states(game.moves);
    const svg = draw("svg", { viewBox: "-0.15 -0.15 7.3 7.9", class: "board-svg d4", role: "img" });
    svg.append(draw("rect", { x: -0.1, y: -0.1, width: 7.2, height: 7.2, rx: 0.25, class: "d4-frame" }));
    for (let col = 0; col < SIZE; col++) {
      for (let row = 0; row < SIZE; row++) svg.append(draw("circle", { cx: x(col), cy: y(row), r: 0.42, class: "d4-hole" }));
      svg.append(drawText(String(col + 1), { x: x(col), y: 7.45, class: "coordinate", "font-size": 0.3 }));
    }
    const blasts = draw("g", {}); // behind the pieces, so that pieces that fall into a gap are in front
    const layer = draw("g", {});
    const marks = draw("g", {});
    svg.append(blasts, layer, marks);
    const shapes = new Map();
    for (const state of all) {
      for (const piece of state.pieces) if (!shapes.has(piece.id)) shapes.set(piece.id, shape(piece));
    }

    function show(ply, { animate, numbers, refused }) {
      const before = animate && ply > 0 ? all[ply - 1] : null;
      const state = all[ply];
      for (const group of [blasts, layer, marks]) group.replaceChildren();
      svg.classList.toggle("numbered", numbers);
      for (const piece of state.pieces) {
        const element = shapes.get(piece.id);
        element.style.transform = place(piece);
        layer.append(element);
        if (before) fall(element, before.pieces.find((earlier) => earlier.id === piece.id), piece);
      }
      if (ply > 0) markLast(state, ply - 1, Boolean(before));
      if (ply === game.moves.length && game.ending === "line") {
        for (const cells of lines(state.pieces, 1 - game.winner)) markLine(cells);
      }
      if (refused) markRefused(refused);
    }

    // A piece for a full column is crossed out above it; a BOOM without a bomb has no cell.
    function markRefused(move) {
      if (move === BOOM) {
        const middle = SIZE / 2;
        marks.append(cross(middle, middle, 0.9), drawText("BOOM", { x: middle, y: middle, class: "refused-text", "font-size": 1 }));
        return;
      }
      const col = Number(move) - 1;
      marks.append(draw("rect", { x: col + 0.03, y: 0.03, width: 0.94, height: SIZE - 0.06, rx: 0.2, class: "refused-column" }));
      marks.append(cross(x(col), y(SIZE - 1), 0.28));
    }

    function fall(element, earlier, piece) {
      const from = earlier || { col: piece.col, row: SIZE };
      if (from.row === piece.row || !element.animate) return;
      const duration = 120 + 70 * (from.row - piece.row);
      element.animate([{ transform: place(from) }, { transform: place(piece) }], { duration, easing: "cubic-bezier(.5,0,.9,.6)" });
    }

    function markLast(state, id, animate) {
      blasts.append(...state.gone.map((piece) => explosion(piece, animate)));
      const piece = state.pieces.find((one) => one.id === id);
      if (piece) marks.append(draw("circle", { cx: x(piece.col), cy: y(piece.row), r: 0.44, class: "last-move" }));
    }

    function markLine(cells) {
      const [first, last] = [cells[0], cells[3]];
      marks.append(draw("line", { x1: x(first[1]), y1: y(first[0]), x2: x(last[1]), y2: y(last[0]), class: "four chain" }));
      for (const [row, col] of cells) marks.append(draw("circle", { cx: x(col), cy: y(row), r: 0.44, class: "chain-stone" }));
    }

    return { svg, show };
  }

  function shape(piece) {
    const group = draw("g", { class: `piece ${piece.owner ? "two" : "one"}` });
    group.append(draw("circle", { r: 0.4, class: "disc" }));
    if (piece.bomb) {
      group.append(draw("circle", { r: 0.24, cy: 0.05, class: "bomb" }));
      group.append(draw("path", { d: "M0.14 -0.16 Q0.2 -0.3 0.3 -0.24", class: "fuse" }));
      group.append(draw("circle", { cx: 0.31, cy: -0.23, r: 0.055, class: "spark" }));
    } else if (piece.owner) {
      group.append(draw("circle", { r: 0.2, class: "ring" }));
    }
    group.append(drawText(String(piece.id + 1), { class: "stone-number", "font-size": 0.3, y: 0.01 }));
    return group;
  }

  function explosion(cell, animate) {
    const points = Array.from({ length: 20 }, (_, at) => {
      const angle = (Math.PI * at) / 10;
      const radius = at % 2 ? 0.33 : 0.56;
      return `${(radius * Math.sin(angle)).toFixed(3)},${(-radius * Math.cos(angle)).toFixed(3)}`;
    });
    const burst = draw("polygon", { points: points.join(" "), class: `burst ${cell.owner ? "two" : "one"}` });
    burst.style.transform = place(cell);
    if (animate && burst.animate) {
      burst.animate(
        [{ transform: `${place(cell)} scale(0.2)` }, { transform: `${place(cell)} scale(1.5)`, offset: 0.4 }, { transform: place(cell) }],
        { duration: 450, easing: "ease-out" },
      );
    }
    return burst;
  }

  function describe(game, ply) {
    const move = game.moves[ply - 1];
    if (move === BOOM) return ["booms", {}];
    const piece = states(game.moves.slice(0, ply))[ply].pieces.find((one) => one.id === ply - 1);
    return [piece.bomb ? "bombs" : "drops", { column: move }];
  }

  return { decode: (text) => [...text], states, lines, board, describe, goals: null };
})());
