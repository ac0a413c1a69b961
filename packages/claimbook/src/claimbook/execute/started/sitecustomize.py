"""Record the inputs of each Python process that a chapter starts, such as a joblib worker.

Python imports a module of this name when it starts. This folder is the first in the PYTHONPATH of the
chapter's child processes, so they find this module. This module then loads any other module of the same name.
"""

import os
import sys
from contextlib import suppress
from importlib import import_module

_HERE = os.path.dirname(os.path.abspath(__file__))
_this_module = sys.modules[__name__]

if __name__ == "sitecustomize":
    if file := os.environ.get("CLAIMBOOK_INPUTS"):
        # The engine may not be installed in another Python, and the program may outlive the kernel, at whose
        # end the record is removed.
        with suppress(ImportError, OSError):
            from claimbook.execute.inputs import start_recording

            start_recording(file)
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != _HERE]
    del sys.modules[__name__]
    with suppress(ImportError):
        import_module(__name__)  # the module that this one hides, if there is one
    sys.modules.setdefault(__name__, _this_module)
