// Dials on a figure: what was computed in Python (dial.py, beside this file) for each position is said, and
// marked on the figure by a line with a dot on each of its curves.

const inputs = all("input");
one(".picture").prepend(...fallback);

function draw() {
  const at = inputs.map((input) => Number(input.value));
  const place = data.dials.reduce((sum, { positions }, i) => sum * positions.length + at[i], 0);
  data.dials.forEach(({ positions }, i) => {
    inputs[i].setAttribute("aria-valuetext", positions[at[i]]);
    all("output")[i].textContent = positions[at[i]];
  });
  one(".told").textContent = data.told[place];
  const x = data.x[at[0]], heights = data.lines.map(([colour, places]) => [colour, places[place]]);
  const dots = heights.filter(([, y]) => y !== null).map(([colour, y]) =>
    `<circle style="fill: var(--${colour})" cx="${x}" cy="${y}" r="4.5"/>`);
  one("svg").innerHTML = [rule("here", x, x, ...data.span), ...dots].join("");
}

form.addEventListener("input", draw);
form.addEventListener("submit", (event) => event.preventDefault());
draw();
