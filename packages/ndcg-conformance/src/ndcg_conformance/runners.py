"""The NDCG calls of each library, and a function that makes these calls.

This file also runs alone (``python runners.py NAME < cases.json``) in an environment with the library and
without this package. The file therefore imports only the standard library until a function is called. A query
is a mapping with ``documents``, ``labels`` (None for unjudged) and ``scores`` (None for not returned). A
function takes the queries of a case, the cut-off (None for no cut-off) and options, and returns the library's
own mean over the queries.
"""

import json
import re
import sys
import tempfile
from collections import namedtuple
from contextlib import suppress
from importlib.metadata import version
from math import isfinite
from pathlib import Path

MEMORY = 8 * 2**30  # limit on the address space, in bytes


# One way to ask a library. It consists of the text of the call, the kind of its input, and options for the
# function that makes the call. The input is "arrays" or "arrays, no ties" for the labels and scores of
# returned documents, "documents" for judgements and a run, or "order" for documents that the caller has
# ranked.
Call = namedtuple("Call", "text takes options", defaults=({},))
# The package and the lock of a library, the function that asks it, and its calls, of which the usual one
# comes first.
Library = namedtuple("Library", "package lock function calls")


def returned_list(query):
    """Return the documents, labels and scores of the returned list, as three tuples."""
    rows = zip(query["documents"], query["labels"], query["scores"])
    returned_rows = [(document, label, score) for document, label, score in rows if score is not None]
    return list(zip(*returned_rows)) or [(), (), ()]


def judgements(query):
    """Return the labels of the judged documents, by document."""
    return {
        document: label for document, label in zip(query["documents"], query["labels"]) if label is not None
    }


def run_of(query):
    """Return the scores of the returned documents, by document."""
    return {
        document: float(score)
        for document, score in zip(query["documents"], query["scores"])
        if score is not None
    }


def by_score(query):
    """Return documents by decreasing score, keeping the query's order of ties."""
    run = run_of(query)
    return sorted(run, key=lambda document: -run[document])


def query_mapping(content_of, queries):
    """Return the result of a function for each query, by the query's name (q0, q1, …)."""
    return {f"q{number}": content_of(query) for number, query in enumerate(queries)}


def longest_list(queries):
    """Return a cut-off without effect, for a library that requires one."""
    return max(len(query["documents"]) for query in queries)


def joined_lists(queries):
    """Return the labels, scores and query numbers of all lists, and their sizes."""
    lists = [returned_list(query) for query in queries]
    sizes = [len(documents) for documents, _, _ in lists]
    numbers = [number for number, size in enumerate(sizes) for _ in range(size)]
    return (
        [label for _, list_labels, _ in lists for label in list_labels],
        [score for _, _, list_scores in lists for score in list_scores],
        numbers,
        sizes,
    )


def scikit_learn(queries, k, exponential=False, **options):
    """Return the NDCG of scikit-learn, for exponential gain with gains in place of labels."""
    from sklearn.metrics import ndcg_score

    _, labels, scores = zip(*map(returned_list, queries))
    gains = labels
    if exponential:
        gains = [[2.0**label - 1 for label in labels_of_query] for labels_of_query in labels]
    return ndcg_score(gains, scores, k=k, **options)


def pytrec_eval(queries, k, **options):
    """Return trec_eval's mean NDCG, or None if no query counts."""
    import pytrec_eval

    measure = "ndcg" if k is None else f"ndcg_cut_{k}"
    evaluator = pytrec_eval.RelevanceEvaluator(query_mapping(judgements, queries), {measure}, **options)
    values = [
        query_values[measure] for query_values in evaluator.evaluate(query_mapping(run_of, queries)).values()
    ]
    return pytrec_eval.compute_aggregated_measure(measure, values) if values else None


