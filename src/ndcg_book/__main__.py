"""``python -m ndcg_book`` is the command ``companion``."""

import sys

from ndcg_book.cli import main

sys.exit(main())
