"""Draw ``picture.svg``, the picture in the README, from the page of the example."""

import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory

from ranking_report import compare
from ranking_report.colours import LIGHT
from ranking_report.commands.example import example_files
from ranking_report.drawings import leaders, matrix
from ranking_report.rendering import filled

_STYLE = """
text {{ font: 12px sans-serif; fill: {ink}; }} .head {{ font-size: 16px; font-weight: bold; }}
.grid {{ stroke: {line}; }} .bar {{ stroke: {ahead}; stroke-width: 2; }} .dot, .ahead {{ fill: {ahead}; }}
.behind {{ fill: {behind}; }} .same {{ fill: {soft}; }}
"""


def picture() -> str:
    """Return the verdict, the means with intervals and all differences as one SVG."""
    with TemporaryDirectory() as folder:
        for name, text in example_files().items():
            Path(folder, name).write_text(text, encoding="utf-8")
        comparison = compare(Path(folder, "qrels.txt"), folder)
    board = comparison.leaderboard.to_dict("records")
    figures = {
        "leaders.svg": ({"leaders": leaders(board)}, 'x="0" y="80" width="470" height="112"'),
        "matrix.svg": ({"matrix": matrix(comparison, board)}, 'x="470" y="50" width="230" height="142"'),
    }
    parts = [
        filled(name, comparison, **values).replace("<svg ", f"<svg {position} ", 1)
        for name, (values, position) in figures.items()
    ]
    verdict = textwrap.wrap(comparison.answer.partition("\n\n")[0].replace("\n", " "), 100)
    lines = [f'<text x="14" y="{46 + 18 * row}">{line}</text>' for row, line in enumerate(verdict)]
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 205" width="720" height="205">',
            f"<style>{_STYLE.format(**LIGHT)}</style>",
            f'<rect width="720" height="205" fill="{LIGHT["ground"]}"/>',
            '<text class="head" x="14" y="24">Which of 3 systems is better?</text>',
            *lines,
            *parts,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    Path(__file__).with_name("picture.svg").write_text(picture(), encoding="utf-8")
