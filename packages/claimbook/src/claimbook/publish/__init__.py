"""Produce the other forms of a book: a PDF, a permanent archive, and citation data."""
