"""Parts of a page that answer the reader: plain JavaScript on numbers that Python computed.

A widget ``NAME`` is the file ``NAME.js`` beside this one. It gets a ``<div id="NAME">``, which holds the
fallback for readers without JavaScript until the script takes over, and its numbers as JSON in ``<script
id="NAME-data">``. Nothing is loaded from anywhere: script and numbers stand in the page.
"""

import json
from pathlib import Path

from IPython.display import HTML


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
    script = Path(__file__).with_name(f"{name}.js")
    if not script.is_file():
        known = ", ".join(sorted(path.stem for path in script.parent.glob("*.js")))
        raise ValueError(f"name={name!r}: expected one of {known}")
    numbers = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace(
        "</", "<\\/"
    )
    return HTML(
        f'<div class="interactive" id="{name}">{fallback}</div>\n'
        f'<script type="application/json" id="{name}-data">{numbers}</script>\n'
        f"<script>\n{script.read_text(encoding='utf-8')}</script>"
    )
