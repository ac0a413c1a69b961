"""The box In short: what the author writes, and what is computed."""

import re

import pytest
from support import ROOT

from claimbook.evidence import slug
from claimbook.project import Project
from claimbook.sphinxext.labels import Address, addresses
from claimbook.sphinxext.summary import completed, words
from ndcg_companion.book import BOOK

TITLES = {"first": "It holds", "second": "It does not"}
ADDRESSES = {
    f"wang-theorem-8-{part}": Address("", "page", "", f"Wang et al., Theorem 8 ({part})", "")
    for part in (1, 2)
}
BOX = """:::{in-short}
:statements: wang/theorem-8-1 wang/theorem-8-2
:first: first second

*Question.* Who?

*Answer.* Nobody.
:::
"""


def box(source=BOX, prose="", **options):
    verdicts = {"wang/theorem-8-1": "consistent", "wang/theorem-8-2": "contradicted"}
    return completed(
        source, prose, BOOK.registry, ADDRESSES, verdicts, TITLES, {"first": "first.ipynb"}, **options
    )


def test_a_box_says_what_is_known_of_its_page():
    text = box(prose="word " * 700)
    opening, body, facts = re.split(r"\n\n(?=\*Question|\{\.facts)", text)
    assert opening == ":::{admonition} In short\n:class: in-short"
    assert body == "*Question.* Who?\n\n*Answer.* Nobody."
    told = re.sub("<[^>]+>", "", facts.removeprefix("{.facts}\n"))
    assert told == (
        "Wang et al., Theorem 8 (1): ● consistent · "
        "Wang et al., Theorem 8 (2): ✕ contradicted · "
        "Read first: *[It holds](first.ipynb)*, *It does not* · 4 minutes · Show all code\n:::\n"
    )
    assert '<a href="#wang-theorem-8-2">Wang' in facts
    assert 'href="ledger.html#wang-theorem-8-2"' in facts and "ledger" not in box(whole=False)


def test_names_are_brief_unless_two_would_be_the_same():
    def names(*more):
        both = [Address("", "", "", f"Wang et al., Theorem 8{name}", "") for name in more]
        addresses = dict(zip(ADDRESSES, both, strict=True))
        verdicts = dict.fromkeys(["wang/theorem-8-1", "wang/theorem-8-2"], "consistent")
        text = completed(BOX, "", BOOK.registry, addresses, verdicts, TITLES, {})
        return re.findall(r'<a href="#[^>]*>(.*?)</a>', text)

    assert names(" (1), with a density", " (2), corrected") == [
        "Wang et al., Theorem 8 (1)",
        "Wang et al., Theorem 8 (2), corrected",
    ]
    assert names(", for two grades", ", for all") == [
        "Wang et al., Theorem 8, for two grades",
        "Wang et al., Theorem 8, for all",
    ]


def test_no_two_verdicts_go_by_one_name():
    """On the pages themselves, on the first page, on the page of all statements and on the map."""
    known = addresses(Project(ROOT))
    expected = {row.id: row.expected for row in BOOK.registry.values()}
    brief = {}
    for page in {row.page for row in BOOK.registry.values()}:  # each box has the statements of its page alone
        rows = " ".join(name for name, row in BOOK.registry.items() if row.page == page)
        source = f":::{{in-short}}\n:statements: {rows}\n\nText.\n:::\n"
        text = completed(source, "", BOOK.registry, known, expected, {}, {})
        brief |= re.findall(r'<a href="#([^"]*)">(.*?)</a>', text)
    assert len(brief) == len(expected)
    surfaces = {"in short": brief, "first page": {}, "statements, map": {}}
    for row in BOOK.registry.values():
        address = known[slug(row.id)]
        surfaces["first page"][slug(row.id)] = address.name
        source = row.id.partition("/")[0]
        surfaces["statements, map"][slug(row.id)] = (source, address.name if address.ours else address.number)
    for surface, names in surfaces.items():
        verdicts = {}
        for name, verdict in expected.items():
            verdicts.setdefault(names[slug(name)], set()).add(verdict)
        assert [name for name, found in verdicts.items() if len(found) > 1] == [], surface


def test_what_is_corrected_says_so_in_its_name_and_nothing_else_does():
    known = addresses(Project(ROOT))
    for row in BOOK.registry.values():
        assert ("corrected" in known[slug(row.id)].name) == (row.reading == "corrected"), row.id


def test_a_statement_that_nothing_was_found_on_has_no_verdict():
    assert "Theorem 9" not in box(BOX.replace("wang/theorem-8-1", "wang/theorem-9"))


def test_options_may_be_left_out():
    text = box(":::{in-short}\n*Question.* Who?\n:::")
    assert re.sub("<[^>]+>", "", text).endswith("{.facts}\n1 minute · Show all code\n:::")


@pytest.mark.parametrize("word", ["wang/theorem-99", "third", ":minutes: 3"])
def test_what_is_not_known_is_refused(word):
    known = {"wang/theorem-99": "wang/theorem-8-1", "third": "second", ":minutes: 3": ":first: first second"}
    with pytest.raises(ValueError, match=f"{word.strip(':').partition(':')[0]}: not known as"):
        box(BOX.replace(known[word], word))


def test_what_is_folded_and_code_are_no_words_to_be_read():
    assert words("Two words.\n\n:::{admonition} Proof\n:class: dropdown\nMany more words.\n:::") == 2
    assert words("::::{fold} All pictures\nMany more words.\n::::\n\nOne.") == 1
    assert words("````{solution} label\n:class: dropdown\nMany more.\n````\n\nThree words here") == 3
    assert words("```{prf:theorem} A title\n:label: theorem-x\n\nIt $holds$.\n```\n\nAnd more.") == 7
    assert words("````{note}\nOne.\n\n```python\ntwo()\n```\n````\nThree.") == 2
    assert words("See [that page](its-address.ipynb) and {glue:text}`number`.") == 5


@pytest.mark.parametrize("chapter", Project(ROOT).notebooks, ids=lambda chapter: chapter.name)
def test_every_page_says_in_short_what_it_is_about(chapter):
    """A question, an answer, and of the statements that the page treats at least one."""
    if chapter.name == "index":  # whose first screen is the answer
        return
    texts = [cell.source for cell in chapter.notebook.cells[:2]]
    (block,) = [text for text in texts if text.startswith(":::{in-short}")]
    assert "*Question.* " in block and "*Answer.* " in block and 20 <= words(block) <= 220
    own = {name for name, statement in BOOK.registry.items() if statement.page == chapter.name}
    named = set((re.findall(r"^:statements: (.*)$", block, re.M) or [""])[0].split())
    assert named <= own and bool(named) == bool(own)
