"""Helpers of the cache between builds: digests of its contents, and a lock for one build at a time."""

import hashlib
import json
import os
import platform

from claimbook.writing import hold


def digest(made_of):
    """A digest of what something is made of, given as anything that JSON can hold."""
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def sole_build(folder):
    """Keep other builds out of ``folder``, as a context; ValueError that says who is at work."""
    return hold(folder, f"process {os.getpid()} on {platform.node() or 'this machine'} is building")
