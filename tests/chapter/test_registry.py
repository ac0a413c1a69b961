from ndcg_companion.chapter.evidence import SHAPES
from ndcg_companion.chapter.registry import READINGS, SOURCES, registry


def test_every_row_is_complete_and_expects_a_known_verdict():
    for statement in registry().values():
        assert statement.id.split("/")[0] in SOURCES
        assert statement.expected in set(SHAPES) - {"undecided", "void"}
        assert all((statement.page, statement.place, statement.statement))
        assert statement.reading in READINGS
        assert "|" not in statement.statement + statement.place, "it would break a Markdown table"
