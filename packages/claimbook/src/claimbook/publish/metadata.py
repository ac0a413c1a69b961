"""Write metadata of the project: its citation, and its addresses if it has any.

All metadata come from ``pyproject.toml`` and from the repository's address in ``_config.yml``. The command
``python -m claimbook.publish.metadata`` (make metadata) rewrites the files and the marked lines. If the book
has been built at the profile 'book', the command also writes the figure of the README.
"""

import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from claimbook.project import Project, read_notebook
from claimbook.publish.hosts import HOSTS, binder, site
from claimbook.templates import filled
from claimbook.yaml_files import read_yaml

FIELDS = ("name", "version", "description", "license", "authors")  # of pyproject.toml
SETTINGS = ("title", "author", "copyright")  # of _config.yml
_GITHUB = "https://github.com/"
# The lines between a comment such as "<!-- badges ... -->" and "<!-- end of badges -->".
_MARKED_ADDRESSES = re.compile(
    r"(?P<begin>(?:<!--|#) (?P<mark>badges|addresses)[^\n]*\n).*?(?P<end>(?:<!--|#) end of (?P=mark))",
    re.DOTALL,
)


def address(root: Path) -> str:
    """Return the repository's address in ``_config.yml``, or an empty text.

    Raises
    ------
    ValueError
        If the address does not have the form ``https://HOST/OWNER/NAME``, which the launch, edit and issue
        buttons need.
    """
    url = read_yaml(root / "_config.yml").get("repository", {}).get("url") or ""
    if url and not re.fullmatch(r"https://[\w.-]+(/[\w.-]+){2,}(?<!\.git)", url):
        expectation = "https://HOST/OWNER/NAME, without a slash or .git at its end, or nothing"
        raise ValueError(f"_config.yml: repository.url={url!r}: expected {expectation}")
    return url


def missing(root: Path) -> str:
    """Return a line that names missing `FIELDS` and `SETTINGS`, or an empty text."""
    project, settings = _project_table(root), read_yaml(root / "_config.yml")
    missing_fields = [name for name in FIELDS if not project.get(name)]
    if "license" not in missing_fields and not isinstance(project["license"], str):
        missing_fields.append("license (a name of SPDX as text)")
    if "authors" not in missing_fields and not all(author.get("name") for author in project["authors"]):
        missing_fields.append("authors (each with a name)")
    missing_settings = [name for name in SETTINGS if not settings.get(name)]
    problems = []
    if missing_fields:
        problems.append(f"pyproject.toml: expected {', '.join(missing_fields)} below [project]")
    if missing_settings:
        problems.append(f"_config.yml: expected {', '.join(missing_settings)}")
    return "; ".join(problems)


def _project_table(root):
    """Return the table ``[project]`` of pyproject.toml, or an empty table."""
    path = root / "pyproject.toml"
    try:
        text = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
        return tomllib.loads(text).get("project", {})
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def about(root: Path) -> dict:
    """Return the project's metadata for templates: name, description and addresses.

    Raises
    ------
    ValueError
        If a required field is missing.
    """
    if missing_fields := missing(root):
        raise ValueError(missing_fields)
    project, settings, url = _project_table(root), read_yaml(root / "_config.yml"), address(root)
    title = f"{settings['title']} {project['description']}"
    branch = (settings.get("repository") or {}).get("branch") or "main"
    base_url = (settings.get("html") or {}).get("baseurl")
    defaults = {"keywords": [], "requires-python": ">=3.11"}
    return {
        "project": defaults | project,
        "title": title,
        "description": f"{title}. An executable book and the package that it runs on.",
        "url": url,
        "path": urlsplit(url).path.strip("/"),
        "is_github": url.startswith(_GITHUB),
        "has_buttons": urlsplit(url).netloc in HOSTS,
        "site": (base_url or site(url)) if url else "",
        "binder": binder(url, branch) if url else "",
    }


def where_markdown(root: Path) -> str:
    """Return the addresses of the sources as Markdown, or a note that there are none."""
    return filled("fragments/where.md", **about(root))


def cite_markdown(root: Path) -> str:
    """Return the citation of the book as Markdown, with an entry for BibTeX."""
    year = str(read_yaml(root / "_config.yml")["copyright"])
    return filled("fragments/cite-book.md", year=year, **about(root))


def publication(root: Path) -> dict[str, str]:
    """Return, by file name, the text of each file with a citation or an address."""
    facts = about(root)
    citation = yaml.safe_load(filled("fragments/CITATION.cff", **facts))
    texts = {name: (root / name).read_text(encoding="utf-8") for name in ("README.md", "pyproject.toml")}
    return {
        "CITATION.cff": yaml.safe_dump(citation, sort_keys=False, allow_unicode=True, width=1000),
        **{name: _with_addresses(text, facts) for name, text in texts.items()},
    }


def first_figure(notebook: Path) -> str:
    """Return the first figure of an executed notebook as SVG.

    Raises
    ------
    ValueError
        If the notebook does not exist or shows no SVG figure.
    """
    for cell in read_notebook(notebook).cells:
        for output in cell.get("outputs", []):
            if "image/svg+xml" in output.get("data", {}):
                return output["data"]["image/svg+xml"]
    raise ValueError(f"{notebook}: expected a figure")


def _with_addresses(text, facts):
    """Return a text with its marked badges and addresses replaced by new ones."""
    new_lines = lambda mark: filled(f"fragments/{mark}.txt", **facts) if facts["url"] else ""
    return _MARKED_ADDRESSES.sub(lambda match: match["begin"] + new_lines(match["mark"]) + match["end"], text)


if __name__ == "__main__":
    project = Project.find()
    folder = project.root
    for name, text in publication(folder).items():
        (folder / name).write_text(text, encoding="utf-8")
    executed = folder / "_build" / "book" / "executed" / f"{project.chapters[0].name}.ipynb"
    if executed.exists():
        (folder / ".github" / "opening-figure.svg").write_text(first_figure(executed), encoding="utf-8")
