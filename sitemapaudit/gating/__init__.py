"""The decision of a gate: which findings of a run fail it, and what systems are told."""
