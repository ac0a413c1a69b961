"""Contain `sitecustomize`, which each Python process that a chapter starts imports."""
