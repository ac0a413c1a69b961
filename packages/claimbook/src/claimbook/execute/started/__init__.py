"""The module `sitecustomize`, which each Python that a chapter starts imports."""
