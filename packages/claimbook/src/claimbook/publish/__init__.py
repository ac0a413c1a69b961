"""The book beyond its site: a PDF, a permanent archive, and the data for citing it."""
