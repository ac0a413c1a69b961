"""Compute the measures of this package, with exact means over ties, for ir_measures."""

from ndcg_companion.checks import check_choice, fail_if
from ndcg_companion.text import escaped
from ranking_report.choices import TIES, Ties
from ranking_report.measure_names import parse_package_measure
from ranking_report.readers.ids import as_texts, without_zeros
from ranking_report.readers.joining import join
from ranking_report.readers.memory import rows_of_value
from ranking_report.scoring import score


def _pairs(rows):
    """Return the pairs of query and item in `Rows`, with all ids as texts.

    >>> _pairs(rows_of_value({1: {7: 2.0}}, "score", "run"))
    {('1', '7')}
    """
    queries, items = (as_texts(ids.texts)[ids.codes].tolist() for ids in (rows.query, rows.item))
    return {*zip(queries, items)}


def _refuse_floats(rows, judged):
    """Reject ids in a run that differ from judged ids only by a trailing ``.0``.

    Notes
    -----
    Programs that read ids as floats add ``.0``. A query with such an id would count 0, as if nothing had been
    retrieved.

    Examples
    --------
    >>> rows, judged = (rows_of_value({id_: {"d": 1}}, "score", "run") for id_ in (7.0, 7))
    >>> _refuse_floats(rows, judged)
    Traceback (most recent call last):
    ...
    ValueError: run: expected the ids of the qrels, got query '7.0' beside '7'; make ids texts or integers
    """
    for name, column, judged_column in (
        ("query", rows.query, judged.query),
        ("document", rows.item, judged.item),
    ):
        judged_ids = set(as_texts(judged_column.texts).tolist())
        judged_id_without_zeros = {without_zeros(id_): id_ for id_ in judged_ids}
        for id_ in as_texts(column.texts).tolist():
            similar_id = judged_id_without_zeros.get(without_zeros(id_))
            fail_if(
                id_ not in judged_ids and similar_id is not None,
                f"{rows.source}: expected the ids of the qrels, got {name} '{escaped(id_)}' beside "
                f"'{escaped(similar_id)}'; make ids texts or integers",
            )


def _converted(converter):
    """Return the mapping or the rows that a converter of ir_measures wraps."""
    is_mapping = converter.predict_type()[0] == "dict_of_dict"
    return converter.as_dict_of_dict() if is_mapping else [*converter.as_namedtuple_iter()]


def ir_measures_provider(ties: Ties = "average"):
    """Return a provider with which ir_measures computes this package's measures.

    The methods of the provider are ``calc_aggregate``, ``iter_calc``, ``calc`` and ``evaluator``. The
    provider computes nDCG, AP, RR, P, R, Rprec, Success, RBP, ERR and Judged, with the names and parameters
    of ir_measures.

    Parameters
    ----------
    ties : {"average", "trec_eval", "best", "worst"}
        The treatment of equal scores: the mean over all their orders, trec_eval's order (which ir_measures
        also uses), the best order, or the worst order.

    Returns
    -------
    ir_measures.providers.Provider

    Raises
    ------
    ModuleNotFoundError
        If ir_measures is not installed.

    Notes
    -----
    As in ir_measures, the score is 0 for a query without a relevant document and for a query that the run
    lacks. As everywhere in this package, ids are compared as texts, so query 1 in a DataFrame is query "1" in
    a file. Query 1.0 is a different query. A run that contains the id 1.0 is rejected if the judgments
    contain the id 1, and vice versa.

    Examples
    --------
    In an environment that has ir_measures::

        from ir_measures import nDCG
        from ranking_report import ir_measures_provider
        ir_measures_provider().calc_aggregate([nDCG @ 10], qrels, run)
    """
    check_choice("ties", ties, TIES)
    from ir_measures import providers, util

    class Evaluator(providers.Evaluator):
        """An evaluator of runs against judgments that are read only once."""

        def __init__(self, measures, qrels):
            self.parsed_measures = [parse_package_measure(str(measure)) for measure in measures]
            self.judged = rows_of_value(qrels, "label", "qrels")
            self.judged.refuse_twice()
            self.judged_pairs = _pairs(self.judged)
            queries = qrels if isinstance(qrels, dict) else (query for query, _ in self.judged_pairs)
            super().__init__(measures, {*map(str, queries)})

        def _iter_calc(self, run):
            run = _converted(util.RunConverter(run))
            if not (any(run.values()) if isinstance(run, dict) else run):
                return
            rows = rows_of_value(run, "score", "run")
            rows.refuse_twice()
            _refuse_floats(rows, self.judged)
            # Without a judged result, every score is 0, the default of ir_measures.
            if self.judged_pairs.isdisjoint(_pairs(rows)):
                return
            rankings = join(self.judged, {"run": rows}, missing="zero")
            # The scores have the shape (measures, systems, queries), with a single system.
            for measure, (values,) in zip(self.measures, score(rankings, self.parsed_measures, ties)):
                for query, value in zip(rankings.queries, values):
                    yield util.Metric(query_id=str(query), measure=measure, value=float(value))

    class Provider(providers.Provider):
        NAME = "ranking_report"

        def supports(self, measure):
            measure.validate_params()
            try:
                return bool(parse_package_measure(str(measure)))
            except ValueError:
                return False

        def _evaluator(self, measures, qrels):
            return Evaluator([*measures], _converted(util.QrelsConverter(qrels)))

    return Provider()
