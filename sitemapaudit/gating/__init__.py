"""The decision of a gate about the findings of a run, and its output for CI systems."""
