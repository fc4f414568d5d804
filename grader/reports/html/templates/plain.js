"use strict";
// The board of a game without a script: a grid of cells, or the text that the game draws.
boards.plain = (() => {
  // Each frame is a whole text, or the lines that differ from the frame before: [number, line, number, line, …].
  function framesOf(start, changes) {
    const found = [start];
    for (const change of changes) {
      if (typeof change === "string") {
        found.push(change);
        continue;
      }
      const lines = found[found.length - 1].split("\n");
      for (let at = 0; at < change.length; at += 2) lines[change[at]] = change[at + 1];
      found.push(lines.join("\n"));
    }
    return found;
  }

  function board(game) {
    const frames = framesOf(game.start, game.frames);
    return game.grid ? grid(frames) : drawing(frames);
  }

  function drawing(frames) {
    const svg = make("pre", { class: "board-text", role: "img", tabindex: "0" });
    return { svg, show: (ply) => svg.replaceChildren(frames[Math.min(ply, frames.length - 1)] || "") };
  }

  // A cell is empty (no text), a piece of a player (1 or 2), or a short text.
  function grid(frames) {
    const cellsOf = (frame) => frame.split("\n").map((line) => line.split("\t"));
    const rows = cellsOf(frames[0]);
    const wide = Math.max(...rows.map((row) => row.length));
    const svg = draw("svg", { viewBox: `-0.1 -0.1 ${wide + 0.2} ${rows.length + 0.2}`, class: "board-svg grid-board", role: "img" });
    svg.style.maxWidth = `${4 * Math.max(4, wide)}rem`;
    const layer = draw("g", {});
    rows.forEach((row, y) => row.forEach((_, x) => svg.append(draw("rect", { x, y, width: 1, height: 1, class: "grid-cell" }))));
    svg.append(layer);

    function show(ply) {
      const now = cellsOf(frames[Math.min(ply, frames.length - 1)]);
      const before = ply > 0 && ply < frames.length ? cellsOf(frames[ply - 1]) : now;
      layer.replaceChildren();
      now.forEach((row, y) => row.forEach((cell, x) => {
        const changed = !before[y] || before[y][x] !== cell;
        if (cell !== "") layer.append(piece(cell, x + 0.5, y + 0.5));
        if (changed) layer.append(draw("rect", { x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.1, class: "last-cell" }));
      }));
    }

    return { svg, show };
  }

  function piece(cell, x, y) {
    if (cell !== "1" && cell !== "2") return drawText(cell, { x, y, class: "grid-text", "font-size": cell.length > 2 ? 0.3 : 0.5 });
    const group = draw("g", { class: `piece ${cell === "2" ? "two" : "one"}` }, draw("circle", { cx: x, cy: y, r: 0.38, class: "disc" }));
    if (cell === "2") group.append(draw("circle", { cx: x, cy: y, r: 0.19, class: "ring" }));
    return group;
  }

  return { decode: (text) => text.split(" ").filter(Boolean), framesOf, board, describe: (game, ply) => ["plays", { move: game.moves[ply - 1] }], goals: null, numbered: false };
})();
