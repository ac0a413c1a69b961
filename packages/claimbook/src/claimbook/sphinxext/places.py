"""Places in warnings of the renderer: the cell and the line in it, where MyST-NB counts lines through.

MyST-NB reads a notebook as one text, in which the cells begin at the lines 10,001, 20,001 and so on.
"""

import os
import re

import nbformat

from claimbook.cells import cell_name

_PLACE = re.compile(r"^(?P<file>[^\n:]+)\.ipynb:(?P<line>\d{5,}): ", re.M)
_A_CELL = 10_000  # lines


def with_cells(text, sources):
    """A text of the renderer whose warnings name the cell of the source and the line in it.

    Parameters
    ----------
    text : str
        With paths as seen from the book's folder.
    sources : PageSources
        What was rendered.
    """

    def named(found):
        page = sources.pages.get(found["file"].replace(os.sep, "/"))
        if page is None or not page.is_notebook:
            return found[0]
        place, line = divmod(int(found["line"]), _A_CELL)
        cells = nbformat.reads(sources.text(page.file), as_version=4).cells
        if not 1 <= place <= len(cells):
            return found[0]
        known = {cell.id for cell in page.notebook.cells}
        cell = cells[place - 1].id
        name = cell_name(page.notebook, cell) if cell in known else "what claimbook adds to the page"
        return f"{found['file']}.ipynb, {name}, line {max(line - 1, 1)}: "  # it counts lines from 2

    return _PLACE.sub(named, text)
