"""Rules about listed pages."""
