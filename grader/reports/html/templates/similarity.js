// Open the code that a link leads to, and scroll both sides of a pair together, passage by passage.
"use strict";

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const pair = target && target.closest("details");
  if (!pair) return;
  pair.open = true;
  target.scrollIntoView({ block: target.classList.contains("jump") ? "nearest" : "start" });
}

// Where each passage starts in a pane, by the number of the passage.
function anchors(pane) {
  return new Map([...pane.querySelectorAll(".jump")].map((link) => [link.id.replace(/[ab]$/, ""), link.offsetTop]));
}

// The place in the other pane that belongs to a place in this one: between two passages, in proportion.
function counterpart(top, own, other) {
  const passed = [...own].filter(([id]) => other.has(id)).sort((a, b) => a[1] - b[1]);
  const at = passed.findLastIndex(([, start]) => start <= top + 4);
  if (at < 0) return passed.length ? top * other.get(passed[0][0]) / Math.max(1, passed[0][1]) : top;
  const start = passed[at][1], there = other.get(passed[at][0]);
  const next = passed[at + 1];
  if (next === undefined || other.get(next[0]) <= there) return there + top - start;
  return there + (top - start) * (other.get(next[0]) - there) / (next[1] - start);
}

function scrollTogether(panes) {
  const expected = new Map();  // where a pane was moved by the other one: its own event changes nothing
  for (const [pane, other] of [panes, [...panes].reverse()]) {
    pane.addEventListener("scroll", () => {
      const moved = expected.get(pane);
      expected.delete(pane);
      if (moved !== undefined && Math.abs(moved - pane.scrollTop) < 2) return;
      const before = other.scrollTop;
      // The line that is compared moves from the top of the pane to its bottom, so that the last passage is reached, too.
      const part = pane.scrollTop / Math.max(1, pane.scrollHeight - pane.clientHeight);
      const line = pane.scrollTop + part * pane.clientHeight;
      other.scrollTop = counterpart(line, anchors(pane), anchors(other)) - part * other.clientHeight;
      if (other.scrollTop !== before) expected.set(other, other.scrollTop);
    }, { passive: true });
  }
}

for (const sides of document.querySelectorAll(".sides")) {
  const panes = [...sides.querySelectorAll(".pane")];
  if (panes.length === 2) scrollTogether(panes);
}
addEventListener("hashchange", openTarget);
openTarget();
