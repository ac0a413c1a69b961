"""References to figures have the same text as in Sphinx, and do not load the pages of the figures."""

import pytest
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import docutils_namespace

PAGES = {
    "index": ".. toctree::\n\n   figures\n   text\n\nTitle\n=====\n",
    "figures": "Figures\n=======\n\n.. figure:: plot.svg\n   :name: a-plot\n\n   A caption\n",
    "text": "Text\n====\n\n:numref:`a-plot`, :numref:`a-plot`, :numref:`see {number} <a-plot>`\n",
}
ENGINE = """
from claimbook.sphinxext.numbering import _StandardDomain
def setup(app):
    app.add_domain(_StandardDomain, override=True)
"""


def rendered(folder, domain, form, monkeypatch):
    """Return the HTML of the page with references, and how often Sphinx loaded the page with the figure."""
    loaded_pages, load = [], BuildEnvironment.get_doctree

    def get_doctree(env, page):
        loaded_pages.append(page)
        return load(env, page)

    monkeypatch.setattr(BuildEnvironment, "get_doctree", get_doctree)
    source = folder / "source"
    source.mkdir(parents=True)
    for name, text in PAGES.items():
        (source / f"{name}.rst").write_text(text, encoding="utf-8")
    (source / "plot.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    (source / "conf.py").write_text(domain, encoding="utf-8")
    settings = {"numfig": True, "numfig_format": {"figure": form}}
    output = folder / "html"
    with docutils_namespace():
        Sphinx(source, source, output, folder / "trees", "html", settings, None, warningiserror=True).build()
    return (output / "text.html").read_text(encoding="utf-8"), loaded_pages.count("figures")


@pytest.mark.parametrize("form", ["Figure %s", "%s", "100%% %s"])
def test_a_reference_has_the_text_that_sphinx_gives_it(tmp_path, monkeypatch, form):
    page, _ = rendered(tmp_path / "engine", ENGINE, form, monkeypatch)
    page_of_sphinx, _ = rendered(tmp_path / "sphinx", "", form, monkeypatch)
    assert page == page_of_sphinx and "see 1" in page


def test_only_a_reference_with_a_text_loads_the_page_of_its_figure(tmp_path, monkeypatch):
    _, loads = rendered(tmp_path / "engine", ENGINE, "Figure %s", monkeypatch)
    _, loads_of_sphinx = rendered(tmp_path / "sphinx", "", "Figure %s", monkeypatch)
    assert loads_of_sphinx - loads == 2  # the two references without a text
