"""The ledger: what a running audit appends, and what is read from it again."""
