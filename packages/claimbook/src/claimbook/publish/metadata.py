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
_MARKED = re.compile(
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
    project, settings = _project(root), read_yaml(root / "_config.yml")
    missing_names = [name for name in FIELDS if not project.get(name)]
    if "license" not in missing_names and not isinstance(project["license"], str):
        missing_names.append("license (a name of SPDX as text)")
    if "authors" not in missing_names and not all(author.get("name") for author in project["authors"]):
        missing_names.append("authors (each with a name)")
    problems = (
        [f"pyproject.toml: expected {', '.join(missing_names)} below [project]"] if missing_names else []
    )
    missing_names = [name for name in SETTINGS if not settings.get(name)]
    problems += [f"_config.yml: expected {', '.join(missing_names)}"] if missing_names else []
    return "; ".join(problems)


def _project(root):
    """Return the table ``[project]`` of pyproject.toml, or an empty table."""
    path = root / "pyproject.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig") if path.is_file() else "").get(
            "project", {}
        )
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
    project, settings, url = _project(root), read_yaml(root / "_config.yml"), address(root)
    title = f"{settings['title']} {project['description']}"
    branch = (settings.get("repository") or {}).get("branch") or "main"
    addresses = {"url": url, "path": urlsplit(url).path.strip("/"), "is_github": url.startswith(_GITHUB)}
    addresses |= {"site": "", "binder": "", "has_buttons": bool(url) and urlsplit(url).netloc in HOSTS}
    if url:
        base_url = (settings.get("html") or {}).get("baseurl")
        addresses |= {"site": base_url or site(url), "binder": binder(url, branch)}
    description = f"{title}. An executable book and the package that it runs on."
    defaults = {"keywords": [], "requires-python": ">=3.11"}
    return {"project": defaults | project, "title": title, "description": description, **addresses}


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
        If the notebook does not exist or shows no figure.
    """
    for cell in read_notebook(notebook).cells:
        for output in cell.get("outputs", []):
            if "image/svg+xml" in output.get("data", {}):
                return output["data"]["image/svg+xml"]
    raise ValueError(f"{notebook}: expected a figure")


def _with_addresses(text, facts):
    """Return a text with its marked badges and addresses replaced by new ones."""
    fill = lambda mark: filled(f"fragments/{mark}.txt", **facts) if facts["url"] else ""
    return _MARKED.sub(lambda match: f"{match['begin']}{fill(match['mark'])}{match['end']}", text)


if __name__ == "__main__":
    project = Project.find()
    folder = project.root
    for name, text in publication(folder).items():
        (folder / name).write_text(text, encoding="utf-8")
    executed = folder / "_build" / "book" / "executed" / f"{project.chapters[0].name}.ipynb"
    if executed.exists():
        (folder / ".github" / "opening-figure.svg").write_text(first_figure(executed), encoding="utf-8")
