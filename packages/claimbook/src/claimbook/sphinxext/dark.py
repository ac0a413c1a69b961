"""Give figures separate colours for light and dark pages.

Colours become CSS variables in the SVG. These variables have other values in a dark scheme. The browser
applies the scheme of a page to the images on the page. A drawing stays unchanged, on a white card, if it
contains a raster image or a colour without a counterpart for dark pages.
"""

import re

from claimbook.palette import on_dark

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")


def in_both_schemes(svg):
    """Return a drawing with colours for both schemes, or None if this is impossible.

    >>> "var(--ffffff)" in in_both_schemes('<svg><style></style><path style="fill: #ffffff"/></svg>')
    True
    """
    colours = {colour.lower() for colour in _COLOUR.findall(svg)} | {"#000000"}  # text without a colour
    dark_colours = {colour: on_dark(colour) for colour in sorted(colours)}
    if "<image" in svg or None in dark_colours.values():
        return None
    # A colour such as #rrggbb becomes the variable --rrggbb.
    light = "".join(f"--{colour[1:]}:{colour};" for colour in dark_colours)
    dark = "".join(f"--{colour[1:]}:{dark_colour};" for colour, dark_colour in dark_colours.items())
    rules = f":root{{{light}fill:var(--000000)}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    svg = _COLOUR.sub(lambda match: f"var(--{match[0].lower().removeprefix('#')})", svg)
    return svg.replace("</style>", f"{rules}</style>", 1)
