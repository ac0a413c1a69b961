"""The printed edition."""

import re

import pytest

from ndcg_companion.press.pdf import print_book


@pytest.mark.nightly
@pytest.mark.browser
def test_the_book_prints_as_one_pdf_with_figures_and_page_numbers(browser, build, project, tmp_path):
    output = tmp_path / "companion.pdf"
    assert print_book(project, build / "executed", output) == []
    content = output.read_bytes()
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) > 30
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("pdf-")] == []
