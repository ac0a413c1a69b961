"""``python -m ndcg_companion`` is the command ``companion``."""

import sys

from .book.cli import main

sys.exit(main())
