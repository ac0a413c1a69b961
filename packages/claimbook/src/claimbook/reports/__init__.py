"""Reports on all findings: ledger, errata, statements, highlights, reading paths."""
