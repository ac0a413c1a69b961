"""The book beyond its site: one PDF, an archive that lasts, how to cite it."""