def ir_measures(queries, k, exponential=False, **options):
    """Return the mean NDCG of ir_measures, which takes other gains as a mapping from grades."""
    import ir_measures

    judged = query_mapping(judgements, queries)
    if exponential:
        whole_grades = {
            grade
            for query_labels in judged.values()
            for grade in query_labels.values()
            if grade > 0 and grade % 1 == 0
        }
        options["gains"] = {grade: 2**grade - 1 for grade in whole_grades}
    measure = ir_measures.nDCG(**options) if k is None else ir_measures.nDCG(**options) @ k
    return ir_measures.calc_aggregate([measure], judged, query_mapping(run_of, queries))[measure]


def ranx(queries, k, name="ndcg"):
    """Return the mean NDCG of ranx; ``name`` is that of ranx's measure."""
    from ranx import Qrels, Run, evaluate

    judged, run = Qrels(query_mapping(judgements, queries)), Run(query_mapping(run_of, queries))
    return evaluate(judged, run, name if k is None else f"{name}@{k}")


def torchmetrics(queries, k):
    """Return the mean NDCG of TorchMetrics, which takes all lists end to end with query numbers."""
    from torch import tensor
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    labels, scores, numbers, _ = joined_lists(queries)
    measure = RetrievalNormalizedDCG(top_k=k)
    return measure(tensor([float(score) for score in scores]), tensor(labels), indexes=tensor(numbers)).item()


def lightgbm(queries, k, **options):
    """Return LightGBM's NDCG of the given scores, which are the initial scores of a model without trees."""
    import lightgbm
    import numpy

    labels, scores, _, sizes = joined_lists(queries)
    process_options = {"verbose": -1, "num_threads": 1}
    constant_features = numpy.zeros((len(labels), 1))
    dataset = lightgbm.Dataset(
        constant_features, labels, group=sizes, init_score=scores, params=process_options
    )
    training_options = {
        "objective": "lambdarank",
        "metric": "ndcg",
        "eval_at": [longest_list(queries) if k is None else k],
    }
    booster = lightgbm.Booster(process_options | training_options | options, dataset)
    [(_data_name, _measure_name, value, _is_better_if_higher)] = booster.eval_train()
    return value


def xgboost(queries, k, suffix="", **options):
    """Return XGBoost's NDCG of the given scores, which are the base margins of a model without trees."""
    import numpy
    import xgboost

    labels, scores, _, sizes = joined_lists(queries)
    matrix = xgboost.DMatrix(numpy.zeros((len(labels), 1)), labels, group=sizes, base_margin=scores)
    measure = ("ndcg" if k is None else f"ndcg@{k}") + suffix
    parameters = {"objective": "rank:ndcg", "eval_metric": [measure], "nthread": 1}
    result = xgboost.Booster(parameters | options, [matrix]).eval_set([(matrix, "x")])
    return float(result.rpartition(":")[2])  # the result is a text such as "[0] x-ndcg:0.5"


def catboost(queries, k, kind="Base"):
    """Return CatBoost's mean NDCG; ``kind`` is "Base" for linear gain and "Exp" for exponential gain."""
    from catboost.utils import eval_metric

    labels, scores, numbers, _ = joined_lists(queries)
    measure = f"NDCG:type={kind}" + ("" if k is None else f";top={k}")
    return eval_metric(labels, scores, measure, group_id=numbers, thread_count=1)[0]


def mlflow(queries, k):
    """Return MLflow's mean NDCG of ranked documents, for which labels are relevant or not."""
    from mlflow.metrics import ndcg_at_k
    from pandas import Series

    relevant_documents = [
        [document for document, label in judgements(query).items() if label > 0] for query in queries
    ]
    measure = ndcg_at_k(longest_list(queries) if k is None else k)
    return measure.eval_fn(
        Series(list(map(by_score, queries))), Series(relevant_documents)
    ).aggregate_results["mean"]


