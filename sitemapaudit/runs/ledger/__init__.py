"""The ledger: a running audit appends rows, and results are built from them."""
