"""Write messages about a failed chapter, with the cell, the error and its location."""

import re
from dataclasses import dataclass

from claimbook.cells import cell_name
from claimbook.text import escaped

_FRAMES = 3  # the number of frames shown, from the end of a traceback
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_CELL_FRAME = re.compile(r"^Cell In\[(\d+)\], line (\d+)")
_TAGS_OF_ADDED_CELLS = {"injected-parameters", "papermill-error-cell-tag"}  # papermill adds these cells
_MAX_WIDTH = 200  # characters of a line of a traceback


@dataclass(frozen=True)
class Failure:
    """The reason why a chapter could not be executed.

    Attributes
    ----------
    message : str
        The message, of one or more lines. The first line names the chapter and the cell.
    notebook : str or None
        The text of the unfinished notebook.
    """

    message: str
    notebook: str | None = None


def failure_message(job, error, cell=None, frames=()):
    """Return the message about a failed job, with chapter, cell, error and frames.

    Parameters
    ----------
    job : Job
        The job.
    error : str
        The error in words.
    cell : str, optional
        The id of the cell that failed, if known.
    frames : iterable of str
        Lines of the traceback.
    """
    location = job.called or f"{job.chapter.file}.ipynb"
    if cell:
        location += f", {cell_name(job.chapter.notebook, cell)}"
    error_line = " ".join(error.split()) or "failed"
    lines = [f"{escaped(location, _MAX_WIDTH)}: {escaped(error_line, 2 * _MAX_WIDTH)}"]
    return "\n".join(lines + [f"    {escaped(line, _MAX_WIDTH)}" for line in frames])


def frames_of(traceback, notebook):
    """Return the last frames of an IPython traceback, each with its location and code.

    The last frame in a cell is always among them, however deep the error is in code that the cell calls.

    Parameters
    ----------
    traceback : list of str
        The entries of the traceback.
    notebook : NotebookNode
        The executed notebook, whose cells have the execution numbers that the traceback shows.
    """
    cells = [
        cell
        for cell in notebook.cells
        if not _TAGS_OF_ADDED_CELLS.intersection(cell.metadata.get("tags", []))
    ]
    cell_numbers = {cell.get("execution_count"): number for number, cell in enumerate(cells, 1)}

    def readable_place(match):
        execution_count, line_number = match.groups()
        cell_number = cell_numbers.get(int(execution_count))
        cell = f"cell {cell_number}" if cell_number else "the parameters"
        return f"{cell}, line {line_number}"

    frames, last_cell_frame = [], 0  # lists of lines, and the index of the last frame that is in a cell
    for entry in traceback:
        lines = _COLOUR.sub("", entry).strip("\n").splitlines()
        first_line = lines[0].strip() if lines else ""
        if not first_line.startswith(("Cell In[", "File ")):
            continue
        if first_line.startswith("Cell In["):
            last_cell_frame = len(frames)
        arrow_lines = [line.strip() for line in lines if re.match(r"-+> *\d+ ", line.strip())]
        # A syntax error has no arrow, so its remaining lines are kept.
        frames.append([_CELL_FRAME.sub(readable_place, first_line), *(arrow_lines[:1] or lines[1:-1])])
    if last_cell_frame < len(frames) - _FRAMES:  # it is not among the last frames, so it replaces one
        frames = [frames[last_cell_frame], *frames[-(_FRAMES - 1) :]]
    return [line for frame in frames[-_FRAMES:] for line in frame]
