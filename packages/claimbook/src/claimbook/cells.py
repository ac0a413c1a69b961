"""Name cells in messages by number and title, because authors do not see the ids of cells."""

import re

_HEADING = re.compile(r"^#+ +(.*)$", re.M)
_MOST_CHARACTERS = 60  # characters of a title


def cell_name(notebook, id):
    """Return the name of a cell: its number, counted from 1, and its title.

    Parameters
    ----------
    notebook : NotebookNode
        The source of a chapter.
    id : str
        The id of the cell. If the notebook lacks this id, it belongs to the cell in which papermill sets
        parameters.

    Notes
    -----
    The title is the name of the cell's fold, or else the first heading or line of the cell.

    Examples
    --------
    >>> from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
    >>> cells = [new_markdown_cell("# A claim", id="a"), new_code_cell("1 / 0", id="b")]
    >>> print(cell_name(new_notebook(cells=cells), "b"))
    cell 2 of 2, "1 / 0"
    """
    for number, cell in enumerate(notebook.cells, 1):
        if cell.id == id:
            return f'cell {number} of {len(notebook.cells)}, "{_title(cell)}"'
    return "the cell that sets the parameters of this run"


def _title(cell):
    """Return the title of a cell: that of its fold, or its heading, or its first line."""
    first_line, _, _ = cell.source.strip().partition("\n")
    heading = _HEADING.search(cell.source) if cell.cell_type == "markdown" else None
    title = cell.metadata.get("fold") or (heading[1] if heading else first_line)
    return title if len(title) <= _MOST_CHARACTERS else f"{title[: _MOST_CHARACTERS - 1]}…"
