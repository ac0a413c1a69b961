"""Repositories on several hosts get the addresses and the buttons of their own host."""

import pytest
from test_needs import METADATA

from claimbook.publish.hosts import HOSTS, binder, buttons, site
from claimbook.publish.metadata import about, publication


@pytest.mark.parametrize(
    ("url", "folder", "opened"),
    [
        ("https://github.com/Ann/book", "https://ann.github.io/book/", "v2/gh/Ann/book/main"),
        ("https://gitlab.com/ann/book", "https://ann.gitlab.io/book/", "v2/gl/ann%2Fbook/main"),
        ("https://gitlab.com/a/b/book", "https://a.gitlab.io/b/book/", "v2/gl/a%2Fb%2Fbook/main"),
        (
            "https://codeberg.org/ann/book",
            "https://ann.codeberg.page/book/",
            "v2/git/https%3A%2F%2Fcodeberg.org%2Fann%2Fbook/main",
        ),
        ("https://git.example.org/ann/book", "", "v2/git/https%3A%2F%2Fgit.example.org%2Fann%2Fbook/main"),
        ("https://codeberg.org/ann/pages", "https://ann.codeberg.page/", "v2/git/"),
    ],
)
def test_each_host_has_its_own_addresses(url, folder, opened):
    assert site(url) == folder and opened in binder(url)


def test_only_github_has_colab_and_only_known_hosts_have_buttons():
    launch = {host: buttons(f"https://{host}/ann/book")[0]["launch_buttons"] for host in HOSTS}
    assert [host for host, options in launch.items() if "colab_url" in options] == ["github.com"]
    assert buttons("https://git.example.org/ann/book") == buttons("") == ({"repository_url": ""}, {})


def test_the_editor_of_codeberg_has_an_address_of_its_own():
    _, context = buttons("https://codeberg.org/ann/book", "trunk")
    assert context["edit_page_url_template"] == "https://codeberg.org/ann/book/_edit/trunk/{{ file_name }}"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pyproject.toml").write_text(METADATA, encoding="utf-8")
    (tmp_path / "README.md").write_text("<!-- badges -->\n<!-- end of badges -->\n", encoding="utf-8")
    return tmp_path


def configured(folder, url, more=""):
    repository = f"repository:\n  url: {url}\n{more}"
    (folder / "_config.yml").write_text(f"title: T\nauthor: A\ncopyright: 2024\n{repository}")
    return folder


def test_badges_are_those_of_the_host(folder):
    for host, words in {"github.com": 4, "gitlab.com": 2, "git.example.org": 1}.items():
        text = publication(configured(folder, f"https://{host}/ann/book"))["README.md"]
        assert text.count("[![") == words, host


def test_the_address_that_the_author_gives_counts_more(folder):
    more = "html:\n  baseurl: https://book.example.org/\n"
    assert about(configured(folder, "https://github.com/a/b", more))["site"] == "https://book.example.org/"
