"use strict";
// Shows the part of the page that the address names: the class, a student (#id), or one of a student's games (#id/3).
(() => {
  const data = pageData;
  const overview = document.getElementById("overview"); // only in the report of a class and of a tournament
  const alone = document.getElementById("student");
  const byId = new Map(data.students.map((student, at) => [student.id, at]));
  const title = document.title;
  let current = alone.hidden ? -1 : 0;
  let replay = null;
  let opener = null; // the link in the overview that led here
  let direct = false; // whether it led to a game, so that closing the game leads back to it

  function go() {
    const [at, game] = target();
    const left = closeReplay();
    document.title = title;
    if (at === undefined) {
      if (overview) showClass();
      else focusOn(left);
      return;
    }
    if (at !== current) {
      if (current >= 0) opener = null;
      direct = Boolean(opener);
      showStudent(at);
    }
    direct = direct && game > 0;
    if (overview) document.title = `${data.students[at].name} · ${title}`;
    if (studentWithGames(at).games[game - 1]) showGame(at, game);
    else if (left && left.isConnected) focusOn(left);
    else if (overview) focusOn(alone.querySelector("h2"));
  }

  // A slash inside an id is percent-encoded, so a plain slash always precedes the number of a game.
  function target() {
    const [, id, game] = /^#?(.*?)(?:\/(\d+))?$/.exec(location.hash) || [];
    let plain = "";
    try {
      plain = decodeURIComponent(id || "");
    } catch {
      return [undefined, 0]; // not a link from this page
    }
    return [byId.get(plain), Number(game || 0)];
  }

  function showClass() {
    const was = current;
    current = -1;
    alone.hidden = true;
    alone.replaceChildren();
    overview.hidden = false;
    if (was >= 0 && opener) focusOn(opener, "center");
    else if (was >= 0) focusOn(document.querySelector(`a[data-student="${was}"]`));
    opener = null;
  }

  function showStudent(at) {
    current = at;
    overview.hidden = true;
    alone.hidden = false;
    const student = studentWithGames(at);
    alone.replaceChildren(
      document.querySelector(`template[data-student="${at}"]`).content.cloneNode(true),
      ...(student.games.length ? [gamesTable(data, student)] : []),
    );
  }

  // The games are read when they are needed: for a large class, reading all of them would take long.
  function studentWithGames(at) {
    const student = data.students[at];
    if (!student.games) Object.assign(student, JSON.parse(document.querySelector(`script[data-student="${at}"]`).textContent));
    return student;
  }

  function showGame(at, number) {
    const student = studentWithGames(at);
    const link = alone.querySelector(`a[data-game="${number}"]`);
    link.setAttribute("aria-current", "true");
    const game = readGame(data, student, number - 1);
    document.title = `${titleOf(game, data.words)} · ${document.title}`;
    const around = [[number - 1, data.words.before], [number + 1, data.words.after]]
      .filter(([other]) => student.games[other - 1])
      .map(([other, word]) => make("a", { class: "button", href: `#${encodeURIComponent(student.id)}/${other}` }, word));
    const opened = openReplay(alone.querySelector(".replay-host"), game, data.words, around, () => {
      location.hash = overview && !direct ? encodeURIComponent(student.id) : "";
    });
    replay = { ...opened, link };
    focusOn(opened.root.querySelector("h3"));
  }

  // Closes the open game, if there is one, and returns the link to it.
  function closeReplay() {
    if (!replay) return null;
    const { link } = replay;
    replay.close();
    link.removeAttribute("aria-current");
    replay.root.remove();
    replay = null;
    return link;
  }

  function focusOn(element, block = "start") {
    if (!element) return;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block });
  }

  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // addresses name students, and one of them might be called "main"
    document.getElementById("main").focus();
  });
  if (overview) {
    overview.addEventListener("click", (event) => {
      opener = event.target.closest("a[href^='#']") || opener;
    });
  }
  window.addEventListener("hashchange", go);
  if (location.hash) go();
})();
