"""The generators of sites: how they are recognized, and which of their settings correct a fault."""
