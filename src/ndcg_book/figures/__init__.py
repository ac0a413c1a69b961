"""The figures of the book, one module for each chapter."""
