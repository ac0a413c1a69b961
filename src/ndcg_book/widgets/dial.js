// Dials on a figure: what was computed in Python (dial.py, beside this file) for each position is said, and
// marked on the figure by a line with a dot on each of its curves.

const inputs = all("input");
one(".picture").prepend(...fallback);

function draw() {
  const turns = inputs.map((input) => Number(input.value));
  const index = data.dials.reduce((sum, { positions }, i) => sum * positions.length + turns[i], 0);
  data.dials.forEach(({ positions }, i) => {
    inputs[i].setAttribute("aria-valuetext", positions[turns[i]]);
    all("output")[i].textContent = positions[turns[i]];
  });
  one(".told").textContent = data.told[index];
  const x = data.x[turns[0]], heights = data.lines.map(([colour, places]) => [colour, places[index]]);
  const dots = heights.filter(([, y]) => y !== null).map(([colour, y]) =>
    `<circle style="fill: var(--${colour})" cx="${x}" cy="${y}" r="4.5"/>`);
  one("svg").innerHTML = [rule("here", x, x, ...data.span), ...dots].join("");
}

form.addEventListener("input", draw);
form.addEventListener("submit", (event) => event.preventDefault());
draw();
