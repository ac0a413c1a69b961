"""Interactive parts of a page, in plain JavaScript with numbers that Python computes.

A widget ``NAME`` consists of three files in this folder. The files ``NAME.js`` and ``NAME.css`` follow the
common code in ``common.js`` and ``common.css``. The file ``NAME.html`` is a template for the controls. In the
page, the widget has a ``<div id="NAME">``, which contains the fallback for readers without JavaScript until
the script replaces it. The numbers of the widget are JSON in ``<script id="NAME-data">``, its style is in
``<script id="NAME-style">``, and its controls are in ``<script id="NAME-frame">``. Everything is part of the
page, so nothing has to be loaded.
"""

import json
import re
from html import escape
from pathlib import Path

from IPython.display import HTML
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from claimbook.palette import FIRST, PALETTE, SECOND, variables
from ndcg_companion.checks import check_choice

_HERE = Path(__file__).parent
WIDGETS = ("dial", "explorer", "playground", "race")
# The colours of the two rankers and the palette, as in the figures.
_COLOUR_VARIABLES = {"a": FIRST, "b": SECOND, **{f"colour-{n}": colour for n, colour in enumerate(PALETTE)}}
_COLOUR_STYLE = (
    f".interactive {{ {variables(_COLOUR_VARIABLES)} }}\n"
    f'html[data-theme="dark"] .interactive {{ {variables(_COLOUR_VARIABLES, dark=True)} }}\n'
)


def widget(name, data, *, fallback):
    """Return a widget, which is shown if it is the last line of a cell.

    Parameters
    ----------
    name : str
        One of ``WIDGETS``.
    data : dict
        Numbers of the widget, in types that JSON supports.
    fallback : str
        HTML with the main information for readers without JavaScript.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    check_choice("name", name, WIDGETS)
    json_text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    json_text = json_text.replace("</", "<\\/")  # so that no text of the data ends the element
    # The common code, followed by that of the widget.
    script, style = (
        "".join(_HERE.joinpath(f"{file}{suffix}").read_text(encoding="utf-8") for file in ("common", name))
        for suffix in (".js", ".css")
    )
    return HTML(
        f'<div class="interactive" id="{name}">{fallback}</div>\n'
        f'<script type="application/json" id="{name}-data">{json_text}</script>\n'
        f'<script type="text/css" id="{name}-style">\n{_COLOUR_STYLE}{style}</script>\n'
        f'<script type="text/html" id="{name}-frame">\n{fragment(f"{name}.html", data)}</script>\n'
        f'<script type="module">\nconst WIDGET = "{name}";\n{script}</script>'
    )


def fragment(file, data):
    """Return a template filled with data, in which the filter ``raised`` is `superscripts`."""
    templates = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["raised"] = lambda text: Markup(superscripts(text))
    return templates.get_template(file).render(data)


def superscripts(text):
    """Return text as HTML, with exponents after ``^`` as superscripts.

    >>> superscripts("r^−0.5 < 10^6 < 2^y")
    'r<sup>−0.5</sup> &lt; 10<sup>6</sup> &lt; 2<sup>y</sup>'
    """
    return re.sub(r"\^(−?(?:[\d.]+|[βyr]))", r"<sup>\1</sup>", escape(text))
