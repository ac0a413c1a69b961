"""Provide the command line, with one module for each command."""
