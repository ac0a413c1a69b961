"""Execute chapters, with papermill, kernels, a cluster and checks for changes."""