def rectools(queries, k, **options):
    """Return RecTools' mean NDCG, with queries as users and relevant documents as liked items."""
    from pandas import DataFrame
    from rectools.metrics import NDCG

    rows = [
        (number, document, rank)
        for number, query in enumerate(queries)
        for rank, document in enumerate(by_score(query), start=1)
    ]
    relevant_pairs = [
        (number, document)
        for number, query in enumerate(queries)
        for document, label in judgements(query).items()
        if label > 0
    ]
    recommended = DataFrame(rows, columns=["user_id", "item_id", "rank"]).astype({"rank": int})
    measure = NDCG(k=longest_list(queries) if k is None else k, **options)
    return measure.calc(recommended, DataFrame(relevant_pairs, columns=["user_id", "item_id"]))


def trectools(queries, k, **options):
    """Return the mean NDCG of trectools, which reads the run and the judgements from files."""
    from trectools import TrecEval, TrecQrel, TrecRun

    judged, run = query_mapping(judgements, queries), query_mapping(run_of, queries)
    qrels_lines = [
        f"{name} 0 {document} {label}\n"
        for name, documents in judged.items()
        for document, label in documents.items()
    ]
    run_lines = [  # all ranks are 0, because trectools sorts by score
        f"{name} Q0 {document} 0 {score!r} tag\n"
        for name, documents in run.items()
        for document, score in documents.items()
    ]
    cutoff_option = {} if k is None else {"depth": k}
    with tempfile.TemporaryDirectory() as folder:
        run_path, qrels_path = Path(folder, "run"), Path(folder, "qrels")
        run_path.write_text("".join(run_lines), encoding="utf-8")
        qrels_path.write_text("".join(qrels_lines), encoding="utf-8")
        evaluation = TrecEval(TrecRun(str(run_path)), TrecQrel(str(qrels_path)))
        return evaluation.get_ndcg(**cutoff_option, **options)


LIBRARIES = {
    "scikit-learn": Library(
        "scikit-learn",
        "retrieval",
        scikit_learn,
        (
            Call("ndcg_score([labels], [scores], k=k)", "arrays"),
            Call(
                "ndcg_score([labels], [scores], k=k, ignore_ties=True)",
                "arrays, no ties",
                {"ignore_ties": True},
            ),
            Call("ndcg_score([2.0**labels - 1], [scores], k=k)", "arrays", {"exponential": True}),
        ),
    ),
    "trec_eval": Library(
        "pytrec-eval-terrier",
        "retrieval",
        pytrec_eval,
        (
            Call('RelevanceEvaluator(qrels, {"ndcg_cut_5"}).evaluate(run)', "documents"),
            Call(
                'RelevanceEvaluator(qrels, {"ndcg_cut_5"}, judged_docs_only_flag=True).evaluate(run)',
                "documents",
                {"judged_docs_only_flag": True},
            ),
        ),
    ),
    "ir_measures": Library(
        "ir-measures",
        "retrieval",
        ir_measures,
        (
            Call("calc_aggregate([nDCG @ k], qrels, run)", "documents"),
            Call(
                "calc_aggregate([nDCG(judged_only=True) @ k], qrels, run)", "documents", {"judged_only": True}
            ),
            Call(
                "calc_aggregate([nDCG(gains={1: 1, 2: 3, 3: 7}) @ k], qrels, run)",
                "documents",
                {"exponential": True},
            ),
        ),
    ),
    "ranx": Library(
        "ranx",
        "retrieval",
        ranx,
        (
            Call('evaluate(Qrels(qrels), Run(run), "ndcg@5")', "documents"),
            Call('evaluate(Qrels(qrels), Run(run), "ndcg_burges@5")', "documents", {"name": "ndcg_burges"}),
        ),
    ),
    "torchmetrics": Library(
        "torchmetrics",
        "torch",
        torchmetrics,
        (Call("RetrievalNormalizedDCG(top_k=k)(scores, labels, indexes=queries)", "arrays"),),
    ),
    "LightGBM": Library(
        "lightgbm",
        "boosting",
        lightgbm,
        (
            Call('{"metric": "ndcg", "eval_at": [k]}', "arrays"),
            Call(
                '{"metric": "ndcg", "eval_at": [k], "label_gain": [0, 1, 2, 3, …]}',
                "arrays",
                {"label_gain": list(range(100))},
            ),
        ),
    ),
    "XGBoost": Library(
        "xgboost-cpu",
        "boosting",
        xgboost,
        (
            Call('{"eval_metric": "ndcg@5"}', "arrays"),
            Call('{"eval_metric": "ndcg@5", "ndcg_exp_gain": False}', "arrays", {"ndcg_exp_gain": False}),
            Call('{"eval_metric": "ndcg@5-"}', "arrays", {"suffix": "-"}),
        ),
    ),
    "CatBoost": Library(
        "catboost",
        "boosting",
        catboost,
        (
            Call('eval_metric(labels, scores, "NDCG:top=5", group_id=queries)', "arrays"),
            Call(
                'eval_metric(labels, scores, "NDCG:top=5;type=Exp", group_id=queries)',
                "arrays",
                {"kind": "Exp"},
            ),
        ),
    ),
    "MLflow": Library(
        "mlflow-skinny",
        "retrieval",
        mlflow,
        (Call("mlflow.metrics.ndcg_at_k(k).eval_fn(retrieved, relevant)", "order"),),
    ),
    "RecTools": Library(
        "rectools",
        "rectools",
        rectools,
        (
            Call("NDCG(k=k).calc(reco, interactions)", "order"),
            Call(
                "NDCG(k=k, divide_by_achievable=True).calc(reco, interactions)",
                "order",
                {"divide_by_achievable": True},
            ),
        ),
    ),
    "trectools": Library(
        "trectools",
        "trectools",
        trectools,
        (
            Call("TrecEval(run, qrels).get_ndcg(depth=k)", "documents"),
            Call(
                "TrecEval(run, qrels).get_ndcg(depth=k, trec_eval=False)", "documents", {"trec_eval": False}
            ),
            Call(
                "TrecEval(run, qrels).get_ndcg(depth=k, removeUnjudged=True)",
                "documents",
                {"removeUnjudged": True},
            ),
        ),
    ),
}
# Libraries that were tried without a result, and the reasons.
NOT_RUN = {
    "RankEval": "its last release, 0.8.2, has no wheels, and does not compile with Python 3.11 and NumPy 2"
}

