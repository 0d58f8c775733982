"""Decisions about runs, and what systems are told of them."""
