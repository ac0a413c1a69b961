"""The colours of a book, once: of its figures, and of what stands beside them on light and on dark pages."""

# Blue, orange, green, purple, brown, indigo, black: found by a search for the largest distance between any
# two as seen with and without red-green blindness, all of them dark enough on white for a word.
PALETTE = ("#1a66d6", "#b45300", "#1f8070", "#961388", "#634921", "#3a10c8", "#000000")
# What stands for each on a dark page, found likewise.
DARK = ("#67c9f2", "#ea801f", "#4dc28c", "#e153a7", "#dad074", "#8088f2", "#e8eaed")
GREY = "#5f6368"
GROUND = "#121212"  # of the theme's dark pages
# What a colour means on every page: blue is the better or the first, orange the worse or the second.
FIRST, SECOND = PALETTE[:2]


def variables(first, second, dark=False):
    """Declarations of CSS that give `FIRST` and `SECOND` the names of two properties.

    >>> variables("--a", "--b") == f"--a: {FIRST}; --b: {SECOND};"
    True
    """
    colours = DARK if dark else PALETTE
    return f"{first}: {colours[0]}; {second}: {colours[1]};"