# The axes that a kind of input cannot express, because the caller determines them.
NOT_ASKED = {
    "arrays": {"unjudged", "unreturned"},
    "arrays, no ties": {"unjudged", "unreturned", "ties"},  # the order of ties depends on the processor
    "documents": set(),
    "order": {"ties", "precision", "negative", "grades", "high"},
}


def answer(library, call, case):
    """Return a library's answer to a case: a number, a word or a refusal.

    The words are "undefined" and "left-out" (for a mean over no queries). A refusal is a mapping from
    "refused" to the first line of the error.
    """
    try:
        value = library.function(case["queries"], case["k"], **call.options)
    except Exception as error:
        first_line = (str(error) or repr(error)).strip().splitlines()[0]
        # Parts that differ between runs are removed: the time and place of a failed check, and addresses.
        _, _, message = first_line.rpartition("Check failed: ")
        return {"refused": re.sub(" at 0x[0-9a-f]+", "", message)}
    if value is None:
        return "left-out"
    return float(value) if isfinite(value) else "undefined"


def questions(library, cases):
    """Return all pairs of a library's call and a case that the call's input can express."""
    return [
        (call, case) for call in library.calls for case in cases if case["axis"] not in NOT_ASKED[call.takes]
    ]


def main(name, first=0):
    """Print a library's version and its answers, each as a line of JSON.

    Parameters
    ----------
    name : str
        The name of the library.
    first : int
        The index of the first question to ask.
    """
    with suppress(ImportError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    library = LIBRARIES[name]
    # A new line comes first, because the library may have printed the beginning of a line.
    print_row = lambda row: print("\n" + json.dumps(row), flush=True)
    print_row({"version": version(library.package)})
    for call, case in questions(library, json.load(sys.stdin)["cases"])[first:]:
        print_row({"answer": answer(library, call, case)})


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
