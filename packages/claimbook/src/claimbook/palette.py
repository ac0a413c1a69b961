"""The colours of a book, once: of its figures, and of what stands beside them on light and on dark pages."""

import colorsys

# Blue, orange, green, purple, brown, indigo, black: found by a search for the largest distance between any
# two as seen with and without red-green blindness, all of them dark enough on white for a word.
PALETTE = ("#1a66d6", "#b45300", "#1f8070", "#961388", "#634921", "#3a10c8", "#000000")
# What stands for each on a dark page, found likewise.
DARK = ("#67c9f2", "#ea801f", "#4dc28c", "#e153a7", "#dad074", "#8088f2", "#e8eaed")
GREY = "#5f6368"
LINE = "#e4e6e8"  # of grids and of tables
WHITE = "#ffffff"
GROUND = "#121212"  # of the theme's dark pages
# What a colour means on every page: blue is the better or the first of two things that are compared, orange
# the worse or the second. Nothing else is blue or orange; all other lines have the other colours, in order.
FIRST, SECOND = PALETTE[:2]
OTHERS = (*PALETTE[2:], GREY)
_LOW, _HIGH = 0.10, 0.92  # lightness of the page, and of what is written on it, where it is dark


def mixed(colour, share, ground=WHITE):
    """A share of the colour in a ground: a pale fill on white, a darker word on black.

    >>> mixed(FIRST, 0.0), mixed(FIRST, 0.2), mixed(FIRST, 1.0) == FIRST
    ('#ffffff', '#d1e0f7', True)
    """
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:]))
    return "#" + bytes(round(share * own + (1.0 - share) * under) for own, under in pairs).hex()


# A little darker than the first two, for links stand on the coloured grounds of boxes, too.
_LINK, _HOVER = (mixed(colour, 0.9, PALETTE[6]) for colour in (FIRST, SECOND))
_PARTNERS = dict(zip((*PALETTE, WHITE, _LINK, _HOVER), (*DARK, GROUND, *DARK)))
# By the names of properties: what pages add to a theme, and what they have without one.
SITE = {"link": _LINK, "link-hover": _HOVER, **{f"colour-{n}": colour for n, colour in enumerate(PALETTE)}}
PAGE = SITE | {"ink": PALETTE[6], "soft": GREY, "line": LINE, "ground": WHITE}


def on_dark(colour):
    """The colour in place of another on dark pages; None for one neither grey, pale nor of the palette.

    Those of the palette have partners that were found as they were; greys and pale tints are turned.
    """
    if colour in _PARTNERS:
        return _PARTNERS[colour]
    hue, lightness, saturation = colorsys.rgb_to_hls(*(part / 255 for part in bytes.fromhex(colour[1:])))
    grey = saturation * min(lightness, 1 - lightness) < 0.03
    if not grey and lightness < 0.75:
        return None
    turned = _LOW + (_HIGH - _LOW) * (1 - lightness)
    parts = colorsys.hls_to_rgb(hue, turned, saturation / 2)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def variables(colours, dark=False):
    """Declarations of CSS that give each name the property with its colour.

    >>> variables({"a": FIRST, "b": SECOND}) == f"--a: {FIRST}; --b: {SECOND};"
    True
    """
    return " ".join(f"--{name}: {on_dark(colour) if dark else colour};" for name, colour in colours.items())


def schemes(colours=PAGE):
    """Rules of CSS for a page without the theme: its colours, in the scheme of who reads it."""
    light, dark = (f":root {{ {variables(colours, dark)} }}" for dark in (False, True))
    return f":root {{ color-scheme: light dark; }}\n{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"
