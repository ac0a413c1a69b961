"""``python -m claimbook`` is the command ``claimbook``."""

import sys

from claimbook.cli.main import main

sys.exit(main())
