"""Metadata of the project: how to cite it, and its addresses, once it has a repository.

All of it is made of ``pyproject.toml`` and of the repository's address in ``_config.yml``:
``python -m claimbook.publish.metadata`` (make metadata) writes the files and the marked lines anew, and
the figure of the README as well if the book at the profile 'book' stands.
"""

import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from claimbook.project import Project, read_notebook, read_yaml
from claimbook.templates import filled

_MARKED = re.compile(
    r"(?P<begin>(?:<!--|#) (?P<mark>badges|addresses)[^\n]*\n).*?(?P<end>(?:<!--|#) end of (?P=mark))",
    re.DOTALL,
)


def address(root: Path) -> str:
    """The repository's address in ``_config.yml``, or nothing while it has none.

    Raises
    ------
    ValueError
        If it is not ``https://HOST/OWNER/NAME``, which is what launch, edit and issue buttons are made of.
    """
    url = read_yaml(root / "_config.yml").get("repository", {}).get("url") or ""
    if url and not re.fullmatch(r"https://[\w.-]+/[\w.-]+/[\w.-]+(?<!\.git)", url):
        wanted = "https://HOST/OWNER/NAME, without a slash or .git at its end, or nothing"
        raise ValueError(f"_config.yml: repository.url={url!r}: expected {wanted}")
    return url


def site(url: str) -> str:
    """The address at which Pages shows the site of a repository.

    >>> site("https://github.com/somebody/my-book")
    'https://somebody.github.io/my-book/'
    """
    _, owner, name = urlsplit(url).path.split("/")
    return f"https://{owner}.github.io/{name}/"


def about(root: Path) -> dict:
    """The project's metadata for templates: name, description, and its addresses, if it has any."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    title, url = f"{read_yaml(root / '_config.yml')['title']} {project['description']}", address(root)
    places = {"url": url, "site": url and site(url), "path": urlsplit(url).path.strip("/")}
    description = f"{title}. An executable book and the package that it runs on."
    return {"project": project, "title": title, "description": description, **places}


def where_markdown(root: Path) -> str:
    """The addresses of the sources, and of ways to open them, as Markdown; or a note that there are none."""
    return filled("fragments/where.md", **about(root))


def cite_markdown(root: Path) -> str:
    """The citation of the book as a whole: an entry for BibTeX."""
    year = str(read_yaml(root / "_config.yml")["copyright"])
    return filled("fragments/cite-book.md", year=year, **about(root))


def publication(root: Path) -> dict[str, str]:
    """The text of each file that says how to cite the project or where it lives, by the file's name."""
    facts = about(root)
    citation = yaml.safe_load(filled("fragments/CITATION.cff", **facts))
    marked = {name: (root / name).read_text(encoding="utf-8") for name in ("README.md", "pyproject.toml")}
    return {
        "CITATION.cff": yaml.safe_dump(citation, sort_keys=False, allow_unicode=True, width=1000),
        **{name: _with_addresses(text, facts) for name, text in marked.items()},
    }


def first_figure(notebook: Path) -> str:
    """The first picture of an executed notebook, as SVG.

    Raises
    ------
    ValueError
        If the notebook is not there, or shows none.
    """
    for cell in read_notebook(notebook).cells:
        for output in cell.get("outputs", []):
            if "image/svg+xml" in output.get("data", {}):
                return output["data"]["image/svg+xml"]
    raise ValueError(f"{notebook}: expected a figure")


def _with_addresses(text, facts):
    """A text with what is between its marks made anew: badges, or the addresses of pages."""
    made = lambda mark: filled(f"fragments/{mark}.txt", **facts) if facts["url"] else ""
    return _MARKED.sub(lambda found: f"{found['begin']}{made(found['mark'])}{found['end']}", text)


if __name__ == "__main__":
    project = Project.find()
    folder = project.root
    for name, text in publication(folder).items():
        (folder / name).write_text(text, encoding="utf-8")
    executed = folder / "_build" / "book" / "executed" / f"{project.chapters[0].name}.ipynb"
    if executed.exists():
        (folder / ".github" / "opening-figure.svg").write_text(first_figure(executed), encoding="utf-8")
