// The page of a sweep: any number of its runs against any parameter.
const COLOURS = [0, 1, 2, 3, 4, 5, 6].map((place) => `var(--colour-${place})`);
const DRAWN = ["svg", "line", "text", "polyline", "circle", "title"];
const HIGH = 380, LEFT = 76, TOP = 16, BOTTOM = 52;

/** An element of the page, or of a picture in it. */
function make(tag, attributes = {}, ...children) {
  const space = DRAWN.includes(tag) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
  const node = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const say = (number) =>
  String(Number.isInteger(number) && Math.abs(number) < 1e6 ? number : Number(number.toPrecision(5)));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const distinct = (values) => [...new Set(values)];
const spread = (values) => [Math.min(...values), Math.max(...values)];

const plot = document.querySelector(".plot");
const [form, figure, table] = ["form", "figure", "tbody"].map((name) => plot.querySelector(name));
const axes = Object.keys(DATA.runs[0]?.parameters ?? {});
const varying = axes.filter((axis) => distinct(DATA.runs.map((run) => run.parameters[axis])).length > 1);
const first = varying.find((axis) => axis !== "seed") ?? varying[0] ?? axes[0];
const squares = (values) => values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0);

/** How much of a quantity's variance goes with the first parameter; less than 0 if it does not vary. */
function explained(name) {
  const own = DATA.runs.filter((run) => Number.isFinite(run.quantities[name]));
  const all = own.map((run) => run.quantities[name]), whole = squares(all);
  const within = distinct(own.map((run) => run.parameters[first])).map((at) =>
    squares(own.filter((run) => run.parameters[first] === at).map((run) => run.quantities[name])));
  const [low, high] = spread(all); // a constant, but for the last digits of its runs, does not vary
  const same = own.every((run) => run.quantities[name] === run.parameters[first]); // the parameter itself
  const varies = high - low > 1e-12 * Math.max(-low, high) && name !== "seconds" && !same;
  return varies ? 1 - within.reduce((sum, part) => sum + part, 0) / whole : -1;
}

const shares = new Map(distinct(DATA.runs.flatMap((run) => Object.keys(run.quantities)))
  .map((name) => [name, explained(name)]));
const quantities = [...shares.keys()].sort((a, b) => (shares.get(a) < 0) - (shares.get(b) < 0));
const { quantity, parameter, colour: by, log } = form.elements;

function choose(select, options, chosen, words = {}) {
  const named = (option) => (Object.hasOwn(words, option) ? `${option}: ${words[option]}` : option);
  select.append(...options.map((option) => make("option", { value: option }, named(option))));
  if (options.includes(chosen)) select.value = chosen;
}

function redraw() {
  const WIDE = Math.max(300, Math.min(720, plot.clientWidth)), RIGHT = by.value ? 120 : 24;
  const x = parameter.value, y = quantity.value;
  const points = DATA.runs.filter((run) => Number.isFinite(run.quantities[y])).map((run) => {
    const of = by.value ? String(run.parameters[by.value]) : "";
    return { run: run.run, at: run.parameters[x], value: run.quantities[y], of };
  });
  const numeric = points.every((point) => typeof point.at === "number");
  const positions = distinct(points.map((point) => point.at)).sort((a, b) => (numeric ? a - b : 0));
  log.disabled = !numeric || positions[0] <= 0;
  const logged = log.checked && !log.disabled;
  const place = (at) => (numeric ? (logged ? Math.log(at) : at) : positions.indexOf(at));
  const [low, high] = spread(positions.map(place));
  const [least, most] = spread(points.map((point) => point.value));
  const [bottom, top] = least < most ? [least, most]
    : [least - (Math.abs(least) || 1) * 0.05, most + (Math.abs(most) || 1) * 0.05];
  const px = (at) => LEFT + (high > low ? (place(at) - low) / (high - low) : 0.5) * (WIDE - LEFT - RIGHT);
  const py = (value) => HIGH - BOTTOM - (value - bottom) / (top - bottom) * (HIGH - TOP - BOTTOM);

  const summary = `${y} against ${x}: ${points.length} runs, from ${say(least)} to ${say(most)}.`;
  const svg = make("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": summary });
  const draw = (...what) => svg.appendChild(make(...what));
  const counts = points.every((point) => Number.isInteger(point.value)) && least < most;
  const step = counts ? Math.ceil((top - bottom) / 4) : (top - bottom) / 4;
  for (let tick = 0; tick <= Math.floor((top - bottom) / step * (1 + 1e-9)); tick++) {
    const value = bottom + tick * step;
    draw("line", { class: "axis", x1: LEFT, x2: WIDE - RIGHT, y1: py(value), y2: py(value) });
    draw("text", { x: LEFT - 8, y: py(value) + 4, "text-anchor": "end" }, say(value));
  }
  const every = Math.ceil(positions.length / (WIDE / 90));
  for (const at of positions.filter((_, index) => index % every === 0)) {
    const words = typeof at === "number" ? say(at) : String(at);
    draw("text", { x: px(at), y: HIGH - BOTTOM + 20, "text-anchor": "middle" }, words);
  }
  draw("text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 8, "text-anchor": "middle" }, x);
  const ends = [];
  distinct(points.map((point) => point.of)).forEach((of, index) => {
    const colour = COLOURS[index % COLOURS.length], own = points.filter((point) => point.of === of);
    const means = positions.filter((at) => own.some((point) => point.at === at)).map((at) =>
      [px(at), py(mean(own.filter((point) => point.at === at).map((point) => point.value)))]);
    if (numeric) draw("polyline", { class: "mean", stroke: colour, points: means.join(" ") });
    for (const { run, at, value } of own) {
      const dot = { cx: px(at), cy: py(value), r: 3.5, fill: colour, "fill-opacity": 0.65 };
      draw("circle", dot, make("title", {}, `${run}: ${say(value)}`));
    }
    if (of) ends.push({ of: `${by.value}=${of}`, colour, y: means.at(-1)[1] });
  });
  ends.sort((a, b) => a.y - b.y).forEach((end, index) => {
    if (index && end.y - ends[index - 1].y < 15) end.y = ends[index - 1].y + 15;
    draw("text", { x: WIDE - RIGHT + 10, y: end.y + 4, style: `fill: ${end.colour}` }, end.of);
  });
  const joined = numeric ? " Dots are runs, lines join their means." : " Dots are runs.";
  const words = Object.hasOwn(DATA.words, y) ? ` ${y}: “${DATA.words[y]}”` : "";
  figure.replaceChildren(svg, make("figcaption", {}, summary, joined, words));

  const inOrder = [...points].sort((a, b) => positions.indexOf(a.at) - positions.indexOf(b.at));
  plot.querySelector("th:last-child").textContent = y;
  table.replaceChildren(...inOrder.map(({ run, value }) => {
    const link = make("a", { href: `${encodeURIComponent(run)}/${DATA.notebook}` }, run);
    return make("tr", {}, make("td", {}, link), make("td", {}, String(value)));
  }));
}

if (DATA.runs.length && quantities.length) {
  plot.hidden = false;
  const most = quantities.reduce((best, name) => (shares.get(name) > shares.get(best) ? name : best));
  choose(quantity, quantities, most, DATA.words);
  choose(parameter, axes, first);
  choose(by, varying, varying.find((axis) => axis !== first && axis !== "seed"));
  form.addEventListener("change", redraw);
  redraw();
}
