"""Executing chapters: papermill, kernels, a cluster, and the check that a chapter is current."""
