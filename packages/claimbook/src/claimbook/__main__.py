"""Run the command ``claimbook`` as ``python -m claimbook``."""

import sys

from claimbook.cli.main import main

sys.exit(main())
