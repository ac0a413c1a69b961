"""The command ``companion``, which reports an error if only the library is installed.

This module is separate because everything in ``ndcg_book`` needs the engine.
"""

import sys
from importlib.util import find_spec


def main(words: list[str] | None = None) -> int:
    """Call the command line of the book, and return its exit code, or 2 if the engine is not installed."""
    if find_spec("claimbook") is None:
        from ndcg_companion.exits import complain
        from ndcg_companion.extras import lacking

        complain("companion", lacking("claimbook"))
        return 2
    from ndcg_book.cli import main as command_line

    return command_line(words)


if __name__ == "__main__":
    sys.exit(main())
