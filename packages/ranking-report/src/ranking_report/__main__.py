"""``python -m ranking_report`` is the command ``ranking-report``."""

import sys

from ranking_report.commands.main import main

sys.exit(main())
