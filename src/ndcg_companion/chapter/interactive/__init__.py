"""Parts of a page that answer the reader: plain JavaScript on numbers that Python computed.

A widget ``NAME`` is the files ``NAME.js`` and ``NAME.css`` beside this one, after ``common.js`` and
``common.css``, which hold what all widgets do alike. It gets a ``<div id="NAME">``, which holds the fallback
for readers without JavaScript until the script takes over, its numbers as JSON in ``<script id="NAME-data">``
and its style in ``<script id="NAME-style">``. Nothing is loaded from anywhere: all of it stands in the page.
"""

import json
from pathlib import Path

from IPython.display import HTML

WIDGETS = ("explorer", "playground", "race")


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
    if name not in WIDGETS:
        raise ValueError(f"name={name!r}: expected one of {', '.join(WIDGETS)}")
    numbers = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace(
        "</", "<\\/"
    )
    script, style = (
        "".join(
            Path(__file__).with_name(f"{file}{kind}").read_text(encoding="utf-8") for file in ("common", name)
        )
        for kind in (".js", ".css")
    )
    return HTML(
        f'<div class="interactive" id="{name}">{fallback}</div>\n'
        f'<script type="application/json" id="{name}-data">{numbers}</script>\n'
        f'<script type="text/css" id="{name}-style">\n{style}</script>\n'
        f"<script>\n{script}</script>"
    )
