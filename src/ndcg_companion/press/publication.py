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

_PLEASE = "If you use the companion, please cite it together with the paper whose statement you rely on."
_BADGES = re.compile(r"(<!-- badges[^\n]*-->\n).*?(<!-- end of badges -->)", re.DOTALL)
_ADDRESSES = re.compile(r"(# addresses[^\n]*\n).*?(# end of addresses)", re.DOTALL)


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
    readme, configuration = (
        (root / name).read_text(encoding="utf-8") for name in ("README.md", "pyproject.toml")
    )
    return {
        "CITATION.cff": _citation(about, authors, url),
        ".zenodo.json": _json(_zenodo(about, authors, url)),
        "codemeta.json": _json(_codemeta(about, project, authors, url)),
        "README.md": _BADGES.sub(lambda found: found[1] + _badges(url) + found[2], readme),
        "pyproject.toml": _ADDRESSES.sub(lambda found: found[1] + _addresses(url) + found[2], configuration),
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
    if url:
        record |= {"repository-code": url, "url": site(url)}
    return yaml.safe_dump(record, sort_keys=False, allow_unicode=True, width=1000)


def _zenodo(about, authors, url):
    record = about | {
        "description": f"{about['title']}. An executable book and the package that it runs on.",
        "upload_type": "software",
        "access_right": "open",
        "creators": [{"name": name} for name in authors],
    }
    if url:
        record["related_identifiers"] = [
            {"identifier": site(url), "relation": "isDocumentedBy", "scheme": "url"},
            {"identifier": url, "relation": "isSupplementTo", "scheme": "url"},
        ]
    return record


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
    return record


def _badges(url):
    if not url:
        return ""
    path = urlsplit(url).path.strip("/")
    badges = {
        "tests": (f"{url}/actions/workflows/tests.yml/badge.svg", f"{url}/actions/workflows/tests.yml"),
        "the book": ("https://img.shields.io/badge/read-the_book-0b6e8f", site(url)),
        "run it": ("https://mybinder.org/badge_logo.svg", f"https://mybinder.org/v2/gh/{path}/main"),
        "release": (f"https://img.shields.io/github/v/release/{path}", f"{url}/releases"),
    }
    return "".join(f"[![{name}]({image})]({target})\n" for name, (image, target) in badges.items())


def _addresses(url):
    if not url:
        return ""
    pages = {
        "Homepage": site(url),
        "Source": url,
        "Issues": f"{url}/issues",
        "Changelog": f"{url}/blob/main/CHANGELOG.md",
    }
    return "[project.urls]\n" + "".join(f'{name} = "{page}"\n' for name, page in pages.items())


def _json(record):
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    folder = Project.find().root
    for name, text in publication(folder).items():
        (folder / name).write_text(text, encoding="utf-8")
    executed = folder / "_build" / "book" / "executed" / "index.ipynb"
    if executed.exists():
        (folder / ".github" / "opening-figure.svg").write_text(first_figure(executed), encoding="utf-8")
