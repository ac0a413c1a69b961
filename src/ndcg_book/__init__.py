"""Configuration of this book for the engine: sources, tables and kinds of parameters.

A chapter begins with ``page = Page("its-name")``, the `Page` of this book.
"""

from pathlib import Path

from claimbook.book import Book, Source
from claimbook.text import minus
from ndcg_companion import __version__

__all__ = ["BOOK", "Page", "minus"]


def _is_curve(text):
    from ndcg_companion.theory import parse_curve  # imported here because its package imports SciPy

    return parse_curve(text) is not None


def _are_curves(text):
    """Return whether the text is one curve or several with spaces between them."""
    return bool(text.split()) and all(map(_is_curve, text.split()))


def _is_coupling(text):
    """Return whether the text is a coupling that needs no share, unlike the shared top."""
    from ndcg_companion.theory import parse_coupling

    return parse_coupling(text)[0] != "shared-top"


def _is_discount(text):
    from ndcg_companion.measures import parse_discount

    return parse_discount(text) is not None


BOOK = Book(
    name="ndcg-companion",
    version=__version__,
    command="companion",
    packages=("ndcg_book", "ndcg_companion", "ranking_report", "ndcg_conformance"),
    content=Path(__file__).with_name("content"),
    sources=(
        Source(
            key="wang",
            name="Wang et al. 2013",
            short="Wang et al.",
            title="A Theoretical Analysis of NDCG Ranking Measures (Wang et al. 2013)",
        ),
        Source(
            key="deck",
            name="Wang et al., slides",
            short="Wang et al., slides",
            title="The slides of that paper",
            division="Slides",
            prefix="slides, ",
        ),
        Source(
            key="rankdcg",
            name="Katerenchuk and Rosenberg 2016",
            short="Katerenchuk and Rosenberg",
            title="RankDCG (Katerenchuk and Rosenberg 2016)",
            division="Poster",
            parts=("constraint", "common metrics", "rankdcg", "test results", "real data results"),
        ),
        Source(
            key="linear",
            name="Jin and Geng",
            short="Jin and Geng",
            title="Linear NDCG and Pair-wise Loss (Jin and Geng)",
        ),
        Source(
            key="open",
            name="left open by Wang et al. 2013",
            short="Wang et al.",
            title="Left open by Wang et al.",
            own=True,
        ),
        Source(key="beyond", name="this book", title="Results of this book", own=True),
    ),
    own="C",
    values={
        "a curve": _is_curve,
        "curves": _are_curves,
        "a coupling": _is_coupling,
        "a discount": _is_discount,
    },
    preload=(
        "scipy.stats",
        "scipy.integrate",
        "scipy.optimize",
        "ndcg_book.axes",
        "ndcg_companion.simulation",
    ),
    data={
        "Digits": "handwritten digits of scikit-learn",
        "load_films": "films of MovieLens",
        "ClickModel": "simulated clicks",
        "REGIMES": "simulated clicks",
    },
    extras="ndcg_companion.extras",
    install='%pip install -q "..[chapter]" ../packages/*',  # until a package index has the names
    links={"chapters/what-your-library-computes": ("ndcg_conformance", "conformance")},
    moved={
        "chapters/api-book": "chapters/api-chapter",
        "chapters/ledger": "chapters/statements",
        "chapters/errata": "chapters/statements",
        "chapters/notation": "chapters/glossary",
        "chapters/proportional-cutoffs": "chapters/short-cutoffs",
    },
    reference={
        "chapter": "claimbook",
        **{
            name: f"ndcg_companion.{name}"
            for name in ("measures", "theory", "simulation", "data", "significance")
        },
        "evaluation": "ranking_report",
    },
    figures="ndcg_book.figures",
    synonyms={
        r"\bproofs? of (theorem|lemma|claim) (\d+)": "$1 $2",
        r"\bsklearn\b": "scikit",
        r"\bformula\b": "definition",
        r"\bcut ?offs?\b": "cut off",
        r"\b(bootstrap|t tests?|p values?)\b": "significance",
    },
    answers={
        r"(pip )?install(ing|ation)?|download|set ?up|get it|requirements": "get-it",
        r"licen[cs]e|copyright": "get-it#licence",
        r"(how to )?cite|citation|bibtex": "get-it#cite-it",
        r"(what is )?(mrr|(mean )?reciprocal rank)": "classical-metrics#when-to-use-which",
        r"(what is (a |the )?)?discounts?( function)?": "glossary#term-discount",
        r"pandas|(pandas )?data ?frames?": "your-own-rankings",
        r"ties|tied scores": "conventions",
        r"trec_eval": "what-your-library-computes",
        r"bias": "short-cutoffs#why-a-larger-cut-off-limits-the-noise-a-larger-proportion-can-bring-bias",
        r"table 1": "rankdcg#rankdcg-table-tests",
        r"(a b|ab) test(s|ing)?|power( analysis)?|effect size|sample size|ndcg 10": (
            "how-many-queries-are-enough"
        ),
        r"what is ndcg|ndcg": "scoring-a-ranking",
        r"n?dcg (formula|definition)|(formula|definition) (of|for) n?dcg": (
            "scoring-a-ranking#wang-definition-1"
        ),
        r"MAP|(what is )?mean average precision": "classical-metrics",
        r"((what is|definition of) )?(told|telling|tell) apart": "what-telling-apart-means",
        r"sampled (metrics|measures|evaluation)|unjudged( (documents|items|results))?": "judged-and-sampled",
        r"confidence intervals?": "your-own-rankings",
        r"lightgbm|catboost|xgboost|(sklearn|scikit learn) (metrics )?ndcg[ _]score": (
            "what-your-library-computes"
        ),
        r"cut ?offs?": "glossary#term-cut-off",
        r"lambdamart": "other-data-other-pictures#boosted-trees-a-ranker-that-is-not-linear",
        r"early stopping|(optional )?stopping|peek(ing)?|when (may i|can i|to) stop": "when-may-i-stop",
        r"(my )?own (data|runs|rankings|systems)|my (data|runs|rankings|systems)": "your-own-rankings",
        r"bonferroni|holm|multiple (comparisons|testing)": "your-own-rankings",
    },
    proofs=Path(__file__).parents[2] / "proofs" / "results.json",
    paths={"hour": "an hour", "day": "a day", "all": "everything"},
)
Page = BOOK.page
