"""What all findings together say: ledger, errata, statements, highlights, reading paths."""
