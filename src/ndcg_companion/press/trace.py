"""A number in the prose leads to the cell that computed it."""

import re

_NUMBER = re.compile(r"\{glue:text\}`(?P<name>[\w-]+)`")


def anchor(cell):
    """The address, on its page, of the source of a cell."""
    return f"cell-{cell.id}"


def trace(notebook):
    """Say beside each number in the prose where its code stands, if that is on the page."""
    for cell in notebook.cells:
        cell.metadata["anchor"] = anchor(cell)  # the renderer is not told the names of cells otherwise
    computed = {
        output.metadata["scrapbook"]["name"]: anchor(cell)
        for cell in notebook.cells
        if cell.cell_type == "code" and "remove-input" not in cell.metadata.get("tags", [])
        for output in cell.outputs
        if "scrapbook" in output.get("metadata", {})
    }

    def traced(number):
        name = number["name"]
        return f"{{traced}}`{computed[name]} {name}`" if name in computed else number[0]

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _NUMBER.sub(traced, cell.source)
