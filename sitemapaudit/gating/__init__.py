"""The decision of a gate: which findings of a run fail it, and its output for CI systems."""
