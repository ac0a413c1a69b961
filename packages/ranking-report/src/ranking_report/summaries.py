"""Short forms of a comparison, for a notebook and for a pull request."""

import re

from ndcg_companion.text import escaped, markdown
from ranking_report.gating import Gate
from ranking_report.rendering import filled, in_words
from ranking_report.wording import swapped_pair

# Words that contain @ or #, which would mention a user or link to an issue.
_MENTIONS = re.compile(r"(\S*[@#](?:\S*[^\s.,;:)])?)")


def as_notebook(comparison):
    """Return the answer and the means as HTML for a notebook, with all text escaped."""
    return filled("notebook.html", comparison, **in_words(comparison))


def as_markdown(comparison, results=()):
    """Return a summary for a pull request in the Markdown of GitHub and GitLab."""
    gates = [result.passed for result in results if isinstance(result, Gate)]
    words = in_words(comparison, results)
    return filled("summary.md", comparison, **words, md=_quoted, gates=gates, against=_against(comparison))


def _against(comparison):
    """Return the pairs of each reference system, by the name of the other system.

    The references are the baselines. Without a baseline, the second system is the reference if there are
    exactly two systems. Otherwise, there is no reference.
    """
    references, systems = comparison.baselines, comparison.leaderboard["system"].tolist()
    if not references and len(systems) == 2:
        references = systems[1:]
    pairs = comparison.pairs[comparison.pairs["measure"] == comparison.measure_names[0]].to_dict("records")
    rows = [swapped_pair(row) if row["first"] in references else row for row in pairs]
    return {name: {row["first"]: row for row in rows if row["second"] == name} for name in references}


def _quoted(text, code=False):
    """Return untrusted text as Markdown.

    If ``code`` is true, the whole text is set as code. Otherwise, each word that contains @ or # is set as
    code. Such a word then neither mentions a user nor links to an issue on GitHub and GitLab.

    >>> _quoted("a is ahead under nDCG@10")
    'a is ahead under <code>nDCG&#64;10</code>'
    """
    if code:
        return markdown(escaped(text, 100))
    parts = _MENTIONS.split(escaped(text, 5000))  # every second part is a match
    return "".join(markdown(part, code=number % 2 == 1) for number, part in enumerate(parts) if part)
