"use strict";
// Sorts and filters the tables of the class by moving and hiding the rows that are already in the page.
(() => {
  const { words } = pageData;
  const search = document.getElementById("search");
  const status = document.getElementById("status");
  const kind = document.getElementById("kind");
  const count = document.getElementById("count");
  const noMatches = document.getElementById("no-matches");
  const tables = [...document.querySelectorAll("table.class")];
  const rows = [...document.querySelectorAll("table.class tbody tr")];
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const haystack = new Map(rows.map((row) => [row, plain(row.dataset.who)]));

  function filter() {
    const wanted = plain(search.value.trim()).split(/\s+/);
    let visible = 0;
    for (const row of rows) {
      const fits = wanted.every((word) => haystack.get(row).includes(word))
        && (!status.value || row.dataset.status === status.value)
        && (!kind.value || row.dataset.kinds.split(" ").some((own) => kind.value.split(" ").includes(own)));
      row.hidden = !fits;
      visible += fits;
    }
    for (const table of tables) table.closest(".card").hidden = [...table.tBodies[0].rows].every((row) => row.hidden);
    noMatches.hidden = visible > 0 || rows.length === 0;
    count.textContent = sentence(words.shown, { at: visible });
  }

  function sort(button) {
    const head = button.closest("th");
    const table = head.closest("table");
    const falling = head.getAttribute("aria-sort") === (head.dataset.first || "ascending");
    const direction = (head.dataset.first === "descending") !== falling ? -1 : 1;
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction < 0 ? "descending" : "ascending");
    const at = [...head.parentNode.children].indexOf(head);
    const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
    const body = table.tBodies[0];
    const value = (row) => row.cells[at].dataset.sort;
    const number = head.dataset.first === "descending";
    const compare = (a, b) => (number ? Number(value(a)) - Number(value(b)) : order.compare(value(a), value(b)));
    body.append(...[...body.rows].sort((a, b) => direction * compare(a, b)));
  }

  // The signs of a cell are one stop of the Tab key; the arrow keys move between them.
  function prepareSigns(signs) {
    const links = [...signs.querySelectorAll("a")];
    links.forEach((link, at) => {
      link.title = link.getAttribute("aria-label");
      link.tabIndex = at === 0 ? 0 : -1;
    });
    signs.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const next = links[links.indexOf(event.target) + step];
      if (!next || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  }

  for (const signs of document.querySelectorAll(".signs")) prepareSigns(signs);
  for (const button of document.querySelectorAll("table.class th button")) button.addEventListener("click", () => sort(button));
  for (const input of [search, status, kind]) input.addEventListener("input", filter);
  filter();
})();
