"""Random mutants of the formula rooms, each tried against the tests of its own module.

    python tests/mutants.py [--number 200] [--seed 1] [--seconds 300] [NAME ...]

An operator, a comparison or a number of a module is changed in a copy of the package, and the tests named for
that module run on it, the quickest first, until one fails. Mutants that survive are printed as `LISTED` would
list them and make the exit code 1; NAME picks modules, such as ``measures/ties``.
"""

import argparse
import ast
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from importlib import import_module
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ndcg_companion"
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
# Tests of modules that have no test file of their own name, or more than one.
ELSEWHERE = {"checks": "test_checks.py ../attack/test_library_calls.py", "ndcg": "test_ndcg.py test_ideal.py"}
ELSEWHERE |= {
    "laws": "test_laws.py test_laws_enclosed.py",
    "replication": "test_replication.py test_cluster.py",
}
ELSEWHERE |= {"sums": "test_sums.py test_ndcg.py", "ties": "test_ties.py test_ndcg.py"}
ELSEWHERE |= {"prefixes": "test_curves.py", "odds": "test_odds.py test_queries.py"}
ELSEWHERE |= {
    "limits": "test_limits.py test_decay.py",
    "bounds": "test_bounds.py test_exponents.py test_winning.py",
}
# Changes that cannot matter, by the reason: the function, and parts of the changed statement in their order.
LISTED: dict[str, tuple[str, ...]] = {
    "only time: how much is done at once, and from where on": (
        ": _ROWS = 17",
        ": _BLOCK, _LONG = (193, 2 ** 13)",
        ": _BLOCK, _LONG = (192, 2 * 13)",
    ),
    "only time: where interpolation is not as good, that is computed before, and it is not used": (
        ": _TOP = 5 * _BLOCK",
        ": _TOP = 8 * _BLOCK",
        ": _ZONES = ",
        "_zone: shifts = ",
    ),
    "only time: either way gives the same, and this picks the quicker": (
        "is_short: ... 4 * top < n",
        "is_short: ... 8 * top <= n",
    ),
    "only time: what is checked of large numbers holds for all": ("_as_array: ... >= -2 ** 53",),
    "a type that nothing evaluates": ("certify_sign: changes: list[tuple[int, int & None]]",),
    "depths of 1e-15, where 1 % is promised of what lists of 1e15 items would have": (
        "Pair.depths_given_label: ... np.geomspace(2e-15",
    ),
    "more panels than needed, or one of no width": (
        "_discounted.panels: ... max(1.0, np.log2(half)",
        "Pair.depths_between: ... start <= depth",
    ),
    "a sum of what is not negative: coarse panels tell as well whether it is 0": (
        "agree: ... integrate( ... tolerance=1.000000001",
    ),
    "only time: how far the next step looks": ("_Gap._reach: self.window = 2 * reached + 17",),
    "only time: more batches wait at the scheduler instead of here": (
        "_cluster: ... islice(run, ... 2 * run.slots + pending.count()",
    ),
    "only memory: of which width the numbers of 128 grades are": (
        "_labels: ... len(population.grades) <= 128",
    ),
    "only time: how many replicates the first batch has": ("_Run.__init__: self.size, self.slots = (2, 1)",),
    "a few units in the last place: nine are as few as eight": (": _TERM = 9 * _EPS",),
    "at the upper end of its support the law is 1 by the other branch as well": (
        "LimitLaw.cdf: ... low <= point <= high",
    ),
    "a normal noise is as often added as taken away": (
        "_correlated: ... pair.rho * normal - np.sqrt(1.0 - pair.rho ** 2)",
    ),
    "a sum of probabilities that is off by 1e-9 to the last digit": (
        "_check_law: ... abs(sum(probabilities) - 1.0) >= 1e-09",
    ),
    "only time: how many sizes are tried on the way down": ("items_needed: ... np.log10(most * _FEWEST)",),
    "a scale that is taken out and put back": (
        "_discounted: largest = log_weight(log_width) if heaviest else -1",
    ),
    "a normal score of 8.1 or 8.2 at depths below which are no such items": (
        "_normal_score: ... 1e-300, 1.0 - 2e-16",
    ),
    "a division by a power of two is exact, and what follows takes the whole part": (
        "ShrinkingRanking.latest: ... self.items[ranks] / self.base",
    ),
    "the last of very many items, where the chance to be found is below exp(-900)": (
        "_integrated: edge = ... if k < trials else reach",
    ),
    "twice an error of 2e-12, where some 1e-10 are promised": (": _FLOOR, _MOST_POINTS = (4e-12",),
    "only memory: how fine the finest table may be": (": _FLOOR, _MOST_POINTS = (2e-12, 2 << 22",),
    "two grid points less of four waves, each of which has many": (
        "fourier_table: ... 4 * size // last - 1, mode",
    ),
    "what lies beyond the upper end is 1 whatever the cubic says": (
        "Table.__call__: right = ... len(self.values) + 1.0)",
        "Table.__call__: right = ... len(self.values) - -1.0)",
    ),
    "one rounding more than there is: the margin is only wider": (
        "_Gap.__init__: self.roundings = 1 if not self.tied",
    ),
    "either formula is right at one half": ("_exponential: ... np.abs(labels) <= 0.5",),
    "only time: how many ranks are summed one by one": (": _FIRST = 2 << 22",),
    "where the first rank has more than an eighth of the gap, the bound is 1 but for a few short lists": (
        "failure_bound: m = max(2,",
    ),
    "a number that is off by exactly the tolerance": (
        "check_range: ... values < 1.0 + ROUNDING",
        "pseudo_expectation: ... log(rectangles[0][1]) < ROUNDING",
        "_top_law: if mean is None and abs(probabilities[0] - probabilities[2]) < ROUNDING",
        "_summable: _refuse_certainty(ahead + behind < ROUNDING",
    ),
    "a scale for what is zero everywhere": ("mean_dcg: size = ... or -1.0",),
    "both are there, with either sign": ("cutoff_points: points = share - ",),
    "panels near the bottom that are finer than any of these curves needs": (
        "depth_grid: halving = 1.0 - 2.0 ** (-np.arange(12.0",
    ),
    "sizes that are compared only where all are equal": ("_laid_out: equal = ... sizes[-1] > 0",),
    "a product of a rounded width": ("ndcg_standard_deviation: fail_if(not n * width >= 1.0",),
    "one item is refused for the next reason": ("ndcg_standard_deviation: n = whole_number('n', n, 2)",),
}


