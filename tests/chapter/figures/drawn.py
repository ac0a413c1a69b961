"""The drawing of each example, which is made only once for all tests of a process."""

from functools import cache
from importlib import import_module

import numpy as np
from chapter.figures.examples import EXAMPLES
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

import ndcg_book.figures as figures
from claimbook.style import style


def function(name):
    module, _, drawing = name.partition(".")
    return getattr(import_module(f"{figures.__name__}.{module}"), drawing)


@cache
def drawn_from(name, index):
    """The figure of an example, laid out as saving it would, and its state before."""
    figure = function(name)(*EXAMPLES[name][index])
    before = state(figure)
    with style():
        FigureCanvasAgg(figure)
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine("none")
        figure.draw_without_rendering()  # only now labels that follow the layout have their place
    return figure, before


def drawn(name, index):
    return drawn_from(name, index)[0]


def state(figure):
    """All that is drawn and said, without its look."""
    seen = [figure.alt]
    for axes in figure.axes:
        seen += [line.get_xydata().tobytes() for line in axes.lines]
        seen += [path.vertices.tobytes() for drawn in axes.collections for path in drawn.get_paths()]
        seen += [np.asarray(drawn.get_offsets(), float).tobytes() for drawn in axes.collections]
        seen += [
            np.asarray(drawn.get_sizes()).tobytes()
            for drawn in axes.collections
            if hasattr(drawn, "get_sizes")
        ]
        for patch in axes.patches:
            seen += [patch.get_path().vertices.tobytes(), patch.get_patch_transform().get_matrix().tobytes()]
            seen += [to_hex(patch.get_facecolor())]
        seen += [(text.get_text(), *getattr(text, "xy", text.get_position())) for text in axes.texts]
        seen += [
            axes.get_title(loc="left"),
            axes.get_xlabel(),
            axes.get_ylabel(),
            axes.get_xlim(),
            axes.get_ylim(),
        ]
    return seen
