"use strict";
// A bar chart of the time per move, with a lane for each player. The scale is logarithmic, so that quick moves differ
// visibly and the limit still fits in.
const timeChart = (() => {
  const LANE = 54;
  const LEFT = 4;
  const LEAST = 1; // ms; quicker moves are drawn like this

  // `lanes` are {name, seat, limits}; limits are in ms for each ply of that seat, or null. `mover` returns the seat
  // that moved at a ply, from 0. `jump` is called with a ply, from 1.
  function chart(times, lanes, mover, words, jump) {
    const top = Math.max(100, ...times, ...lanes.flatMap((lane) => lane.limits || []));
    const width = Math.max(280, LEFT + 4 * times.length);
    const step = (width - LEFT) / (times.length + 1); // a bar is two steps wide, including the last one
    const bars = [];
    const drawn = lanes.map((lane) => {
      const plies = times.map((_, ply) => ply).filter((ply) => mover(ply) === lane.seat);
      const own = times.filter((_, ply) => mover(ply) === lane.seat);
      const svg = draw("svg", {
        viewBox: `0 0 ${width} ${LANE}`, preserveAspectRatio: "none", class: "times-svg", role: "img",
        "aria-label": sentence(words.timesAlt, { who: lane.name, seconds: seconds(Math.max(0, ...own)) }),
      });
      for (const tick of ticks(top)) {
        const y = LANE - height(tick, top);
        svg.append(draw("line", { x1: 0, x2: width, y1: y, y2: y, class: "grid" }));
      }
      times.forEach((time, ply) => {
        if (mover(ply) !== lane.seat) return;
        const tall = Math.max(1.5, height(time, top));
        const bar = draw("rect", {
          x: LEFT + ply * step, width: Math.max(1.2, Math.min(2 * step, 14) - 0.8), y: LANE - tall, height: tall,
          class: `bar ${lane.seat ? "two" : "one"}`,
        });
        bars[ply] = bar;
        svg.append(bar);
      });
      if (lane.limits) svg.append(limitLine(lane, plies, step, top, width));
      svg.addEventListener("click", (event) => {
        const box = svg.getBoundingClientRect();
        const ply = Math.floor((((event.clientX - box.left) / box.width) * width - LEFT) / step);
        jump(Math.min(times.length, Math.max(1, ply + 1)));
      });
      return make("div", { class: "lane-plot" }, svg, ...ticks(top).map((tick) => label(tick, top)));
    });
    return { drawn, mark: (ply) => bars.forEach((bar, at) => bar.classList.toggle("now", at === ply - 1)) };
  }

  function limitLine(lane, plies, step, top, width) {
    const points = lane.limits.map((limit, at) => {
      const y = LANE - height(limit, top);
      const from = LEFT + plies[at] * step;
      return `${from.toFixed(1)},${y.toFixed(1)} ${Math.min(width, from + 2 * step).toFixed(1)},${y.toFixed(1)}`;
    });
    return draw("polyline", { points: points.join(" "), class: "limit" });
  }

  // An element next to the drawing, because the drawing is stretched to the available width.
  function label(tick, top) {
    const text = make("span", { class: "tick-label", "aria-hidden": "true" }, `${decimal(tick / 1000)} s`);
    text.style.bottom = `${height(tick, top)}px`;
    return text;
  }

  const height = (time, top) => ((LANE - 4) * Math.log10(Math.max(LEAST, time) / LEAST)) / Math.log10(top / LEAST);
  const ticks = (top) => [10, 100, 1000, 10000, 100000].filter((tick) => tick < top);

  function seconds(ms) {
    if (ms < 1) return `< ${decimal(0.001)}`;
    const digits = ms >= 9950 ? 1 : ms >= 95 ? 2 : 3;
    return decimal(ms / 1000, digits, digits);
  }

  // The milliseconds that times.py has packed. The last step below 9.95 s must still be shown as 9.95 s.
  function unpack(text) {
    return unpackNumbers(text).map((step) => {
      if (step < 95) return step;
      return step < 1081 ? Math.min(10 * (step - 85), 9949) : 100 * (step - 981);
    });
  }

  return { chart, seconds, unpack };
})();
