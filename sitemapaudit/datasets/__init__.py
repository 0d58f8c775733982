"""What a run leaves on disk: the ledger, the tables, and the way back to both."""
