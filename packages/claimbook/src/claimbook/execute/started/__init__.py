"""What every Python imports first that a chapter starts: `sitecustomize`."""
