"""Make the book of the chapters: execution, freshness, evidence, rendering."""
