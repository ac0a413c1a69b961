"""Execution of chapters: papermill, kernels, a cluster, and checks for changes."""
