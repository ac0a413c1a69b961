"""The module `sitecustomize`, imported by each Python that a chapter starts."""
