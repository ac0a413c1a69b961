// Dials: one or two, a picture and a sentence. All that is shown was computed in Python (dial.py, beside this
// file) for each position; nothing is computed here but where things stand.

const inputs = all("input");
const many = data.dials.map(({ positions }) => positions.length);
const [HIGH, TOP, BOTTOM, LEFT, NAMED] = [230, 24, 40, 58, 14];

/** Names beside their dots; where dots are nearer than a line of type, in their order below all of them. */
function placed(names) {
  names.sort((first, second) => first.y - second.y);
  const near = names.some(({ y }, i) => i > 0 && y < names[i - 1].y + 15), rows = 15 * (names.length - 1);
  const low = names.at(-1)?.y + 22, from = low + rows < HIGH - BOTTOM - 5 ? low : names[0]?.y - 12 - rows;
  return names.map((name, i) => ({ ...name, y: near ? from + 15 * i : name.y - 6 }));
}

function draw() {
  const at = inputs.map((input) => Number(input.value));
  data.dials.forEach(({ positions }, i) => {
    inputs[i].setAttribute("aria-valuetext", positions[at[i]]);
    all("output")[i].textContent = positions[at[i]];
  });
  const rest = at.length > 1 ? at[1] : 0, step = at.length > 1 ? many[1] : 1;
  one(".told").textContent = data.told[at[0] * step + rest];

  const wide = Math.max(300, one(".picture").clientWidth), right = wide - NAMED, names = [];
  const x = (i) => LEFT + ((right - LEFT) * i) / (many[0] - 1);
  const y = (height) => HIGH - BOTTOM - (HIGH - BOTTOM - TOP) * Math.min(1, Math.max(0, height));
  const parts = data.ticks.flatMap(([height, words]) => [
    rule("grid", LEFT, right, y(height)), text("", LEFT - 6, y(height) + 4, "end", words),
  ]);
  for (const [i, anchor] of [[0, "start"], [many[0] >> 1, "middle"], [many[0] - 1, "end"]]) {
    parts.push(text("", x(i), HIGH - 22, anchor, data.dials[0].positions[i]));
  }
  parts.push(text("", (LEFT + right) / 2, HIGH - 4, "middle", data.dials[0].asks));
  parts.push(text("", 0, 12, "start", data.axis), rule("here", x(at[0]), x(at[0]), TOP, HIGH - BOTTOM));
  data.lines.forEach(([name, heights], which) => {
    const style = "abc"[which], own = heights.filter((_, i) => i % step === rest);
    const points = own.flatMap((high, i) => (high === null ? [] : [[x(i), y(high)]])), here = own[at[0]];
    if (points.length > 1) parts.push(stroke(style, points));
    if (here === null) return;
    parts.push(`<circle class="${style}" cx="${x(at[0])}" cy="${y(here)}" r="5"/>`);
    names.push({ style, name, y: y(here) });
  });
  const late = at[0] > many[0] / 2; // so that a name stands where there is room for it
  for (const { style, name, y: height } of placed(names)) {
    parts.push(text(`end ${style}`, x(at[0]) + (late ? -9 : 9), height, late ? "end" : "start", name));
  }
  one(".picture").innerHTML = picture(one(".told").textContent.replaceAll('"', "”"), wide, HIGH, parts);
}

form.addEventListener("input", draw);
form.addEventListener("submit", (event) => event.preventDefault());
whenWidthChanges(root, draw);
draw();
