"""Samples: which URLs are drawn, and what they say about the others."""
