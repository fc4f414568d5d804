"use strict";
// One game to step through. `openReplay` fills a host element; replay.py describes the data.
function readGame(data, student, at) {
  const assignment = data.assignments[student.assignment];
  const [
    opponent, number, seat, winner, ending, moves, times, why, printed, row = [], late = [], fault = [], findings = [],
    failure = [], exports = [], frames = [], order = "", scale = 1,
  ] = student.games[at];
  const kind = boards[assignment.game] || boards.plain;
  const names = [student.name, (data.names || data.opponents)[opponent]];
  const [details, label, slowest, opponentFailed] = row;
  return {
    kind, number, seat, winner, late, exports, frames, order,
    ending: data.texts[ending],
    result: winner < 0 ? "drawn" : winner === seat ? "won" : "lost",
    failure: failure.length ? failure : null,
    rules: { name: assignment.game, digest: assignment.rules },
    refused: failure[1] ? { move: failure[1], label: failure[2] } : null,
    failed: failure.length > 1 ? failure[2] : "", // the answer that failed: a refused move or the ending
    mover: (ply) => (order ? Number(order[ply]) : ply % 2), // plies count from 0 here
    start: assignment.start,
    grid: assignment.grid,
    options: assignment.options,
    limit: scaled(assignment.limit, scale),
    opponent: names[1],
    player: data.names ? names[0] : "",
    names: seat === 0 ? names : names.reverse(),
    moves: kind.decode(moves, assignment.options),
    times: timeChart.unpack(times),
    why: data.texts[why],
    help: fault.length ? data.texts[fault[0]] : "",
    trace: fault.length ? data.texts[fault[1]] : "",
    findings: findings.map((text) => data.texts[text]),
    printed: data.texts[printed],
    row: row.length ? {
      opponent: data.opponents[opponent], number, details: data.texts[details], ending: data.texts[label],
      fault: opponentFailed ? data.texts[why] : "", slowest: data.texts[slowest],
    } : null,
  };
}

// The limits in force on the machine on which the game was played.
function scaled(limit, scale) {
  const times = (seconds) => seconds && Math.round(seconds * scale * 100) / 100;
  return { move: times(limit.move), bank: times(limit.bank), increment: times(limit.increment) };
}

function headingOf(game, words) {
  if (!game.player) return titleOf(game, words);
  return sentence(words.gameOfBoth, { game: game.number, who: game.player, opponent: game.opponent });
}

const SPEEDS = [0.5, 1, 2, 4];
const MOVE_TIME = 700; // ms per move at normal speed
const playback = { speed: 1 }; // kept from game to game

function titleOf(game, words) {
  return sentence(words.gameTitle, { game: game.number, opponent: game.opponent });
}

