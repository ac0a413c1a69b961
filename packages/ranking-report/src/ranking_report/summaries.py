"""A comparison in short: where it is looked at in a notebook, and as a comment on a pull request."""

import re

from ndcg_companion.text import escaped, markdown
from ranking_report.gating import Gate
from ranking_report.rendering import filled, in_words
from ranking_report.wording import turned

_CALLS = re.compile(r"(\S*[@#](?:\S*[^\s.,;:)])?)")


def as_notebook(comparison):
    """What a notebook shows of a comparison: the answer and the means, all untrusted text escaped."""
    return filled("notebook.html", comparison, **in_words(comparison))


def as_markdown(comparison, results=()):
    """The summary for a pull request, in the Markdown of GitHub and GitLab."""
    gates = [result.passed for result in results if isinstance(result, Gate)]
    words = in_words(comparison, results)
    return filled("summary.md", comparison, **words, md=_quoted, gates=gates, against=_against(comparison))


def _against(comparison):
    """By system that all are compared with, the pair of each other one with it by name.

    These are the baselines, or of two systems the second; of more there are none.
    """
    board = comparison.leaderboard["system"]
    others = comparison.baselines or board[1:] if len(board) == 2 else comparison.baselines
    pairs = comparison.pairs[comparison.pairs["measure"] == comparison.measure_names[0]].to_dict("records")
    rows = [turned(row) if row["first"] in [*others] else row for row in pairs]
    return {other: {row["first"]: row for row in rows if row["second"] == other} for other in others}


def _quoted(text, code=False):
    """Untrusted text in Markdown. With ``code`` all of it is set as code, else each word with @ or #.

    Set as code, such a word mentions no user and links to no issue on GitHub and GitLab.

    >>> _quoted("a is ahead under nDCG@10")
    'a is ahead under <code>nDCG&#64;10</code>'
    """
    if code:
        return markdown(escaped(text, 100))
    parts = _CALLS.split(escaped(text, 5000))
    return "".join(markdown(part, code=number % 2 == 1) for number, part in enumerate(parts) if part)
