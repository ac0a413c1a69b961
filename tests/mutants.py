"""Random mutants of the formula rooms, each tried against the tests of its own module.

    python tests/mutants.py [--number 200] [--seed 1] [--seconds 300] [NAME ...]

An operator, a comparison or a number of a module is changed in a copy of the package, and the tests named for
that module run on it until one fails. Mutants that survive are printed and make the exit code 1; NAME picks
modules, such as ``measures/ties``. What tunes speed alone survives, and should.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("measures", "theory", "simulation")
OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
OTHER |= {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OTHER |= {
    ast.FloorDiv: ast.Div,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
# Tests of modules that have no test file of their own name.
ELSEWHERE = {"checks": "test_checks.py ../attack/test_library_calls.py", "ndcg": "test_ndcg.py test_ideal.py"}
ELSEWHERE |= {"sums": "test_sums.py test_ndcg.py", "ties": "test_ties.py test_ndcg.py"}


def sites(tree):
    """The nodes that can be changed, and what to change in them."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in OTHER:
            yield node, "op", None
        elif isinstance(node, ast.Compare):
            yield from ((node, "ops", i) for i, op in enumerate(node.ops) if type(op) in OTHER)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node, "value", None


def mutate(source, chance):
    """The source with one change, and what it was."""
    tree = ast.parse(source)
    node, what, place = chance.choice(list(sites(tree)))
    before = ast.unparse(node)
    if what == "value":
        node.value = chance.choice([node.value + 1, node.value * 2 or -1, -node.value or 1])
    elif what == "op":
        node.op = OTHER[type(node.op)]()
    else:
        node.ops[place] = OTHER[type(node.ops[place])]()
    ast.fix_missing_locations(tree)
    return ast.unparse(tree), f"line {node.lineno}: {before}  ->  {ast.unparse(node)}"


def survives(module, source, seconds):
    """Whether the tests of the module pass on the changed source; an endless loop counts as noticed."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "ndcg_companion")
        shutil.copytree(
            ROOT / "src" / "ndcg_companion", package, ignore=shutil.ignore_patterns("__pycache__")
        )
        package.joinpath(module).with_suffix(".py").write_text(source, encoding="utf-8")
        room, name = module.split("/")
        files = [str(ROOT / "tests" / room / file) for file in ELSEWHERE.get(name, f"test_{name}.py").split()]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *files]
        try:
            run = subprocess.run(
                command,
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": folder},
                capture_output=True,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return False
    return run.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300, help="after which a mutant counts as noticed")
    parser.add_argument("modules", nargs="*", metavar="NAME")
    options = parser.parse_args()
    package = ROOT / "src" / "ndcg_companion"
    modules = options.modules or [
        f"{room}/{path.stem}" for room in ROOMS for path in sorted((package / room).glob("[a-z]*.py"))
    ]
    chance, survived = random.Random(options.seed), []
    sources = {
        module: package.joinpath(module).with_suffix(".py").read_text(encoding="utf-8") for module in modules
    }
    weights = [sum(1 for _ in sites(ast.parse(source))) for source in sources.values()]
    for module in chance.choices(modules, weights, k=options.number):
        source, change = mutate(sources[module], chance)
        if survives(module, source, options.seconds):
            survived.append(f"{module}.py {change}")
            print(survived[-1], flush=True)
    print(f"{options.number - len(survived)} of {options.number} mutants were noticed")
    return bool(survived)


if __name__ == "__main__":
    sys.exit(main())
