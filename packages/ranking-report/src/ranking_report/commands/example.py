"""``example``: write the judgments and the simulated runs of the README's example."""

import random

from ndcg_companion.text import escaped
from ranking_report.folders import write_folder


def call(options):
    """Write the files, print the next command, and return the exit code."""
    write_folder(options.folder, "example", example_files())
    folder = escaped(options.folder)
    print(
        f"Wrote judgments and three runs. Now try:\nranking-report compare {folder}/qrels.txt {folder}/*.run"
    )
    return 0


def example_files():
    """Return the texts of the judgments and of three runs, by file name.

    The scores in a run are the grades plus noise.

    >>> [*example_files()], example_files()["bm25.run"].split("\\n", 1)[0]
    (['qrels.txt', 'bm25.run', 'dense.run', 'hybrid.run'], 'q0 Q0 d20 1 7.524644464815104 bm25')
    """
    random.seed(1)
    grades = {
        f"q{query_number}": {f"d{item_number}": random.choice([0, 0, 0, 1, 2]) for item_number in range(30)}
        for query_number in range(50)
    }
    qrels = [
        f"{query} 0 {item} {grade}\n" for query, items in grades.items() for item, grade in items.items()
    ]
    files = {"qrels.txt": "".join(qrels)}
    for name, noise in (("bm25", 3), ("dense", 1), ("hybrid", 1.2)):
        lines = []
        for query, items in grades.items():
            scores = {item: grade + random.gauss(0, noise) for item, grade in items.items()}
            ranked_items = sorted(scores, key=lambda item: -scores[item])
            lines += [
                f"{query} Q0 {item} {rank} {scores[item]} {name}\n"
                for rank, item in enumerate(ranked_items, 1)
            ]
        files[f"{name}.run"] = "".join(lines)
    return files
