"""The tables of a run as CSV files, and in the formats of AUDIT_FORMATS."""
