"""The book on disk: where it is, its chapters in reading order, and the parameters of each profile."""

import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
import yaml

from ndcg_companion.chapter.parameters import check_values, nearest, parse_parameters

PROFILES = ("quick", "book", "deep")


@dataclass(frozen=True)
class Chapter:
    """A page of the book: a notebook, or a Markdown file that has nothing to execute."""

    root: Path
    file: str  # as in _toc.yml, without a suffix

    @property
    def name(self):
        return Path(self.file).name

    @cached_property
    def path(self):
        notebook = self.root / f"{self.file}.ipynb"
        return notebook if notebook.exists() else self.root / f"{self.file}.md"

    @property
    def is_notebook(self):
        return self.path.suffix == ".ipynb"

    @cached_property
    def notebook(self):
        return nbformat.read(self.path, as_version=4)

    @cached_property
    def title(self):
        text = self.notebook.cells[0].source if self.is_notebook else self.path.read_text(encoding="utf-8")
        return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))

    @cached_property
    def parameters(self):
        """The typed parameters that the chapter's parameters cell declares; none for a page without one."""
        if not self.is_notebook:
            return []
        cells = [cell for cell in self.notebook.cells if "parameters" in cell.metadata.get("tags", [])]
        return parse_parameters(cells[0].source) if cells else []


@dataclass(frozen=True)
class Project:
    """A checkout of the book."""

    root: Path

    @classmethod
    def find(cls, start="."):
        """The book in the nearest folder at or above ``start`` that holds a ``_toc.yml``."""
        here = Path(start).resolve()
        for folder in (here, *here.parents):
            if (folder / "_toc.yml").is_file():
                return cls(folder)
        raise ValueError(
            f"no _toc.yml in {here} or any folder above it: call this from inside the book's folder"
        )

    @cached_property
    def chapters(self):
        """All pages, in the order in which _toc.yml has them."""
        toc = yaml.safe_load((self.root / "_toc.yml").read_text(encoding="utf-8"))
        return [Chapter(self.root, file) for file in _files(toc)]

    @cached_property
    def commit(self):
        """The commit that is checked out, marked if files differ from it; nothing outside a repository."""
        try:
            command = ["git", "-C", str(self.root), "describe", "--always", "--dirty=-edited", "--exclude=*"]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return ""

    @property
    def notebooks(self):
        return [chapter for chapter in self.chapters if chapter.is_notebook]

    def chapter(self, name):
        """The notebook of that name; ValueError with the nearest known name if there is none."""
        known = {chapter.name: chapter for chapter in self.notebooks}
        if name not in known:
            raise ValueError(f"{name}: no chapter has that name{nearest(name, known)} (see 'companion list')")
        return known[name]

    def overrides(self, profile):
        """What a profile sets differently from the chapters' own defaults: chapter name to checked values."""
        if profile not in PROFILES:
            raise ValueError(
                f"profile={profile}: expected one of {', '.join(PROFILES)}{nearest(profile, PROFILES)}"
            )
        path = self.root / "parameters" / f"{profile}.yml"
        if not path.exists():
            return {}
        given = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        try:
            return {
                name: check_values(self.chapter(name).parameters, values) for name, values in given.items()
            }
        except ValueError as error:
            raise ValueError(f"{path.relative_to(self.root)}: {error}") from None


def _files(toc):
    """Every 'root' and 'file' of a table of contents, depth first."""
    if isinstance(toc, list):
        return [file for entry in toc for file in _files(entry)]
    own = [toc[key] for key in ("root", "file") if key in toc]
    nested = [toc[key] for key in ("parts", "chapters", "sections") if key in toc]
    return own + _files(nested) if nested else own
