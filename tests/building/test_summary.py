"""The box *In short*, with the text of the author and the computed parts."""

import re

from support import PROJECT

from claimbook.evidence import slug
from claimbook.sphinxext.labels import Address, addresses
from claimbook.sphinxext.summary import brief_names, words
from ndcg_book import BOOK


def test_names_are_brief_unless_two_would_be_the_same():
    def names(*more):
        both = {name: Address("", "", "", f"Wang et al., Theorem 8{name}", "") for name in more}
        return [*brief_names(both).values()]

    assert names(" (1), with a density", " (2), corrected") == [
        "Wang et al., Theorem 8 (1)",
        "Wang et al., Theorem 8 (2), corrected",
    ]
    assert names(", for two grades", ", for all") == [
        "Wang et al., Theorem 8, for two grades",
        "Wang et al., Theorem 8, for all",
    ]


def test_no_two_verdicts_go_by_one_name():
    """Names differ on the pages, on the first page, on the page of all statements and on the map."""
    address_of = addresses(PROJECT)
    expected = {row.id: row.expected for row in BOOK.registry.values()}
    brief = brief_names(address_of)
    surfaces = {"in short": brief, "first page": {}, "statements, map": {}}
    for row in BOOK.registry.values():
        address = address_of[slug(row.id)]
        surfaces["first page"][slug(row.id)] = address.name
        source = row.id.partition("/")[0]
        surfaces["statements, map"][slug(row.id)] = (source, address.name if address.ours else address.number)
    for surface, names in surfaces.items():
        verdicts = {}
        for name, verdict in expected.items():
            verdicts.setdefault(names[slug(name)], set()).add(verdict)
        assert [name for name, verdicts_of_name in verdicts.items() if len(verdicts_of_name) > 1] == [], (
            surface
        )


def test_what_is_corrected_says_so_in_its_name_and_nothing_else_does():
    address_of = addresses(PROJECT)
    for row in BOOK.registry.values():
        assert ("corrected" in address_of[slug(row.id)].name) == (row.reading == "corrected"), row.id


def test_what_is_folded_and_code_are_no_words_to_be_read():
    assert words("Two words.\n\n:::{dropdown} Proof\nMany more words.\n:::") == 2
    assert words("::::{dropdown} All pictures\nMany more words.\n::::\n\nOne.") == 1
    assert words("````{solution} label\n:class: dropdown\nMany more.\n````\n\nThree words here") == 3
    assert words("```{prf:theorem} A title\n:label: theorem-x\n\nIt $holds$.\n```\n\nAnd more.") == 7
    assert words("````{note}\nOne.\n\n```python\ntwo()\n```\n````\nThree.") == 2
    assert words("Two words.\n\n## Evidence\n\nMany more.\n\n## What next\n\nTwo more.") == 6
    assert words("With $x>0$.", words_per_formula=5) == 6
    assert words("See [that page](its-address.ipynb) and {glue:text}`number`.") == 5


def test_every_page_says_in_short_what_it_is_about():
    """The box has a question, an answer, and at least one of the statements that the page treats."""
    for chapter in PROJECT.notebooks:
        if chapter.name == "index":  # whose first screen is the answer
            continue
        texts = [cell.source for cell in chapter.notebook.cells[:2]]
        (block,) = [text for text in texts if text.startswith(":::{in-short}")]
        assert "*Question.* " in block and "*Answer.* " in block, chapter.name
        assert 20 <= words(block) <= 220, chapter.name
        treated = {name for name, statement in BOOK.registry.items() if statement.page == chapter.name}
        named = set((re.findall(r"^:statements: (.*)$", block, re.M) or [""])[0].split())
        # A story may name statements whose boxes and checks are on a page of the appendix.
        assert named <= set(BOOK.registry) and bool(named & treated) == bool(treated), chapter.name
