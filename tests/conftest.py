"""What tests of several rooms share: the repository, its build at the quick profile, and a book small enough to break."""

import signal

import pytest
from hypothesis import settings
from support import PAGE, ROOT, companion, write_notebook

from ndcg_companion.book.project import PROFILES, Project

# In a job that a shell started in the background Ctrl-C is ignored, and would be by every process that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no counterexample.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_addoption(parser):
    group = parser.getgroup("site")
    group.addoption("--every-way", action="store_true",
                    help="look at each page in light and dark, wide and narrow, not in one of the four ways in turn")  # fmt: skip
    group.addoption("--site-profile", choices=PROFILES, default="quick", help="whose site to look at (quick)")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """With several workers, one gets all that looks at the built book, and each file is whole on one of them."""
    for item in items:
        built = {"quick_build", "build"} & set(getattr(item, "fixturenames", ()))
        item.add_marker(pytest.mark.xdist_group("the built book" if built else str(item.path)))


@pytest.fixture(scope="session")
def project():
    return Project(ROOT)


@pytest.fixture(scope="session")
def quick_build(project):
    """The whole book at the quick profile; fails here, with what the build said, if it does not stand."""
    done = companion("build", "--profile", "quick")
    assert done.returncode == 0, f"the book does not stand at the quick profile:\n{done.stdout}\n{done.stderr}"
    return ROOT / "_build" / "quick"


@pytest.fixture
def small_book(tmp_path):
    """A book of two chapters, 'first' and 'second', that treat no statement of the registry."""
    for name in ("first", "second"):
        write_notebook(tmp_path / "chapters" / f"{name}.ipynb", PAGE.format(name=name))
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: chapters/first\nchapters:\n- file: chapters/second\n")
    for name in ("_config.yml", "references.bib"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "_static").mkdir()
    return Project(tmp_path)
