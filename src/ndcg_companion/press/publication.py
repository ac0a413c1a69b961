"""What others are told of the project: how to cite it, and where it lives, once it has an address.

All of it is made of ``pyproject.toml`` and of the repository's address in ``_config.yml``:
``python -m ndcg_companion.press.publication`` (make metadata) writes the files and the marked lines anew, and
the figure of the README as well if the book at the profile 'book' stands.
"""

import json
import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from ndcg_companion.press.project import Project, read_notebook, read_yaml
from ndcg_companion.press.template import filled

_PLEASE = "If you use the companion, please cite it together with the paper whose statement you rely on."
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
        raise ValueError(
            f"_config.yml: repository.url={url!r}: expected https://HOST/OWNER/NAME, without a slash "
            "or .git at its end, or nothing"
        )
    return url


def site(url: str) -> str:
    """Where Pages shows the site of a repository.

    >>> site("https://github.com/somebody/ndcg-companion")
    'https://somebody.github.io/ndcg-companion/'
    """
    _, owner, name = urlsplit(url).path.split("/")
    return f"https://{owner}.github.io/{name}/"


def publication(root: Path) -> dict[str, str]:
    """The text of each file that says how to cite the project or where it lives, by the file's name."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    url = address(root)
    about = {
        "title": f"{read_yaml(root / '_config.yml')['title']} {project['description']}",
        "version": project["version"],
        "license": project["license"],
        "keywords": project["keywords"],
    }
    authors = [author["name"] for author in project["authors"]]
    marked = {name: (root / name).read_text(encoding="utf-8") for name in ("README.md", "pyproject.toml")}
    return {
        "CITATION.cff": _citation(about, authors, url),
        ".zenodo.json": _zenodo(about, authors, url),
        "codemeta.json": _codemeta(about, project, authors, url),
        **{name: _with_addresses(text, url) for name, text in marked.items()},
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


def _citation(about, authors, url):
    record = {
        "cff-version": "1.2.0",
        "message": _PLEASE,
        "title": about["title"],
        "type": "software",
        "authors": [{"name": name} for name in authors],
        "version": about["version"],
        "license": about["license"],
        "keywords": about["keywords"],
    }
    places = {"repository-code": url, "url": site(url)} if url else {}
    return yaml.safe_dump(record | places, sort_keys=False, allow_unicode=True, width=1000)


def _zenodo(about, authors, url):
    places = [(site(url), "isDocumentedBy"), (url, "isSupplementTo")] if url else []
    related = [{"identifier": place, "relation": name, "scheme": "url"} for place, name in places]
    record = about | {
        "description": f"{about['title']}. An executable book and the package that it runs on.",
        "upload_type": "software",
        "access_right": "open",
        "creators": [{"name": name} for name in authors],
    }
    return _json(record | ({"related_identifiers": related} if related else {}))


def _codemeta(about, project, authors, url):
    record = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": project["name"],
        "description": about["title"],
        "version": about["version"],
        "license": f"https://spdx.org/licenses/{about['license']}",
        "keywords": about["keywords"],
        "author": [{"@type": "Organization", "name": name} for name in authors],
        "programmingLanguage": {"@type": "ComputerLanguage", "name": "Python"},
        "runtimePlatform": f"Python {project['requires-python']}",
        "softwareRequirements": project["dependencies"],
        "developmentStatus": "active",
    }
    if url:
        record |= {"codeRepository": url, "issueTracker": f"{url}/issues", "softwareHelp": site(url)}
    return _json(record)


def _json(record):
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def _with_addresses(text, url):
    """A text with what is between its marks made anew: badges, or the addresses of pages."""
    names = {"site": site(url), "path": urlsplit(url).path.strip("/"), "url": url} if url else {}
    made = lambda mark: filled(f"press/fragments/{mark}.txt", **names) if url else ""
    return _MARKED.sub(lambda found: f"{found['begin']}{made(found['mark'])}{found['end']}", text)


if __name__ == "__main__":
    folder = Project.find().root
    for name, text in publication(folder).items():
        (folder / name).write_text(text, encoding="utf-8")
    executed = folder / "_build" / "book" / "executed" / "index.ipynb"
    if executed.exists():
        (folder / ".github" / "opening-figure.svg").write_text(first_figure(executed), encoding="utf-8")
