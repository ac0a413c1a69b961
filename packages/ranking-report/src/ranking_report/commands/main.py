"""The command ``companion``: that of every book, and the two of this project."""

from claimbook.cli.main import COMMANDS as ENGINE
from claimbook.cli.main import CommandLine
from ndcg_companion import __version__

OWN = {name: f"ndcg_companion.commands.{name}" for name in ("power", "report")}


def _lacking(package):
    from ndcg_companion.data.extras import lacking  # here, for its package brings SciPy

    return lacking(package)


main = CommandLine(
    "companion",
    "Re-run, build and question the NDCG companion.",
    f"ndcg-companion {__version__}",
    ENGINE | OWN,
    _lacking,
)
