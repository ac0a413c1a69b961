"""The command that writes judgments and runs with which to try the other commands."""

import random

from report_support import called

from ranking_report import compare


def test_the_files_are_the_systems_that_the_readme_simulates(tmp_path):
    assert called("example", tmp_path / "demo").returncode == 0
    random.seed(1)
    qrels = {f"q{q}": {f"d{d}": random.choice([0, 0, 0, 1, 2]) for d in range(30)} for q in range(50)}
    runs = {}
    for name, noise in (("bm25", 3), ("dense", 1), ("hybrid", 1.2)):
        runs[name] = {
            query: {item: grade + random.gauss(0, noise) for item, grade in items.items()}
            for query, items in qrels.items()
        }
    written = compare(tmp_path / "demo" / "qrels.txt", tmp_path / "demo")
    assert written.answer == compare(qrels, runs).answer


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = called("example", tmp_path)
    assert done.returncode == 2 and "expected a new or an empty folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
