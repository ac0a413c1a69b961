"""``python -m ndcg_companion`` is the command ``companion``."""

import sys

from .commands.main import main

sys.exit(main())
