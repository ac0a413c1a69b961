"""Provide the typeface of pages and figures, Source Sans Pro, from its package.

Figures use the original font files. Pages use a subset of the typeface in the format WOFF2. The subset is
made once for a book. The licence of the typeface reserves its name for the original, so the subset has
another name.
"""

from dataclasses import replace
from functools import cache
from importlib.resources import files

from claimbook.writing import digest

FAMILY, WEB_FAMILY = "Source Sans Pro", "Book Sans"
#: The faces of the typeface, each with the weight and the style that select it on a page.
FACES = {"Regular": ("400", "normal"), "It": ("400", "italic"), "Semibold": ("600 700", "normal")}
# The first and last characters of ranges: accented Latin, Greek, punctuation with superscripts and
# subscripts, the euro, arrows and mathematical signs, and shapes.
_CODE_POINTS = (
    (0x20, 0x24F),
    (0x370, 0x3FF),
    (0x2000, 0x209F),
    (0x20AC, 0x20AC),
    (0x2100, 0x22FF),
    (0x25A0, 0x25FF),
)
_EXTRA_FEATURES = ("tnum", "sups", "subs")  # OpenType features in addition to the default ones
# OpenType's numbers of the records that contain the name of the family.
_FAMILY_RECORDS = (1, 3, 4, 6, 16)


@cache
def families():
    """Return the font families of a figure, and register the first with Matplotlib.

    The second family supplies characters that the first one lacks.
    """
    from matplotlib.font_manager import fontManager

    for face in FACES:
        fontManager.addfont(_font_file(face))
    # As on pages, bold text is set in Semibold. Without a face of the weight for bold, Matplotlib would warn.
    semibold = next(font for font in fontManager.ttflist if font.name == FAMILY and font.weight == 600)
    fontManager.ttflist.append(replace(semibold, weight=700))
    return [FAMILY, "DejaVu Sans"]


def web_fonts(folder):
    """Return CSS rules for the fonts of pages, and make their files if needed.

    The files are subsets of the typeface and are written into ``folder``.
    """
    sizes = [(face, _font_file(face).stat().st_size) for face in FACES]
    version = digest([_CODE_POINTS, _EXTRA_FEATURES, sizes])[:12]
    rules = []
    for face, (weight, style) in FACES.items():
        path = folder / f"{face.lower()}-{version}.woff2"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _write_subset(_font_file(face), path)
        rules.append(
            f'@font-face {{ font-family: "{WEB_FAMILY}"; src: url("fonts/{path.name}") format("woff2"); '
            f"font-weight: {weight}; font-style: {style}; font-display: swap; }}"
        )
    return "\n".join(rules)


def _font_file(face):
    """Return the original file of a face of the typeface."""
    return files("font_source_sans_pro") / "files" / f"SourceSansPro-{face}.ttf"


def _write_subset(original, path):
    """Write the characters of `_CODE_POINTS` in a font as WOFF2, under the name of the web font."""
    from fontTools.subset import Options, Subsetter, load_font, save_font

    options = Options(flavor="woff2", hinting=False, notdef_outline=True)
    options.layout_features += _EXTRA_FEATURES
    unfinished = path.with_suffix(".part")
    with load_font(original, options) as font:
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=[code for first, last in _CODE_POINTS for code in range(first, last + 1)])
        subsetter.subset(font)
        for record in font["name"].names:
            if record.nameID in _FAMILY_RECORDS:
                record.string = WEB_FAMILY
        save_font(font, unfinished, options)
    unfinished.replace(path)
