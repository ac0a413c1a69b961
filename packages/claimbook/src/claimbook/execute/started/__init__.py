"""The module `sitecustomize`, which every Python that a chapter starts imports first."""
