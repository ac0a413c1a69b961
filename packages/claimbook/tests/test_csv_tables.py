"""Tables can be read as spreadsheets write them; others are rejected by name."""

from dataclasses import replace

import pytest
from plain_book import BOOK
from samples import called

from claimbook.cli.new_chapter import with_row
from claimbook.csv_tables import read_table

COLUMNS = ("id", "page")
ROWS = [{"id": "note/a", "page": "index, or none"}]
COMMAS = 'id,page\nnote/a,"index, or none"\n'


@pytest.mark.parametrize(
    "written",
    [
        COMMAS.encode(),
        COMMAS.encode("utf-8-sig"),
        b"id;page\r\nnote/a;index, or none\r\n",
        b"page\tid\nindex, or none\tnote/a\n",
        b"id;page\n;\nnote/a;index, or none\n;\n",  # rows without a word
    ],
)
def test_a_table_of_a_spreadsheet_has_the_same_rows(tmp_path, written):
    (tmp_path / "table.csv").write_bytes(written)
    assert read_table(tmp_path / "table.csv", COLUMNS) == ROWS


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (b"id,pgae\nnote/a,b\n", "expected the columns id, page; missing: page, unknown: 'pgae'"),
        (b"id,page,id\n", "expected the columns id, page; one is given twice"),
        (b"id page\n", "missing: id, page, unknown: 'id page'"),
        (b"", "expected the columns id, page; missing: id, page"),
        (b"id;page\na;b;c\n", "a: expected as many cells as columns; put text with ';' in quotes"),
        (b"id,page\na,\xe9\n", "expected UTF-8 text (invalid continuation byte); save it as 'CSV UTF-8'"),
        ("id,page\n".encode("utf-16"), "expected UTF-8 text"),
    ],
)
def test_an_unreadable_table_is_rejected_with_its_name(tmp_path, written, message):
    (tmp_path / "table.csv").write_bytes(written)
    with pytest.raises(ValueError) as refusal:
        read_table(tmp_path / "table.csv", COLUMNS)
    assert "table.csv" in str(refusal.value) and message in str(refusal.value)


def test_a_registry_with_a_byte_order_mark_is_the_same_registry(tmp_path):
    text = (BOOK.content / "registry.csv").read_text(encoding="utf-8")
    (tmp_path / "registry.csv").write_text(text, encoding="utf-8-sig")
    assert replace(BOOK, content=tmp_path).registry == BOOK.registry


def test_a_row_is_added_in_the_form_of_the_others():
    row = {"id": "b", "page": "c; d"}
    assert with_row("\ufeffid;page\r\na;b\r\n", row) == '\ufeffid;page\r\na;b\r\nb;"c; d"\r\n'


@pytest.mark.parametrize("name", ["chapters/first.ipynb", "_toc.yml", "_config.yml"])
def test_other_files_may_have_a_byte_order_mark_too(small_book, monkeypatch, name):
    path = small_book.root / name
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    monkeypatch.chdir(small_book.root)
    done = called("list", "--names")
    assert done.returncode == 0 and done.stdout.split() == ["first", "second"]
