"""Record what a Python reads that a chapter starts, such as a worker of joblib's.

Python imports a module of this name when it begins. This folder stands first in the PYTHONPATH of what a
chapter starts, so that this module is found, and then steps aside for another one of the name.
"""

import os
import sys
from contextlib import suppress
from importlib import import_module

_HERE = os.path.dirname(os.path.abspath(__file__))
_own = sys.modules[__name__]

if __name__ == "sitecustomize":
    if file := os.environ.get("CLAIMBOOK_INPUTS"):
        # Another Python may lack the engine; and a program may outlive the kernel, which ends the record.
        with suppress(ImportError, OSError):
            from claimbook.execute.inputs import begin

            begin(file)
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != _HERE]
    del sys.modules[__name__]
    with suppress(ImportError):
        import_module(__name__)  # the one that this one hides, if there is one
    sys.modules.setdefault(__name__, _own)
