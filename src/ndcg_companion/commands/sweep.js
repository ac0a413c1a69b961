// The page of a sweep: any number of its runs against any parameter.
(() => {
  "use strict";

  const COLOURS = ["#0072b2", "#c25200", "#00795a", "#a8488f", "#8a6d00", "#3d7fa6", "#7a5bb5", "#6e6e6e"];
  const SVG = "http://www.w3.org/2000/svg";
  const WIDE = 720, HIGH = 380, LEFT = 76, RIGHT = 120, TOP = 16, BOTTOM = 52;

  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  function draw(parent, tag, attributes, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    parent.append(node);
    return node;
  }

  const say = (number) => (Number.isInteger(number) && Math.abs(number) < 1e6 ? String(number) : String(Number(number.toPrecision(5))));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const address = (run) => `${encodeURIComponent(run)}/${DATA.notebook}`;

  const main = document.querySelector("main");
  const axes = Object.keys(DATA.runs[0]?.parameters ?? {});
  const distinct = (axis) => [...new Set(DATA.runs.map((run) => run.parameters[axis]))];
  const varying = axes.filter((axis) => distinct(axis).length > 1);
  const quantities = [...new Set(DATA.runs.flatMap((run) => Object.keys(run.quantities)))];

  if (DATA.runs.length && quantities.length) main.append(make("h2", {}, "Any quantity against any parameter"), ...plot());

  function plot() {
    const choose = (name, options, chosen) => {
      const select = make("select", { name }, ...options.map((option) => make("option", { value: option }, option)));
      if (options.includes(chosen)) select.value = chosen;
      select.addEventListener("change", redraw);
      return select;
    };
    const y = choose("quantity", quantities);
    const x = choose("parameter", axes, varying[0]);
    const by = choose("colour", ["(nothing)", ...varying], varying.find((axis) => axis !== varying[0] && axis !== "seed"));
    const logarithmic = make("input", { type: "checkbox", name: "log" });
    logarithmic.addEventListener("change", redraw);
    const figure = make("figure"), table = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "the numbers drawn" });
    const form = make("form", {}, make("label", {}, "Quantity ", y), make("label", {}, "against ", x), make("label", {}, "a line for each ", by),
      make("label", {}, logarithmic, " logarithmic scale"));
    redraw();
    return [form, figure, table];

    function redraw() {
      const points = DATA.runs.filter((run) => Number.isFinite(run.quantities[y.value]))
        .map((run) => ({ run: run.run, at: run.parameters[x.value], value: run.quantities[y.value], of: by.value === "(nothing)" ? "" : String(run.parameters[by.value]) }));
      const numeric = points.every((point) => typeof point.at === "number");
      const positions = [...new Set(points.map((point) => point.at))].sort((a, b) => (numeric ? a - b : 0));
      logarithmic.disabled = !numeric || positions[0] <= 0;
      const logged = logarithmic.checked && !logarithmic.disabled;
      const place = (at) => (numeric ? (logged ? Math.log(at) : at) : positions.indexOf(at));
      const [low, high] = [Math.min(...positions.map(place)), Math.max(...positions.map(place))];
      const values = points.map((point) => point.value);
      let [bottom, top] = [Math.min(...values), Math.max(...values)];
      if (bottom === top) [bottom, top] = [bottom - (Math.abs(bottom) || 1) * 0.05, top + (Math.abs(top) || 1) * 0.05];
      const px = (at) => LEFT + (high > low ? (place(at) - low) / (high - low) : 0.5) * (WIDE - LEFT - RIGHT);
      const py = (value) => HIGH - BOTTOM - (value - bottom) / (top - bottom) * (HIGH - TOP - BOTTOM);

      const series = [...new Set(points.map((point) => point.of))];
      const told = `${y.value} against ${x.value}: ${points.length} runs, from ${say(Math.min(...values))} to ${say(Math.max(...values))}.`;
      figure.replaceChildren();
      const svg = draw(figure, "svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": told });
      for (let step = 0; step <= 4; step++) {
        const value = bottom + (top - bottom) * step / 4;
        draw(svg, "line", { class: "axis", x1: LEFT, x2: WIDE - RIGHT, y1: py(value), y2: py(value) });
        draw(svg, "text", { x: LEFT - 8, y: py(value) + 4, "text-anchor": "end" }, say(value));
      }
      const every = Math.ceil(positions.length / 8);
      positions.filter((_, index) => index % every === 0).forEach((at) =>
        draw(svg, "text", { x: px(at), y: HIGH - BOTTOM + 20, "text-anchor": "middle" }, typeof at === "number" ? say(at) : String(at)));
      draw(svg, "text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 8, "text-anchor": "middle" }, x.value);
      const ends = [];
      series.forEach((of, index) => {
        const colour = COLOURS[index % COLOURS.length], own = points.filter((point) => point.of === of);
        const means = positions.map((at) => [at, own.filter((point) => point.at === at).map((point) => point.value)]).filter(([, those]) => those.length);
        if (numeric) draw(svg, "polyline", { class: "mean", stroke: colour, points: means.map(([at, those]) => `${px(at)},${py(mean(those))}`).join(" ") });
        for (const point of own) {
          const dot = draw(svg, "circle", { cx: px(point.at), cy: py(point.value), r: 3.5, fill: colour, "fill-opacity": 0.65 });
          draw(dot, "title", {}, `${point.run}: ${say(point.value)}`);
        }
        if (of && means.length) ends.push({ of: `${by.value}=${of}`, colour, y: py(mean(means.at(-1)[1])) });
      });
      ends.sort((a, b) => a.y - b.y).forEach((end, index) => {
        if (index && end.y - ends[index - 1].y < 15) end.y = ends[index - 1].y + 15;
        draw(svg, "text", { x: WIDE - RIGHT + 10, y: end.y + 4, style: `fill: ${end.colour}` }, end.of);
      });
      figure.append(make("figcaption", {}, told, numeric ? " Dots are runs, lines join their means." : " Dots are runs."));

      const rows = [...points].sort((a, b) => positions.indexOf(a.at) - positions.indexOf(b.at)).map((point) =>
        make("tr", {}, make("td", {}, make("a", { href: address(point.run) }, point.run)), make("td", {}, String(point.value))));
      const heads = ["run", y.value].map((head) => make("th", { scope: "col" }, head));
      table.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
    }
  }
})();
