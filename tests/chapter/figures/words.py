"""The words of each drawing: its sentence, and what is written in it, as recorded in ``words.json``.

Run this file to record them anew, and read the difference: a reader who does not see the figure has no more.
"""

import json
import sys
from pathlib import Path

PATH = Path(__file__).with_suffix(".json")
RECORDED = json.loads(PATH.read_text(encoding="utf-8"))


def words_of(figure):
    """The sentence of a figure, then the words that are written in each of its axes, but for the ticks."""
    written = [
        text
        for axes in figure.axes
        for text in (
            axes.get_title(loc="left"),
            axes.get_xlabel(),
            axes.get_ylabel(),
            *map(str, labels(axes)),
        )
        if text.strip()
    ]
    return [figure.alt, *written]


def labels(axes):
    """The texts that were put into axes, without the numbers on contours, which Matplotlib places."""
    on_contours = {text for shape in axes.collections for text in getattr(shape, "labelTexts", ())}
    return [text.get_text() for text in axes.texts if text not in on_contours]


def record():
    from chapter.figures.drawn import drawn
    from chapter.figures.examples import EXAMPLES

    words = {
        name: [words_of(drawn(name, index)) for index in range(len(calls))]
        for name, calls in sorted(EXAMPLES.items())
    }
    PATH.write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    tests = Path(__file__).parents[2]
    sys.path[:0] = [str(tests), str(tests.parent / "packages" / "claimbook" / "tests")]
    record()
