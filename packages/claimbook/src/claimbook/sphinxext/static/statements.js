/* The table of statements shows the rows that the address asks for: "#false", "#show&false&source-newton". */
addEventListener("DOMContentLoaded", () => {
  const filters = document.getElementById("filters");
  if (!filters) return;
  const rows = [...document.querySelectorAll(".statements tbody")];
  const chosen = () => [...filters.querySelectorAll(":checked")].map(({value}) => value).filter(Boolean);
  const show = () => {
    const asked = location.hash.slice(1).split("&");
    for (const choice of filters.querySelectorAll("input, option")) // the first of each kind shows all
      if (!choice.value || asked.includes(choice.value)) choice.checked = choice.selected = true;
    const names = chosen(), shows = (row) => names.every((name) => row.classList.contains(name));
    for (const row of rows) row.hidden = !shows(row);
    filters.querySelector("output").textContent = `${rows.filter(shows).length} of ${rows.length} rows`;
  };
  filters.onchange = () => { location.hash = ["show", ...chosen()].join("&"); }; // so the focus stays
  addEventListener("hashchange", show);
  show();
  filters.hidden = false;
  if (chosen().length) filters.scrollIntoView();
});
