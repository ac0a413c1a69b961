"""What stands at the top level: the lock, the environments, the workflows, and what must not stand anywhere."""

import re
import subprocess
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from support import ROOT

from ndcg_companion import __version__

CONDA = {
    "python_full_version": "3.12.0",
    "python_version": "3.12",
    "sys_platform": "linux",
    "platform_system": "Linux",
}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def declared():
    return tomllib.loads(read("pyproject.toml"))["project"]


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


def test_the_lock_pins_and_hashes_every_declared_dependency(declared, locked):
    names = {requirement.name for requirement, _ in locked}
    wanted = declared["dependencies"] + declared["optional-dependencies"]["test"]
    assert {Requirement(text).name for text in wanted} <= names
    assert all(hashes and str(requirement.specifier).startswith("==") for requirement, hashes in locked)


def test_the_lock_holds_no_address():
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links", read("requirements.lock"))


def test_conda_gets_the_versions_of_the_lock(declared, locked):
    *pinned, own = yaml.safe_load(read("environment.yml"))["dependencies"][-1]["pip"]
    versions = {r.name: r.specifier for r, _ in locked if r.marker is None or r.marker.evaluate(CONDA)}
    conda = {Requirement(text).name: Requirement(text).specifier for text in pinned}
    assert own == "-e ."
    assert set(conda) == {Requirement(text).name for text in declared["dependencies"]}
    assert conda == {name: versions[name] for name in conda}


def test_every_dependency_has_a_reason(declared):
    reasons = read("CONTRIBUTING.md")
    for text in declared["dependencies"] + declared["optional-dependencies"]["test"]:
        assert Requirement(text).name.removeprefix("sphinx-").split("-book")[0] in reasons, text


def test_one_version_everywhere(declared):
    assert declared["version"] == __version__ == yaml.safe_load(read("CITATION.cff"))["version"]
    assert f"## {__version__}" in read("CHANGELOG.md")


def test_ci_runs_exactly_the_test_command_of_the_readme():
    assert read(".ci/run").rstrip().endswith("exec make test")
    assert "\nmake test " in read("README.md") and "\nmake book " in read("README.md")


def test_workflows_cover_tests_book_run_and_nightly():
    workflows = {
        path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").iterdir()
    }
    assert {"tests", "book", "run", "nightly"} <= set(workflows)
    assert workflows["tests"]["jobs"]["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    inputs = workflows["run"][True]["workflow_dispatch"]["inputs"]  # YAML 1.1 reads the key 'on' as true
    assert {"chapter", "parameters"} <= set(inputs)


def test_every_target_of_the_makefile_is_listed_by_help():
    targets = re.findall(r"^\.PHONY: (.*)$", read("Makefile"), re.M)[0].split()
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True)
    if shown.returncode == 127:
        pytest.skip("no make")
    assert all(f"make {target} " in shown.stdout for target in targets if target != "help")


def test_nothing_tracked_names_a_machine_or_is_left_for_later():
    home = "|".join(("root", "home", "Users", "work"))
    unwanted = re.compile(rf"(?<![\w.])/({home})/\w|\b(TODO|FIXME|XXX)\b|coming soon", re.I)
    for name in tracked():
        if name != "tests/test_repository.py" and not name.endswith((".lock", ".png")):
            found = unwanted.search((ROOT / name).read_text(encoding="utf-8"))
            assert not found, f"{name}: {found and found[0]}"
