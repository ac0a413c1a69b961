"""The book beyond its site: a PDF, a permanent archive, and citation data."""
