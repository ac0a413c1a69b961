"""Calls of the command line that must be rejected: a good call of each command, and its possible errors."""

from untrusted.strings import CONTROLS

CURVES = ["--curve0", "poly:0.7:-0.4", "--curve1", "poly:0.3:0.4"]
GOOD = {
    "list": ["list"],
    "run": ["run", "first"],
    "sweep": ["sweep", "first", "seed=1,2"],
    "diff": ["diff", "made", "made"],
    "build": ["build"],
    "new": ["new", "a-book"],
    "new-chapter": ["new-chapter", "a-page"],
    "pdf": ["pdf"],
    "ledger": ["ledger"],
    "lint": ["lint"],
    "power": ["power", *CURVES],
    "compare": ["compare", "table.csv"],
    "example": ["example", "a-demo"],
}
_PROFILES = ["", "quik", "BOOK", "book ", "quick,book", "../book"]
_JOBS = ["", "0", "-1", "1.5", "two", "9" * 30, "1e3", "٣", "0x2"]
_LONG = "1=1," * 4000
_TARGETS = [
    "",
    ".",
    "..",
    "/",
    "chapters",
    "chapters/first.ipynb",
    "chapters/first.ipynb/below",
    "_static",
    "_toc.yml",
    "mine",
    "mine/file.txt",
    "link",
    "dangling",
    "/dev/null",
    "/dev/null/x",
    "x" * 300,
]
# Files that say something else than they seem to: read as judgments, as a run, or as groups.
OTHERS = {
    "ratings": "1\t7\t3\t881250949\n1\t8\t5\t891717742\n",
    "ratings-without-times": "1 i1 5 1\n1 i2 4 1\n2 i3 5 0\n",
    "comment": "#version 2 2023\nq 0 d 1\n",
    "comment-between": "q 0 d 1\n# version 2 2023\n",
    "no-id": "query,item,label\nq,d,1\n,d,1\n",
    "underscore": "query,item,label\nq,d,1_0\n",
    "no-number.json": '{"q": {"d": ""}}',
    "true.json": '{"q": {"d": true}}',
    "no-id.json": '{"q": {" ": 1}}',
    "ratings-with-dates": "1 1 2 20050924\n1 3 5 20050926\n",
    "ratings-with-days": "1 4 2 13010\n1 3 5 13004\n",
    "ratings-in-dates": "1 2 20050924\n1 1 20050926\n",
    "half-grade": "q 0 d 0.5\n",
    "half-grade-of-three": "q d 0.5\n",
    "percent": "% version 2 2023\nq 0 d 1\n",
    "slashes": "// by hand\nq d 1\n",
    "utf-16": "q 0 d 1\n".encode("utf-16-le").decode(),
    "float-ids": "qid,docno,label\n1.0,2,1\n",
}
OTHER_RUNS = {
    "judgments": "1 0 d1 1\n1 0 d2 0\n",
    "gap": "1 2 1 9.5\n1 3 3 8.5\n",
    "times": "1 2 1 881250949\n1 3 2 881250940\n",
    "rising-scores": "1 2 107\n1 3 114\n",
    "ranks-with-gaps": "1 2 1\n1 3 3\n",
    "dates": "1 2 1 20050926\n1 3 2 20050924\n",
    "percent-run": "% a b 1 2 a\n1 Q0 2 1 2.5 a\n",
    "half-rank": "query,item,rank\n1,2,1.5\n",
    "rank-twice": "query,item,rank\n1,2,1\n1,3,1\n",
    "Rank": "query,item,Rank\n1,2,1\n",
    "other-ids": "query,item,score\n1,2.0,1\n",
    "q0-last": "1 2 Q0 1 2.5 x\n2 2 Q0 1 2.5 x\n",
}
OTHER_GROUPS = {
    "many-groups": "".join(f"1,g{number}\n" for number in range(2_001)),
    "groups-of-others": "1.0,g\n",
    "comment-of-groups": "#1,g\n",
    "other-comment-of-groups": "% by me, in 2023\n1,g\n",
}
OTHER_SCORES = {
    "scores-without-measure": "query,system,score\n1,a,0.5\n",
    "scores-twice": "query,system,measure,score\n1,a,F1,0.5\n1,a,F1,0.5\n",
    "scores-missing": "query,system,measure,score\n1,a,F1,0.5\n2,b,F1,0.5\n",
    "endless-scores": "query,system,measure,score\n1,a,F1,inf\n",
}
OTHER_USES = {
    "uses-without-count": "item,views\n2,1\n",
    "uses-of-nothing": "item,count\n2,0\n",
    "uses-of-others": "item,count\n3,1\n",
}
# Option: values that it may not have.
WRONG = {
    ("run", "--profile"): _PROFILES,
    ("run", "--output"): _TARGETS,
    ("sweep", "--profile"): _PROFILES,
    ("sweep", "--output"): _TARGETS,
    ("sweep", "--jobs"): _JOBS,
    ("sweep", "--dask"): [
        "",
        "nonsense",
        "tcp://127.0.0.1:1",
        "127.0.0.1:1",
        "127.0.0.1:99999",
        "tls://[::1]:1",
        "http://127.0.0.1",
        "tcp://",
    ],
    ("diff", "--output"): ["", *_TARGETS[1:], "made/first.ipynb", "no/such/folder/diff.html"],
    ("build", "--profile"): _PROFILES,
    ("build", "--jobs"): _JOBS,
    ("new-chapter", "--after"): ["", "frist", "First", "chapters/first", "first.ipynb", "../first"],
    ("pdf", "--profile"): _PROFILES,
    ("pdf", "--jobs"): _JOBS,
    ("ledger", "--profile"): [*_PROFILES, "book"],  # which was not built
    ("power", "--coupling"): [
        "",
        "joint",
        "additive,label-first",
        "Additive",
        "correlated",
        "correlated:1",
        "correlated:x",
    ],
    ("power", "--discount"): [
        "",
        "lg",
        "log,",
        ",",
        "power:",
        "power:x",
        "power:-1",
        "power:inf",
        "geometric:1",
    ],
    ("power", "--k"): ["", "0", "-1", "2.5", "inf", "nan", "1e400", "-inf", "ten", "all,", "0.0", "1.0.0"],
    ("power", "--n"): ["", "5", "ten", "0", "-100", "1e400", "nan", "10.5", "100,", "inf", "1e300"],
    ("power", "--share"): ["", "x", "0.5", "nan", "-1", "2"],  # of a pair that is not coupled so
    ("power", "--certainty"): ["", "0", "0.5", "1", "2", "-1", "nan", "inf", "sure"],
    ("power", "--queries"): ["", "0", "5", "-6", "50.5", "1e2", "fifty", "nan", "9" * 30, "٥٠"],
    ("power", "--sd"): ["", "0", "-0.1", "1.01", "nan", "inf", "0.2,", "a", "0.2;0.3"],
    ("power", "--output"): _TARGETS,
    ("compare", "qrels"): ["", "nowhere", "mine", "chapters", "/dev/null"],
    ("compare", "--seed"): ["", "-1", "1.5", "x", "9" * 30],
    ("compare", "--output"): _TARGETS,
    ("compare", "--gain"): [
        "",
        "0",
        "0=",
        "=1",
        "0=1=2",
        "a=1",
        "nan=1",
        "0=inf",
        "0=0,0=5",
        "0=0,0.0=5",
        "0=0,1_0=5",
        "0=0,1=\u0663",
        _LONG,
    ],
    ("compare", "--measure"): ["", "nDCG@", " " * 4000, "nDCG" * 4000, "nDCG" + "_1" * 4000, "(" * 4000],
}
# Whole calls.
CALLS = [
    [],
    ["rum"],
    ["RUN", "first"],
    ["run"],
    ["run", ""],
    ["run", "frist"],
    ["run", "first.ipynb"],
    ["run", "chapters/first"],
    ["run", "../first"],
    ["run", "first", "second"],
    ["run", "first", "seed"],
    ["run", "first", "=1"],
    ["run", "first", "seed="],
    ["run", "first", "sed=3"],
    ["run", "first", "seed=abc"],
    ["run", "first", "seed=-1"],
    ["run", "first", "seed=1.5"],
    ["run", "first", "seed=inf"],
    ["run", "first", "seed=nan"],
    ["run", "first", "seed=" + "9" * 30],
    ["run", "first", "seed=" + "9" * 5000],
    ["run", "first", "seed=1", "seed=2"],
    ["run", "first", "seed=1", "--profile", "quick", "seed=2"],
    ["run", "first", "beta=1.5"],
    ["run", "first", "beta=0"],
    ["run", "first", "beta=nan"],
    ["run", "first", "share=inf"],
    ["run", "first", "share=1e400"],
    ["run", "first", "curve=powr:2"],
    ["run", "first", "curve="],
    ["run", "first", "curve=constant:nan"],
    ["run", "first", "curve=constant:2"],
    ["run", "first", "curve=" + "x" * 100_000],
    ["run", "first", "--profile"],
    ["run", "first", "--output"],
    ["run", "first", "--deep"],
    ["run", "first", "seed=1", "--outptu", "x"],
    ["sweep"],
    ["sweep", "first"],
    ["sweep", "frist", "seed=1"],
    ["sweep", "first", "beta"],
    ["sweep", "first", "beta="],
    ["sweep", "first", "beta=0.1,,0.3"],
    ["sweep", "first", "beta=0.1,1.5"],
    ["sweep", "first", "beta=0.1,0.1"],
    ["sweep", "first", "seed=1,1..3"],
    ["sweep", "first", "seed=5..1"],
    ["sweep", "first", "seed=0..1000000000"],
    ["sweep", "first", "seed=0.." + "9" * 30],
    ["sweep", "first", "seed=1..1000", "beta=" + ",".join(f"0.{number:03}" for number in range(1, 200))],
    ["sweep", "first", "seed=1", "seed=2"],
    ["sweep", "first", "sed=1..3"],
    ["sweep", "first", "curve=cosin"],
    ["sweep", "first", "seed=1", "--jobs", "2", "--dask", "tcp://127.0.0.1:1"],
    ["diff"],
    ["diff", "made"],
    ["diff", "made", "made", "made"],
    ["diff", "made", ""],
    ["diff", "made", "nowhere"],
    ["diff", "made", "mine"],
    ["diff", "made", "mine/file.txt"],
    ["diff", "made", "chapters"],
    ["diff", "made", "chapters/first.ipynb"],
    ["diff", "made", "/dev/null"],
    ["diff", "made", "pipe"],
    ["diff", "made", "pipes"],
    ["diff", "made", "x" * 300],
    ["build", "first"],
    ["build", "seed=1"],
    ["new-chapter"],
    ["new-chapter", "a-page", "second-page"],
    *(
        ["new-chapter", name]
        for name in (
            "",
            "first",
            "index",
            "search",
            "A-page",
            "a page",
            "a--b",
            "-a",
            "1st",
            "../a",
            "a.md",
            "x" * 61,
        )
    ),
    ["ledger", "seed=1"],
    ["lint", "nowhere"],
    ["lint", "mine/file.txt"],
    ["list", "first"],
    ["list", "--name", "--bogus"],
    ["power"],
    ["power", "--curve0", "constant:0.3"],
    ["power", "--curve0", "x", "--curve1", "y"],
    ["power", "--curve0", "", "--curve1", ""],
    ["power", "--curve0", "constant:0.3", "--curve1", "constant:0.4"],
    ["power", *CURVES, "--coupling", "shared-top"],
    ["power", *CURVES, "100"],
    ["power", "--queries", "--k", "0.2"],
    ["power", "--queries", "--sd", "0.3", "--pilot", "a", "b", "c"],
    ["power", "--queries", "--pilot", "a", "b"],
    ["power", "--queries", "--measure", "AP"],
    ["power", "--queries", "--k", "10", "--n", "100"],
    ["power", *CURVES, "--queries", "50", "--k", "10,all"],
    ["compare"],
    *(
        ["compare", "table.csv", "--baseline", "a", f"--fail-if={gate}"]
        for gate in (
            " " * 4000,
            " " * 4000 + "<" * 4000,
            "nDCG@10 <" + "1" * 4000,
            "<",
            "< -1",
            "nDCG@10 <",
            "x < y",
        )
    ),
    ["power", "--curve0", "poly" + ":0.1" * 4000, "--curve1", "constant:0.5"],
    ["power", *CURVES, "--discount", "power:" + "0" * 4000],
    ["power", *CURVES, "--coupling", "correlated:" + "0" * 4000],
    ["compare", "table.csv", "--strict"],
    [*"compare table.csv --baseline a --fail-if".split(), "nDCG@10 < -0.1", "--ties", "best"],
    *(["compare", name, "--run", "a=run.csv"] for name in OTHERS),
    *(["compare", "judged.csv", "--run", f"a={name}"] for name in OTHER_RUNS),
    *(["compare", "table.csv", "--by", name] for name in OTHER_GROUPS),
    *(["compare", "--scores", name] for name in OTHER_SCORES),
    *(["compare", "table.csv", "--popularity", name] for name in OTHER_USES),
    ["compare", "table.csv", "--baseline", "a", "--baseline", "b"],
    ["compare", "judged.csv", "pipes"],
    ["example"],
    ["example", "mine"],
    ["compare", "table.csv", "--run", "a"],
    ["compare", "table.csv", "--run", "=b"],
    ["compare", "table.csv", "--run", "a="],
    ["compare", "table.csv", "--run", "a=nowhere"],
]


def calls():
    """All of them, each once, with a name."""
    yield from ((" ".join(words)[:60] or "(nothing)", words) for words in CALLS)
    for (command, option), values in WRONG.items():
        if not option.startswith("-"):
            yield from ((f"{command} {value!r:.20}", [command, value]) for value in values)
            continue
        kept = [word for word in GOOD[command]]
        if option in kept:
            del kept[kept.index(option) : kept.index(option) + 2]
        for value in values:
            yield f"{command} {option} {value!r:.20}", [*kept, f"{option}={value}"]
        yield f"{command} {option} twice", [*kept, *[option, "1"] * 2]
        if option != "--queries":  # which says something without a value too
            yield f"{command} {option} of nothing", [*kept, option]
    for command, words in GOOD.items():
        yield f"{command} --bogus", [*words, "--bogus"]
        yield f"{command} --help=1", [*words, "--help=1"]
        for control in CONTROLS:
            yield f"{command} {control!r}", [*words, f"a{control}b"]