// `around` are links to the previous and the next game, if they exist.
function openReplay(host, game, words, around, onClose) {
  let ply = 0;
  let timer = null;
  const plies = game.moves.length;
  const steps = plies + (game.failed ? 1 : 0); // an answer that failed is a step of its own
  const view = replayView(game, words, around, onClose);
  const board = view.board;

  function show(target, { animate = false } = {}) {
    ply = Math.min(steps, Math.max(0, target));
    drawBoard(ply, animate && !stillness.matches);
    view.slider.value = ply;
    view.slider.setAttribute("aria-valuetext", describeMove());
    view.moveText.replaceChildren(describeMove());
    if (ply === steps) view.moveText.append(make("span", { class: "visually-hidden" }, `. ${game.why}`));
    board.svg.setAttribute("aria-label", `${words.board}. ${describeMove()}`);
    view.chart.mark(ply);
    view.moves.forEach((button, at) => {
      if (at === ply - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    if (ply > 0) keepInSight(view.moves[ply - 1]);
    for (const button of [view.first, view.back]) button.setAttribute("aria-disabled", ply === 0);
    for (const button of [view.forward, view.last]) button.setAttribute("aria-disabled", ply === steps);
    view.play.setAttribute("aria-disabled", steps === 0);
  }

  function drawBoard(at, animate) {
    const refused = at > plies && game.refused ? game.refused.move : null;
    board.show(Math.min(at, plies), { animate, refused, numbers: view.numbers.checked });
  }

  function describeMove() {
    if (ply === 0) return steps ? words.start : words.noMoves;
    const who = game.names[game.mover(ply - 1)];
    if (ply > plies && game.refused) return `✗ ${sentence(words.refusedMove, { ply, who, move: game.refused.label })}`;
    if (ply > plies) return `✗ ${sentence(words.failedMove, { ply, who: game.names[game.failure[0]], ending: game.failed })}`;
    const [word, values] = game.kind.describe(game, ply);
    const time = game.times[ply - 1];
    const took = time === undefined ? "" : ` (${sentence(words.took, { seconds: timeChart.seconds(time) })})`;
    const late = game.late.includes(ply) ? `, ${words.late}` : "";
    return sentence(words[word], { ...values, ply, plies, who }) + took + late;
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    view.play.replaceChildren(icon("play"));
    view.play.setAttribute("aria-label", words.play);
  }

  function play() {
    if (steps === 0) return;
    if (timer) return pause();
    if (ply === steps) show(0);
    view.play.replaceChildren(icon("pause"));
    view.play.setAttribute("aria-label", words.pause);
    startTimer();
  }

  function startTimer() {
    clearInterval(timer);
    timer = setInterval(() => {
      show(ply + 1, { animate: true });
      if (ply === steps) pause();
    }, MOVE_TIME / playback.speed);
  }

  function setSpeed(speed) {
    playback.speed = speed;
    view.speeds.forEach((button, at) => button.setAttribute("aria-pressed", SPEEDS[at] === speed));
    if (timer) startTimer();
  }

  function jump(target, options) {
    pause();
    show(target, options);
  }

  // Not `disabled`: a button that disables itself when it is pressed would lose the focus.
  const idle = (element) => element.getAttribute("aria-disabled") === "true";
  const buttons = [
    [view.first, () => jump(0)], [view.back, () => jump(ply - 1)], [view.play, play],
    [view.forward, () => jump(ply + 1, { animate: true })], [view.last, () => jump(steps)],
  ];
  for (const [button, step] of buttons) button.addEventListener("click", () => idle(button) || step());
  view.slider.addEventListener("input", () => jump(Number(view.slider.value)));
  view.numbers.addEventListener("change", () => show(ply));
  view.speeds.forEach((button, at) => button.addEventListener("click", () => setSpeed(SPEEDS[at])));
  view.moves.forEach((button, at) => {
    button.addEventListener("click", () => jump(at + 1));
    // A move under the mouse, or with the focus, is shown on the board for as long as it is there.
    for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => timer || drawBoard(at + 1, false));
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => timer || drawBoard(ply, false));
  });
  view.onChart((target) => jump(Math.min(target, steps)));

  // Keys work wherever the focus is, because a click on the board or next to it moves the focus.
  function pressed(event) {
    const keys = {
      ArrowLeft: () => jump(ply - 1), ArrowRight: () => jump(ply + 1, { animate: true }),
      Home: () => jump(0), End: () => jump(steps), " ": play, Escape: onClose,
    };
    const used = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const own = (event.key !== "Escape" && event.target.matches("[tabindex='0']")) // elements that scroll by themselves
      || (event.key === " " && event.target.matches("button, input, summary, a") && !idle(event.target)); // elements that use the space bar
    if (used || own || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }

  function close() {
    pause();
    document.removeEventListener("keydown", pressed);
  }

  document.addEventListener("keydown", pressed);
  host.replaceChildren(view.root);
  setSpeed(playback.speed);
  show(steps);
  return { root: view.root, close };
}

// The elements of a replay, and the parts of them that change.
function replayView(game, words, around, onClose) {
  const board = game.kind.board(game);
  const [first, back, play, forward, last] = ["first", "back", "play", "forward", "last"].map((name) =>
    make("button", { type: "button", "aria-label": words[name], title: words[name] }, icon(name)));
  const close = make("button", { type: "button", class: "close" }, words.close);
  close.addEventListener("click", onClose);
  const slider = make("input", { type: "range", min: 0, max: game.moves.length + (game.failed ? 1 : 0), "aria-label": words.slider });
  const numbers = make("input", { type: "checkbox" });
  const moveText = make("p", { class: "move-text", "aria-live": "polite", dir: "auto" });
  const moves = game.moves.map((move, ply) => make("button", { type: "button", class: game.mover(ply) ? "two" : "one" }, move));
  if (game.failed) {
    const label = game.refused ? sentence(words.refused, { move: game.refused.label }) : game.failed;
    const text = game.refused ? `✗ ${game.refused.move.slice(0, 12)}` : "✗";
    moves.push(make("button", { type: "button", class: "refused", "aria-label": label, title: label }, text));
  }
  const speeds = SPEEDS.map((speed) => make("button", { type: "button" }, `${decimal(speed)}×`));
  let jump = () => {};
  const chart = timeChart.chart(game.times, lanes(game), game.mover, words, (ply) => jump(ply));
  const heading = make("h3", { tabindex: "-1", dir: "auto" }, headingOf(game, words));
  const root = make("section", { class: "replay", "aria-label": heading.textContent },
    make("div", { class: "replay-head" }, heading, make("div", { class: "controls" }, ...around, close)),
    make("p", { class: "why", dir: "auto" }, outcome(game, words), game.why),
    make("div", { class: "stage" },
      make("div", { class: "board" }, board.svg, legend(game, words)),
      make("div", { class: "side" },
        moveText,
        make("div", { class: "controls steps" }, first, back, play, forward, last),
        make("div", { class: "controls" }, slider),
        make("div", { class: "controls speeds", role: "group", "aria-label": words.speed }, ...speeds),
        game.kind.numbered === false ? "" : make("div", { class: "controls" }, make("label", { class: "tick" }, numbers, " ", words.numbers)),
        times(game, chart, words),
        moves.length ? make("details", { open: "" }, make("summary", {}, words.moves),
          make("ol", { class: "moves" }, ...moves.map((move) => make("li", {}, move)))) : "",
        make("p", { class: "quiet small controls" }, words.keys)),
      make("div", { class: "notes" }, ...notes(game, words), takeHome.view(game, words))));
  return { root, board, speeds, first, back, play, forward, last, slider, numbers, moveText, moves, chart, onChart: (to) => { jump = to; } };
}

const ICONS = {
  first: "M7 6v12 M17 6l-6 6 6 6", back: "M14 6l-6 6 6 6", play: "M8 5.5v13l11-6.5z", pause: "M9 6v12 M15 6v12",
  forward: "M10 6l6 6-6 6", last: "M17 6v12 M7 6l6 6-6 6",
};

function icon(name) {
  return draw("svg", { viewBox: "0 0 24 24", class: `icon ${name}`, "aria-hidden": "true" }, draw("path", { d: ICONS[name] }));
}

const RESULT_SIGNS = { won: "✓", lost: "✗", drawn: "=" };

function outcome(game, words) {
  return make("strong", { class: `outcome ${game.result}` }, `${RESULT_SIGNS[game.result]} `, make("span", {}, words[game.result]), ". ");
}

function legend(game, words) {
  const lines = game.names.map((name, seat) => {
    const key = draw("svg", { viewBox: "-0.5 -0.5 1 1", class: `key piece ${seat ? "two" : "one"}`, "aria-hidden": "true" },
      draw("circle", { r: 0.45, class: "disc" }), ...(seat ? [draw("circle", { r: 0.22, class: "ring" })] : []));
    const goal = game.kind.goals ? `, ${words[game.kind.goals[seat]]}` : "";
    return make("li", {}, key, make("span", {}, `${seat ? words.playerTwo : words.playerOne}: `, make("bdi", {}, name), goal));
  });
  return make("ul", { class: "legend" }, ...lines);
}

// Only the student's lane shows the limit: reference players have none.
function lanes(game) {
  return [game.seat, 1 - game.seat].map((seat) => ({
    seat, name: game.names[seat], limits: seat === game.seat ? limits(game) : null,
  }));
}

function limits(game) {
  const own = game.times.filter((_, ply) => game.mover(ply) === game.seat);
  if (game.limit.move) return own.map(() => game.limit.move * 1000);
  let left = game.limit.bank * 1000;
  return own.map((time) => {
    const before = left;
    left = Math.max(0, left - time + game.limit.increment * 1000);
    return before;
  });
}

function times(game, chart, words) {
  const limit = game.limit.move
    ? sentence(words.limit, { limit: decimal(game.limit.move) })
    : sentence(words.left, { bank: decimal(game.limit.bank) });
  const parts = chart.drawn.map((svg, lane) => {
    const seat = lane === 0 ? game.seat : 1 - game.seat;
    const own = game.times.filter((_, ply) => game.mover(ply) === seat);
    const most = own.length ? `, ${sentence(words.slowest, { seconds: timeChart.seconds(Math.max(...own)) })}` : "";
    const caption = make("p", { class: "lane small" },
      make("span", { class: seat ? "swatch two" : "swatch one" }), make("bdi", {}, game.names[seat]), most,
      lane === 0 ? make("span", { class: "limit-key" }, limit) : "");
    return [caption, svg];
  });
  return make("figure", { class: "times" }, make("figcaption", {}, words.times), ...parts.flat());
}

function notes(game, words) {
  const found = [];
  if (game.help) found.push(make("p", { dir: "auto" }, make("strong", {}, `${words.whatToDo}: `), game.help));
  for (const text of game.findings) found.push(make("p", { dir: "auto" }, `! ${text}`));
  if (game.trace) found.push(folded(words.trace, game.trace, true));
  if (game.printed) found.push(folded(words.printed, game.printed, false));
  return found;
}

function folded(title, text, open) {
  const block = make("pre", { tabindex: "0", dir: "auto" }, text);
  return make("details", open ? { open: "" } : {}, make("summary", {}, title), block);
}

// Scrolls the list of moves, and nothing else, until the button is visible.
function keepInSight(button) {
  const list = button.closest("ol");
  if (!list || list.scrollHeight <= list.clientHeight) return;
  const offset = button.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (offset < 0 || offset > list.clientHeight - 40) list.scrollTop += offset - list.clientHeight / 2;
}
