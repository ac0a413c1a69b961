"""The typeface of pages and figures, from the package that carries it: Source Sans Pro.

Figures are drawn with its files as they are. Pages get a subset as WOFF2, made once for a book. The licence
of the typeface reserves its name for the original, so a subset has another one.
"""

from dataclasses import replace
from functools import cache
from importlib.resources import files

from claimbook.writing import digest

FAMILY, WEB_FAMILY = "Source Sans Pro", "Book Sans"
#: Faces of the typeface, with the weight and the style that a page asks for.
FACES = {"Regular": ("400", "normal"), "It": ("400", "italic"), "Semibold": ("600 700", "normal")}
# Latin with its accents, Greek, punctuation, super- and subscripts, arrows, signs of mathematics, shapes.
_RANGES = (
    (0x20, 0x24F),
    (0x370, 0x3FF),
    (0x2000, 0x209F),
    (0x20AC, 0x20AC),
    (0x2100, 0x22FF),
    (0x25A0, 0x25FF),
)
_FEATURES = ("tnum", "sups", "subs")  # beside the usual ones
_NAMES = (1, 3, 4, 6, 16)  # records that hold the name of the family


@cache
def families():
    """The font families of a figure, of which the second fills gaps; matplotlib knows the first then."""
    from matplotlib.font_manager import fontManager

    for face in FACES:
        fontManager.addfont(_file(face))
    # Semibold is drawn where bold is asked for, as on pages; without a face of that weight matplotlib warns.
    semibold = next(font for font in fontManager.ttflist if (font.name, font.weight) == (FAMILY, 600))
    fontManager.ttflist.append(replace(semibold, weight=700))
    return [FAMILY, "DejaVu Sans"]


def web_fonts(folder):
    """Make the subsets for pages in a folder, if it has none yet; returns their style sheet's rules."""
    made_of = digest([_RANGES, _FEATURES, [(face, _file(face).stat().st_size) for face in FACES]])[:12]
    rules = []
    for face, (weight, style) in FACES.items():
        path = folder / f"{face.lower()}-{made_of}.woff2"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _write_subset(_file(face), path)
        rules.append(
            f'@font-face {{ font-family: "{WEB_FAMILY}"; src: url("fonts/{path.name}") format("woff2"); '
            f"font-weight: {weight}; font-style: {style}; font-display: swap; }}"
        )
    return "\n".join(rules)


def _file(face):
    return files("font_source_sans_pro") / "files" / f"SourceSansPro-{face}.ttf"


def _write_subset(original, path):
    from fontTools.subset import Options, Subsetter, load_font, save_font

    options = Options(flavor="woff2", hinting=False, notdef_outline=True)
    options.layout_features += _FEATURES
    unfinished = path.with_suffix(".part")
    with load_font(original, options) as font:
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=[code for first, last in _RANGES for code in range(first, last + 1)])
        subsetter.subset(font)
        for record in font["name"].names:
            if record.nameID in _NAMES:
                record.string = WEB_FAMILY
        save_font(font, unfinished, options)
    unfinished.replace(path)
