"""The light and dark colours of a report's page, chosen for colour-blind readers."""

FIRST, SECOND = "#1a66d6", "#b45300"  # the system ahead, and the system behind
LIGHT = {
    "ahead": FIRST,
    "behind": SECOND,
    "ink": "#000000",
    "soft": "#5f6368",
    "line": "#e4e6e8",
    "ground": "#ffffff",
}
DARK = {
    "ahead": "#67c9f2",
    "behind": "#ea801f",
    "ink": "#e8eaed",
    "soft": "#97999b",
    "line": "#2c2e30",
    "ground": "#121212",
}


def schemes():
    """Return CSS that defines the named colours for light and dark displays."""
    light, dark = (
        ":root { " + " ".join(f"--{name}: {colour};" for name, colour in colours.items()) + " }"
        for colours in (LIGHT, DARK)
    )
    return f":root {{ color-scheme: light dark; }}\n{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"
