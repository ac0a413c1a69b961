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
from claimbook.publish.hosts import HOSTS, binder, site
from claimbook.templates import filled

FIELDS = ("name", "version", "description", "license", "authors")  # of pyproject.toml
SETTINGS = ("title", "author", "copyright")  # of _config.yml
_GITHUB = "https://github.com/"
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
    if url and not re.fullmatch(r"https://[\w.-]+(/[\w.-]+){2,}(?<!\.git)", url):
        wanted = "https://HOST/OWNER/NAME, without a slash or .git at its end, or nothing"
        raise ValueError(f"_config.yml: repository.url={url!r}: expected {wanted}")
    return url


def missing(root: Path) -> str:
    """What the metadata lack of `FIELDS` and `SETTINGS`, in one line; empty if it is all there."""
    project, settings = _project(root), read_yaml(root / "_config.yml")
    lacking = [name for name in FIELDS if not project.get(name)]
    if "license" not in lacking and not isinstance(project["license"], str):
        lacking.append("license (a name of SPDX as text)")
    if "authors" not in lacking and not all(author.get("name") for author in project["authors"]):
        lacking.append("authors (each with a name)")
    lines = [f"pyproject.toml: expected {', '.join(lacking)} below [project]"] if lacking else []
    lacking = [name for name in SETTINGS if not settings.get(name)]
    lines += [f"_config.yml: expected {', '.join(lacking)}"] if lacking else []
    return "; ".join(lines)


def _project(root):
    """The table ``[project]`` of pyproject.toml; empty without one."""
    path = root / "pyproject.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig") if path.is_file() else "").get(
            "project", {}
        )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def about(root: Path) -> dict:
    """The project's metadata for templates: name, description, and its addresses, if it has any.

    Raises
    ------
    ValueError
        If some of it is `missing`.
    """
    if lacking := missing(root):
        raise ValueError(lacking)
    project, settings, url = _project(root), read_yaml(root / "_config.yml"), address(root)
    title = f"{settings['title']} {project['description']}"
    branch = (settings.get("repository") or {}).get("branch") or "main"
    places = {"url": url, "path": urlsplit(url).path.strip("/"), "is_github": url.startswith(_GITHUB)}
    places |= {"site": "", "binder": "", "has_buttons": bool(url) and urlsplit(url).netloc in HOSTS}
    if url:
        own = (settings.get("html") or {}).get("baseurl")
        places |= {"site": own or site(url), "binder": binder(url, branch)}
    description = f"{title}. An executable book and the package that it runs on."
    defaults = {"keywords": [], "requires-python": ">=3.11"}
    return {"project": defaults | project, "title": title, "description": description, **places}


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
