"""Rendering: opens chosen pages in a browser, and records what their scripts change."""
