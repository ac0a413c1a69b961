"""The printed book as a reader of the PDF sees it."""

import re

import pytest

from claimbook.publish.pdf import print_book

# Whole lines, because a sentence may contain a call, and a line of prose may begin with "return".
CODE = re.compile(
    r"^\s*(import [\w., ]+|from [\w.]+ import [\w, ]+|def \w+\(.*:|return \w+\(.*\)|>>> .*|plt\..*)$"
    r"|page\.finding\(",
    re.MULTILINE,
)
SCREEN = re.compile(r"Show all code|run it again|Click to show|\\begin|\\frac")


def entries(outline, level=0):
    """Level and entry, from top to bottom."""
    for entry in outline:
        if isinstance(entry, list):
            yield from entries(entry, level + 1)
        else:
            yield level, entry


@pytest.fixture(scope="module")
def printed(browser, build, project, tmp_path_factory):
    """The PDF, read, and its text page by page."""
    from pypdf import PdfReader

    folder = tmp_path_factory.mktemp("pdf")
    assert print_book(build / "html", project.chapters[0].file, folder / "ndcg-companion.pdf", "c0ffee") == []
    assert [path.name for path in folder.iterdir()] == ["ndcg-companion.pdf"]
    reader = PdfReader(folder / "ndcg-companion.pdf")
    return reader, [page.extract_text() for page in reader.pages]


@pytest.mark.nightly
@pytest.mark.browser
def test_the_book_prints_as_one_pdf_for_readers(printed, project):
    reader, texts = printed
    # A line that is too wide would shrink all pages: they would be fewer, with more words on each.
    words = sum(len(text.split()) for text in texts)
    assert 400 * len(texts) < words < 650 * len(texts)
    assert reader.stream.seek(0, 2) <= 23_000 * len(texts)  # bytes
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"] and reader.trailer["/Root"]["/Lang"] == "en"

    # Every page has its number, and something beside it.
    assert [
        number for number, text in enumerate(texts, 1) if number > 1 and str(number) not in text.split()
    ] == []
    assert [number for number, text in enumerate(texts, 1) if len(text) < 100] in ([], [1])

    # No code, nothing that belongs to a screen, no formula as its source.
    assert [match[0] for text in texts for match in CODE.finditer(text)] == []
    assert [match[0] for text in texts for match in SCREEN.finditer(text)] == []

    # Formulas and figures are drawn, not photographed.
    assert [number for number, page in enumerate(reader.pages, 1) if page.images] == []


@pytest.mark.nightly
@pytest.mark.browser
def test_bookmarks_contents_and_links_lead_where_they_say(printed, project):
    reader, texts = printed
    outline = list(entries(reader.outline))
    chapters = [
        (entry.title, reader.get_destination_page_number(entry)) for level, entry in outline if level == 1
    ]
    assert len({level for level, _ in outline}) >= 3
    for title, page_index in chapters:
        assert re.sub(r"\W", "", title) in re.sub(r"\W", "", texts[page_index]), title

    # The contents name each chapter's page.
    contents = "\n".join(texts[1 : chapters[1][1]])
    assert [int(number) for number in re.findall(r" (\d+)$", contents, re.MULTILINE)] == [
        page_index + 1 for title, page_index in chapters if title != "Contents"
    ]
    evidence = [title for title, _ in chapters if title.endswith(": evidence")]
    printed_pages = [page for page in project.chapters if not page.name.startswith("api-")]
    assert len(chapters) - 1 == len(printed_pages) + len(evidence) and len(evidence) > 20
    assert [entry.title for level, entry in outline if level == 0][1:] == [
        "Main line",
        "Appendix",
        "Evidence",
    ]

    # Each link leads to a place in the book or to an address.
    places = reader.named_destinations
    links = [note.get_object() for page in reader.pages for note in page.get("/Annots", [])]
    inward = [link["/Dest"] for link in links if "/Dest" in link]
    outward = [link["/A"]["/URI"] for link in links if "/A" in link]
    assert len(inward) > 1000 and {str(name).lstrip("/") for name in inward} <= {
        name.lstrip("/") for name in places
    }
    assert len(inward) + len(outward) == len(links)
    assert all(address.startswith("https://") for address in outward)
