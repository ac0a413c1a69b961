"""Reports on all findings: ledger, errata, statements, highlights and reading paths."""
