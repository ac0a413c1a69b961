"""Reports on all findings together: ledger, errata, statements, highlights, reading paths."""
