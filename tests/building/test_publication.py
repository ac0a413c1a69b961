"""The citation and the addresses of the project, which have one source that all files repeat."""

import re
import shutil
import tomllib

import pytest
import yaml
from support import ROOT

from claimbook.publish.metadata import address, cite_markdown, publication, site, where_markdown

SOMEWHERE = "https://github.com/somebody/ndcg-companion"
FILES = ("pyproject.toml", "_config.yml", "README.md")


@pytest.fixture
def copy(tmp_path):
    """The files that the others are made of, in a folder of their own, and how to give them an address."""
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)

    def with_address(url):
        text = (ROOT / "_config.yml").read_text(encoding="utf-8")
        assert text.count('  url: ""') == 1
        (tmp_path / "_config.yml").write_text(text.replace('  url: ""', f'  url: "{url}"'), encoding="utf-8")
        return tmp_path

    return with_address


@pytest.mark.parametrize("name", ["CITATION.cff", "README.md", "pyproject.toml"])
def test_what_is_published_says_what_its_source_says(name):
    """If this fails: 'make metadata'."""
    assert (ROOT / name).read_text(encoding="utf-8") == publication(ROOT)[name]


def test_without_an_address_nothing_leads_anywhere():
    assert address(ROOT) == "" and "https" not in publication(ROOT)["CITATION.cff"]
    assert "[project.urls]" not in publication(ROOT)["pyproject.toml"]
    assert "badge" not in publication(ROOT)["README.md"].partition("end of badges")[2]


def test_with_an_address_all_files_have_it(copy):
    texts = publication(copy(SOMEWHERE))
    assert yaml.safe_load(texts["CITATION.cff"])["repository-code"] == SOMEWHERE
    assert yaml.safe_load(texts["CITATION.cff"])["url"] == site(SOMEWHERE)
    assert tomllib.loads(texts["pyproject.toml"])["project"]["urls"]["Source"] == SOMEWHERE
    assert f"[![tests]({SOMEWHERE}/actions/workflows/tests.yml/badge.svg)]" in texts["README.md"]


def test_the_page_on_getting_the_book_has_the_address_or_says_that_there_is_none(copy):
    text = where_markdown(copy(SOMEWHERE))
    path = SOMEWHERE.partition("//")[2].partition("/")[2]
    assert f"git clone {SOMEWHERE}" in text and f"https://mybinder.org/v2/gh/{path}/main" in text
    assert "without the address" in where_markdown(ROOT) and "http" not in where_markdown(ROOT)


def test_the_book_is_cited_with_its_title_version_and_licence():
    citation, entry = yaml.safe_load(publication(ROOT)["CITATION.cff"]), cite_markdown(ROOT)
    fields = dict(re.findall(r"^  (\w+) += \{+(.*?)\}+,$", entry, re.M))
    assert entry.startswith("```bibtex\n@software{") and "url" not in fields
    for name in ("title", "version", "license"):
        assert fields[name] == citation[name]
    assert fields["year"].isdigit() and fields["author"] == citation["authors"][0]["name"]


def test_an_address_comes_and_goes(copy):
    folder = copy(SOMEWHERE)
    for name, text in publication(folder).items():
        (folder / name).write_text(text, encoding="utf-8")
    assert publication(folder)["README.md"] == (folder / "README.md").read_text(encoding="utf-8")
    assert publication(copy(""))["README.md"] == (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "url", [f"{SOMEWHERE}/", f"{SOMEWHERE}.git", "git@github.com:a/b", "https://github.com/a"]
)
def test_an_address_of_another_form_is_rejected(copy, url):
    with pytest.raises(ValueError, match="repository.url=.*: expected https://HOST/OWNER/NAME"):
        publication(copy(url))
