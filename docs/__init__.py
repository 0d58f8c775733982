"""The documentation, and the programs that make parts of it."""
