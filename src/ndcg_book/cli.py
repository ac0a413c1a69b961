"""The command ``companion``, which is the command line of all books with the extras of this book."""

from claimbook.cli.main import COMMANDS, CommandLine
from ndcg_companion import __version__
from ndcg_companion.extras import lacking

main = CommandLine(
    "companion",
    "Re-run, build and question the NDCG companion.",
    f"ndcg-companion {__version__}",
    COMMANDS,
    lacking,
)
