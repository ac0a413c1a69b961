const data = JSON.parse(document.getElementById("lists").textContent);
const [first, second, query] = ["first", "second", "query"].map(name => document.getElementById(name));
const body = document.querySelector("#side-by-side tbody");
const signed = number => (number < 0 ? "−" : "+") + Math.abs(number).toFixed(4);
const fill = (select, texts, chosen) => {
  select.replaceChildren(...texts.map(([value, text]) => new Option(text, value)));
  select.value = chosen;
};
const difference = place => data.scores[first.value][place] - data.scores[second.value][place];

function listQueries() {
  const places = data.queries.map((_, place) => place);
  places.sort((a, b) => Math.abs(difference(b)) - Math.abs(difference(a)));
  fill(query, places.map(place => [place, `${data.queries[place]}: ${signed(difference(place))}`]), places[0]);
  showLists();
}

function showLists() {
  const lists = [first, second].map(select => data.lists[select.value][query.value]);
  const ids = lists.map(list => new Set(list.map(place => data.items[place][0])));
  const rows = Array.from({length: Math.max(...lists.map(list => list.length))}, (_, rank) => {
    const row = document.createElement("tr");
    row.insertCell().textContent = rank + 1;
    lists.forEach((list, side) => {
      const cell = row.insertCell();
      cell.className = "name";
      if (rank >= list.length) return;
      const [id, grade] = data.items[list[rank]];
      cell.textContent = `${id} (${grade === null ? "–" : grade})`;
      if (!ids[1 - side].has(id)) cell.append(" ", Object.assign(document.createElement("strong"), {textContent: "only here"}));
    });
    return row;
  });
  [first, second].forEach((select, side) => {
    document.querySelectorAll("#side-by-side thead th")[side + 1].textContent = data.systems[select.value];
  });
  body.replaceChildren(...rows);
}

const systems = data.systems.map((name, place) => [place, name]);
fill(first, systems, data.start[0]);
fill(second, systems, data.start[1]);
first.onchange = second.onchange = listQueries;
query.onchange = showLists;
listQueries();
document.getElementById("choice").hidden = false;
