"""Run the command ``ranking-report`` as ``python -m ranking_report``."""

import sys

from ranking_report.commands.main import main

sys.exit(main())