def sites(tree):
    """The nodes that can be changed, what to change in them, the functions and the statement around them."""

    def visit(node, names, statement):
        if isinstance(node, ast.stmt):
            statement = node
        if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in OTHER:
            yield node, "op", None, names, statement
        elif isinstance(node, ast.Compare):
            yield from (
                (node, "ops", i, names, statement) for i, op in enumerate(node.ops) if type(op) in OTHER
            )
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node, "value", None, names, statement
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = (*names, node.name)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, names, statement)

    yield from visit(tree, (), None)


def changes(site):
    """Each change of a site, made while its name is asked for: function and changed statement."""
    node, what, place, names, statement = site
    if what == "value":
        others = [node.value + 1, node.value * 2 or -1, -node.value or 1]
    else:
        now = node.op if what == "op" else node.ops[place]
        others = [OTHER[type(now)]()]
    for other in others:
        before, kept = ast.unparse(node), node.ops[:] if what == "ops" else getattr(node, what)
        setattr(node, what, other if place is None else [*kept[:place], other, *kept[place + 1 :]])
        # Of a statement with a body the first line is enough.
        changed = next(line for line in ast.unparse(statement).splitlines() if not line.startswith("@"))
        yield f"{'.'.join(names)}: {changed}", before
        setattr(node, what, kept)


def mutate(source, number, chance):
    """The source with its site of this number changed; the change's name; where and what was there before."""
    tree = ast.parse(source)
    site = list(sites(tree))[number]
    wanted = chance.randrange(sum(1 for _ in changes(site)))
    name, before = next(islice(changes(site), wanted, None))  # and is not asked to take it back
    return ast.unparse(tree), name, f"line {site[0].lineno}: {before}"


def matches(listed, name):
    return re.fullmatch(".*".join(map(re.escape, listed.split(" ... "))) + ".*", name)


def is_listed(name):
    return any(matches(listed, name) for names in LISTED.values() for listed in names)


def stale(sources):
    """What is listed and no change of the sources any more."""
    possible = [name for source in sources for site in sites(ast.parse(source)) for name, _ in changes(site)]
    listed = [listed for names in LISTED.values() for listed in names]
    return [name for name in listed if not any(matches(name, change) for change in possible)]


class QuickestFirst:
    """Orders the tests by how long they took on the unchanged package, once that is known."""

    def __init__(self):
        self.seconds = {}

    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration


class Trial:
    """Runs the tests of a module on a copy of the package, in a child of a process that has the libraries."""

    def __init__(self):
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        for name in ("pytest", "hypothesis", "support", *(f"ndcg_companion.{room}" for room in ROOMS)):
            import_module(name)
        import_module("ndcg_companion.press.project")
        for name in [name for name in sys.modules if name.split(".")[0] in ("ndcg_companion", "support")]:
            del sys.modules[name]
        self.times, self.limits = {}, {}

    def passes(self, module, source, limit, nightly=False):
        """Whether the tests pass on the source, those of the night or the others; an endless loop counts as
        noticed.
        """
        with tempfile.TemporaryDirectory() as folder:
            copied = Path(folder, "ndcg_companion")
            shutil.copytree(PACKAGE, copied)
            copied.joinpath(module).with_suffix(".py").write_text(source, encoding="utf-8")
            before, child = self._used(), os.fork()
            if not child:
                os.setsid()
                if module in self.limits and not nightly:
                    # Twice what the unchanged module takes, whoever else is on the machine.
                    resource.setrlimit(resource.RLIMIT_CPU, (self.limits[module], self.limits[module]))
                os._exit(self._run(module, folder, nightly))
            ends = time.monotonic() + limit
            while not (ended := os.waitpid(child, os.WNOHANG))[0]:
                if time.monotonic() > ends:
                    os.killpg(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                    return False
                time.sleep(0.05)
            if module not in self.times:
                self.times[module] = json.loads(Path(folder, "times").read_text(encoding="utf-8"))
                self.limits[module] = int(5 + 2 * (self._used() - before))
            # 5 where a module has no tests for the night.
            return os.waitstatus_to_exitcode(ended[1]) in ((0, 5) if nightly else (0,))

    def _used(self):
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

    def _run(self, module, folder, nightly):
        import pytest
        from hypothesis import Phase, settings

        os.environ |= {"PYTHONPATH": folder, "HYPOTHESIS_STORAGE_DIRECTORY": folder}
        sys.path.insert(0, folder)
        os.chdir(ROOT)
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        # Nobody looks at the smallest counterexample; and what is listed must not depend on the day.
        settings.register_profile(
            "mutants", deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate]
        )
        room, name = module.split("/")
        files = [f"tests/{room}/{file}" for file in ELSEWHERE.get(name, f"test_{name}.py").split()]
        order = QuickestFirst()
        order.seconds |= self.times.get(module, {})
        options = "-x -q -p no:cacheprovider -p no:xdist --hypothesis-profile=mutants".split()
        options += ["-m", "nightly" if nightly else "not nightly"]
        # The libraries are in memory before pytest could rewrite their assertions, which nobody reads.
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        code = pytest.main([*options, *files], plugins=[order])
        if module not in self.times:
            Path(folder, "times").write_text(json.dumps(order.seconds), encoding="utf-8")
        return int(code)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300, help="after which a mutant counts as noticed")
    parser.add_argument("modules", nargs="*", metavar="NAME")
    options = parser.parse_args()
    modules = options.modules or [
        f"{room}/{path.stem}" for room in ROOMS for path in sorted((PACKAGE / room).glob("[a-z]*.py"))
    ]
    sources = {module: PACKAGE.joinpath(module).with_suffix(".py").read_text("utf-8") for module in modules}
    chance, trial, listed, survived = random.Random(options.seed), Trial(), 0, 0
    all_sites = [(module, i) for module in modules for i, _ in enumerate(sites(ast.parse(sources[module])))]
    chosen = chance.sample(range(len(all_sites)), min(options.number, len(all_sites)))
    for module, number in (all_sites[i] for i in sorted(chosen)):
        source, name, before = mutate(sources[module], number, chance)
        if is_listed(name):
            listed += 1
            continue
        if module not in trial.times and not trial.passes(module, sources[module], options.seconds):
            sys.exit(f"the tests of {module} fail on the unchanged module")
        if all(trial.passes(module, source, options.seconds, nightly) for nightly in (False, True)):
            survived += 1
            print(f"{module}: {name}  # {before}", flush=True)
    noticed = len(chosen) - listed - survived
    print(f"{len(chosen)} mutants: {noticed} noticed, {listed} listed, {survived} unknown")
    old = [] if options.modules else stale(sources.values())
    for name in old:
        print(f"listed, and no change any more: {name}")
    return bool(survived or old)


if __name__ == "__main__":
    sys.exit(main())
