"""The tables of a run: built from its ledger by SQL, opened for analysis, exported."""
