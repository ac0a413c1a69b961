"""Parts of a page that answer the reader: plain JavaScript on numbers that Python computed.

A widget ``NAME`` is the files ``NAME.js`` and ``NAME.css`` beside this one, after ``common.js`` and
``common.css``, which hold what all widgets do alike, and ``NAME.html``, its controls, a template that its
data fill. It gets a ``<div id="NAME">``, which holds the fallback for readers without JavaScript until the
script takes over, its numbers as JSON in ``<script id="NAME-data">``, its style in
``<script id="NAME-style">`` and its controls in ``<script id="NAME-frame">``. Nothing is loaded from
anywhere: all of it stands in the page.
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
# The colours of the figures: of the two rankers, and of all else.
_INKS = {"a": FIRST, "b": SECOND, **{f"colour-{n}": colour for n, colour in enumerate(PALETTE)}}
_COLOURS = (
    f".interactive {{ {variables(_INKS)} }}\n"
    f'html[data-theme="dark"] .interactive {{ {variables(_INKS, dark=True)} }}\n'
)


def widget(name, data, *, fallback):
    """The widget of that name, for the last line of a cell.

    Parameters
    ----------
    name : str
    data : dict
        What JSON can hold.
    fallback : str
        HTML that says the essential without JavaScript.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    check_choice("name", name, WIDGETS)
    numbers = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    numbers = numbers.replace("</", "<\\/")
    script, style = (
        "".join(_HERE.joinpath(f"{file}{kind}").read_text(encoding="utf-8") for file in ("common", name))
        for kind in (".js", ".css")
    )
    return HTML(
        f'<div class="interactive" id="{name}">{fallback}</div>\n'
        f'<script type="application/json" id="{name}-data">{numbers}</script>\n'
        f'<script type="text/css" id="{name}-style">\n{_COLOURS}{style}</script>\n'
        f'<script type="text/html" id="{name}-frame">\n{fragment(f"{name}.html", data)}</script>\n'
        f'<script type="module">\nconst WIDGET = "{name}";\n{script}</script>'
    )


def fragment(file, data):
    """The template of that name, filled with the data; its filter ``raised`` is `superscripts`."""
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
    """Text as HTML, with what follows ``^`` raised.

    >>> superscripts("r^−0.5 < 10^6 < 2^y")
    'r<sup>−0.5</sup> &lt; 10<sup>6</sup> &lt; 2<sup>y</sup>'
    """
    return re.sub(r"\^(−?(?:[\d.]+|[βyr]))", r"<sup>\1</sup>", escape(text))
