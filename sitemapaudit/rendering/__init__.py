"""Rendering: which pages a browser opens, within which bounds, and what their scripts change."""
