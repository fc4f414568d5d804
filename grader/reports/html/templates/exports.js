"use strict";
// What can be taken home from a game: JSON for `grader replay`, and what exports.py adds on a student's own page.
const takeHome = (() => {
  // The game as `grader match` saves it. The seed is left out: with it, the next games could be predicted.
  // Times are as precise as the page shows them.
  function record(game) {
    const failed = game.failure ? game.failure[0] : null;
    const charge = (ms) => ({ wall: ms / 1000, cpu: ms / 1000, waited: 0, charged: ms / 1000 });
    const seat = (name, at) => ({
      name, isolation: "", load: null, output: at === game.seat ? game.printed : "", findings: [],
    });
    const fault = {
      ending: game.ending, text: game.why, help: game.help, where: null, trace: game.trace, move: game.refused ? game.refused.move : "",
    };
    return {
      game: game.rules.name, options: game.options, seed: 0, seats: game.names.map(seat),
      turns: game.moves.map((move, at) => ({ move, charge: charge(game.times[at]), late: game.late.includes(at + 1) })),
      ending: game.ending, winner: game.winner < 0 ? null : game.winner,
      fault: failed === null ? null : fault, at_fault: failed,
      last_charge: game.times.length > game.moves.length ? charge(game.times[game.moves.length]) : null,
      machine: "", rules: game.rules.digest, order: game.order.slice(0, game.moves.length), attempts: [],
    };
  }

  function save(name, text, type) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = make("a", { href: address, download: name });
    link.click();
    URL.revokeObjectURL(address);
  }

  // Browsers may refuse the clipboard to a page from disk: then the text is selected and copied the old way.
  async function copy(text, shown) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { class: "visually-hidden", "aria-hidden": "true" });
      area.value = text;
      shown.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  function copyButton(label, text, words) {
    const button = make("button", { type: "button" }, label);
    const done = make("span", { role: "status", class: "quiet small" });
    const group = make("span", { class: "copy" }, button, done);
    button.addEventListener("click", async () => {
      await copy(text, group);
      button.focus();
      done.replaceChildren(`✓ ${words.copied}`);
    });
    return group;
  }

  function fileName(game, extension) {
    const plain = `${game.rules.name}-${game.opponent}-${game.number}`.replace(/[^A-Za-z0-9_.-]+/g, "-").slice(0, 80);
    return `${plain}.${extension}`;
  }

  function download(game, what, text, extension, type, words) {
    const button = make("button", { type: "button" }, sentence(words.download, { what }));
    button.addEventListener("click", () => save(fileName(game, extension), text(), type));
    return button;
  }

  const offers = {
    file: (game, [, label, text, extension], words) => download(game, label, () => text, extension, "text/plain", words),
    link: (_, [, label, address], words) =>
      make("a", { class: "button", href: address, target: "_blank", rel: "noopener noreferrer" }, sentence(words.openIn, { what: label })),
    text: (_, [, label, text], words) => copyButton(sentence(words.copyAs, { what: label }), text, words),
  };

  function python([, , text], words) {
    return make("details", { class: "python" }, make("summary", {}, words.python),
      make("p", { class: "small quiet" }, words.pythonHelp),
      make("pre", { tabindex: "0" }, text),
      make("div", { class: "controls" }, copyButton(words.copy, text, words)));
  }

  function view(game, words) {
    const buttons = [
      download(game, "JSON", () => `${JSON.stringify(record(game), null, 1)}\n`, "json", "application/json", words),
      ...game.exports.filter(([kind]) => kind in offers).map((one) => offers[one[0]](game, one, words)),
    ];
    const code = game.exports.find(([kind]) => kind === "python");
    return make("section", { class: "take-home" }, make("h4", {}, words.takeHome),
      make("div", { class: "controls" }, ...buttons), ...(code ? [python(code, words)] : []));
  }

  return { view, record };
})();
