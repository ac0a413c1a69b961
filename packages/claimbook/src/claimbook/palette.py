"""Define the colours of a book's figures and pages, for light and dark displays."""

import colorsys

# Blue, orange, green, purple, brown, indigo and black. A search chose them for the largest distance between
# any two, as seen with and without red-green blindness, among colours dark enough for text on white.
PALETTE = ("#1a66d6", "#b45300", "#1f8070", "#961388", "#634921", "#3a10c8", "#000000")
# The colours that replace them on dark pages, found in the same way.
DARK = ("#67c9f2", "#ea801f", "#4dc28c", "#e153a7", "#dad074", "#8088f2", "#e8eaed")
GREY = "#5f6368"
LINE = "#e4e6e8"  # for the lines of grids and tables
WHITE = "#ffffff"
GROUND = "#121212"  # the background of the theme's dark pages
# On every page, blue is the better or the first of two things that are compared, and orange the worse or the
# second. Nothing else is blue or orange. All other lines take the other colours in order.
FIRST, SECOND = PALETTE[:2]
OTHERS = (*PALETTE[2:], GREY)
_LOW, _HIGH = 0.10, 0.92  # the lightness of dark pages and of the text on them


def mixed(colour, share, ground=WHITE):
    """Return the mixture of a colour with a background, such as a pale fill on white.

    >>> mixed(FIRST, 0.0), mixed(FIRST, 0.2), mixed(FIRST, 1.0) == FIRST
    ('#ffffff', '#d1e0f7', True)
    """
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:]))
    return "#" + bytes(round(share * own + (1.0 - share) * under) for own, under in pairs).hex()


# These are a little darker than the first two colours, because links also appear on coloured boxes.
_LINK, _HOVER = (mixed(colour, 0.9, PALETTE[6]) for colour in (FIRST, SECOND))
_PARTNERS = dict(zip((*PALETTE, WHITE, _LINK, _HOVER), (*DARK, GROUND, *DARK)))
# Colours by the name of their CSS property: those added to a theme, and those of pages without a theme.
SITE = {"link": _LINK, "link-hover": _HOVER, **{f"colour-{n}": colour for n, colour in enumerate(PALETTE)}}
PAGE = SITE | {"ink": PALETTE[6], "soft": GREY, "line": LINE, "ground": WHITE}


def on_dark(colour):
    """Return the colour that replaces another on dark pages, or None.

    Colours of the palette are replaced by those of `DARK`, and greys and pale tints by their inversions.
    There is no replacement for other colours.
    """
    if colour in _PARTNERS:
        return _PARTNERS[colour]
    hue, lightness, saturation = colorsys.rgb_to_hls(*(part / 255 for part in bytes.fromhex(colour[1:])))
    # Half the difference between the largest and the smallest of red, green and blue; 0 for an exact grey.
    half_chroma = saturation * min(lightness, 1 - lightness)
    is_grey, is_pale = half_chroma < 0.03, lightness >= 0.75
    if not is_grey and not is_pale:
        return None
    inverted_lightness = _LOW + (_HIGH - _LOW) * (1 - lightness)
    rgb_parts = colorsys.hls_to_rgb(hue, inverted_lightness, saturation / 2)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb_parts)


def variables(colours, dark=False):
    """Return CSS declarations that define a property for each named colour.

    >>> variables({"a": FIRST, "b": SECOND}) == f"--a: {FIRST}; --b: {SECOND};"
    True
    """
    return " ".join(f"--{name}: {on_dark(colour) if dark else colour};" for name, colour in colours.items())


def schemes(colours=PAGE):
    """Return CSS rules with the light and dark colours of a page without a theme."""
    light, dark = (f":root {{ {variables(colours, dark)} }}" for dark in (False, True))
    return f":root {{ color-scheme: light dark; }}\n{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"
