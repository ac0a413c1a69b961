"""Figures on the page's own ground: a drawing carries its colours for light and for dark.

Colours become variables of the SVG, with other values where the reader's scheme is dark; a browser tells an
image the scheme of the page around it. Those of the palette have partners that were found as they were, by
a search for the largest distance with and without red-green blindness; greys and pale tints are turned from
light to dark. A drawing with other colours, or with a raster image, stays as it is, on a white card.
"""

import colorsys
import re

from claimbook.palette import DARK, GROUND, PALETTE

_LOW, _HIGH = 0.10, 0.92  # lightness of the page, and of what is written on it, where it is dark
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")


def in_both(svg):
    """The drawing with its colours for both schemes; None if that cannot be done.

    >>> "var(--ffffff)" in in_both('<svg><style></style><path style="fill: #ffffff"/></svg>')
    True
    """
    colours = {colour.lower() for colour in _COLOUR.findall(svg)} | {"#000000"}
    partners = {colour: _partner(colour) for colour in sorted(colours)}
    if "<image" in svg or None in partners.values():
        return None
    light = "".join(f"--{colour[1:]}:{colour};" for colour in partners)
    dark = "".join(f"--{colour[1:]}:{other};" for colour, other in partners.items())
    rules = f":root{{{light}fill:var(--000000)}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    svg = _COLOUR.sub(lambda colour: f"var(--{colour[0][1:].lower()})", svg)
    return svg.replace("</style>", f"{rules}</style>", 1)


def _partner(colour):
    """The colour in place of another on dark pages; None for one neither grey, pale nor of the palette."""
    if colour in PALETTE:
        return DARK[PALETTE.index(colour)]
    if colour == "#ffffff":
        return GROUND
    hue, lightness, saturation = colorsys.rgb_to_hls(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))
    grey = saturation * min(lightness, 1 - lightness) < 0.03
    if not grey and lightness < 0.75:
        return None
    turned = _LOW + (_HIGH - _LOW) * (1 - lightness)
    parts = colorsys.hls_to_rgb(hue, turned, saturation / 2)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
