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
_DARKEST, _LIGHTEST = 0.10, 0.92  # the lightness of dark pages and of the text on them


def mixed(colour, share, ground=WHITE):
    """Return the mixture of a colour with a background, such as a pale fill on white.

    >>> mixed(FIRST, 0.0), mixed(FIRST, 0.2), mixed(FIRST, 1.0) == FIRST
    ('#ffffff', '#d1e0f7', True)
    """
    rgb, ground_rgb = bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:])
    return (
        "#"
        + bytes(
            round(share * channel + (1.0 - share) * ground_channel)
            for channel, ground_channel in zip(rgb, ground_rgb)
        ).hex()
    )


# These are a little darker than the first two colours, because links also appear on coloured boxes.
_LINK, _HOVER = (mixed(colour, 0.9, PALETTE[6]) for colour in (FIRST, SECOND))
# The colour on dark pages for each of the palette, the ground and links.
_DARK_PARTNERS = dict(zip((*PALETTE, WHITE, _LINK, _HOVER), (*DARK, GROUND, *DARK[:2])))
# Colours by the name of their CSS property: those added to a theme, and those of pages without a theme.
SITE = {"link": _LINK, "link-hover": _HOVER, **{f"colour-{n}": colour for n, colour in enumerate(PALETTE)}}
PAGE = SITE | {"ink": PALETTE[6], "soft": GREY, "line": LINE, "ground": WHITE}


def on_dark(colour):
    """Return the colour that replaces another on dark pages, or None.

    Colours of the palette are replaced by those of `DARK`, and greys and pale tints by their inversions with
    half the saturation. There is no replacement for other colours.
    """
    if colour in _DARK_PARTNERS:
        return _DARK_PARTNERS[colour]
    red, green, blue = (channel / 255 for channel in bytes.fromhex(colour[1:]))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    # Half the difference between the largest and the smallest of red, green and blue; 0 for an exact grey.
    half_chroma = saturation * min(lightness, 1 - lightness)
    is_grey, is_pale = half_chroma < 0.03, lightness >= 0.75
    if not is_grey and not is_pale:
        return None
    inverted_lightness = _DARKEST + (_LIGHTEST - _DARKEST) * (1 - lightness)
    rgb = colorsys.hls_to_rgb(hue, inverted_lightness, saturation / 2)
    return "#" + bytes(round(255 * channel) for channel in rgb).hex()


def variables(colours, dark=False):
    """Return CSS declarations that define a property for each named colour.

    >>> variables({"a": FIRST, "b": SECOND}) == f"--a: {FIRST}; --b: {SECOND};"
    True
    """
    return " ".join(f"--{name}: {on_dark(colour) if dark else colour};" for name, colour in colours.items())


def schemes(colours=PAGE):
    """Return CSS rules with the light and dark colours of a page without a theme."""
    light, dark = (f":root {{ {variables(colours, is_dark)} }}" for is_dark in (False, True))
    return f":root {{ color-scheme: light dark; }}\n{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"
