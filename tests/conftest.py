"""What tests of several packages share: the repository, its quick build, a book small enough to break."""

import gc
import os
import signal
from functools import cache
from time import monotonic, sleep

import example_book
import pytest
from hypothesis import settings
from samples import made_once
from support import PROJECT, ROOT, companion, small_book_in

from claimbook.project import PROFILES, Project
from claimbook.publish import pdf
from claimbook.writing import write_whole

# In a job that a shell started in the background Ctrl-C is ignored, and would be by every process that tests
# start.
signal.signal(signal.SIGINT, signal.default_int_handler)

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # What drops down from the address bar is a page, too: each window would load two of them, which takes as
    # long as a page of the book. Of two such lists the last counts; so that of Playwright 1.65, its
    # ``chromiumSwitches``, is in it.
    "--disable-features="
    + ",".join(
        """WebUIOmniboxPopup WebUIOmniboxAimPopup WebUIOmniboxFullPopup
        AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync
        DestroyProfileOnBrowserClose HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter
        NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch
        TcpPortRandomizationWin ThirdPartyStoragePartitioning""".split()
    ),
]

# A busy machine is no counterexample.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_addoption(parser):
    group = parser.getgroup("site")
    group.addoption("--site-profile", choices=PROFILES, default="quick", help="whose site to look at (quick)")


def pytest_collection_modifyitems(items):
    """Nobody waits for the built book while there is something else to do.

    One test that needs it begins; the others come last, and before them the packages that start processes.
    Of two workers, which get a half of the tests each, the first then builds and computes, the second is in
    those packages meanwhile, and who has finished takes tests from the other.
    """

    def needs_the_book(item):
        return "build_of" in getattr(item, "fixturenames", ())

    items.sort(
        key=lambda item: item.nodeid.startswith(
            ("tests/commands/", "tests/building/", "packages/claimbook/tests/")
        )
    )
    waiting = [item for item in items if needs_the_book(item)]
    items[:] = waiting[:1] + [item for item in items if not needs_the_book(item)] + waiting[1:]


def pytest_collection_finish():
    """Ten thousand tests and all modules stay to the end: the collector of garbage need not look at them."""
    gc.freeze()


@pytest.fixture(scope="session")
def project():
    return PROJECT


@pytest.fixture(scope="session")
def build_of(tmp_path_factory):
    """Function from a profile to its build; fails, with what the build said, if it does not stand.

    Of several workers the first that asks builds it, with all cores; the others wait.
    """
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared

    @cache
    def folder_of(profile):
        outcome = shared / f"built-{profile}"
        try:
            (shared / f"building-{profile}").mkdir()
        except FileExistsError:
            until = monotonic() + 3600
            while not outcome.exists() and monotonic() < until:
                sleep(0.2)
        else:
            done = companion("build", "--profile", profile)
            write_whole(outcome, f"{done.stdout}\n{done.stderr}" if done.returncode else "")
        said = outcome.read_text(encoding="utf-8")
        assert not said, f"the book does not stand at the profile {profile!r}:\n{said}"
        return ROOT / "_build" / profile

    return folder_of


@pytest.fixture(scope="session")
def quick_build(build_of):
    """The whole book at the quick profile."""
    return build_of("quick")


@pytest.fixture
def small_book(tmp_path):
    """A book of two chapters, 'first' and 'second', that treat no statement of the registry."""
    return Project(small_book_in(tmp_path))


@pytest.fixture(scope="session")
def example(tmp_path_factory):
    """The folder of the example of `example_book`, built once."""
    return made_once(tmp_path_factory, "example", example_book.build)


@pytest.fixture(scope="session")
def browser(request):
    """One headless browser for all tests of a process: Playwright allows no second one beside it."""
    path = pdf.browser()
    if path is None:
        reason = "no Chromium on this machine: the site was not looked at"
        asked = request.config.getoption("--site-profile") != "quick"  # make site-check
        (pytest.fail if asked else pytest.skip)(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
