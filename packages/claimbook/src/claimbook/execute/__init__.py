"""Executing chapters: papermill, kernels, a cluster, and what tells that a chapter need not run again."""
