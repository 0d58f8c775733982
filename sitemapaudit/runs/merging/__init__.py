"""Shards, and runs from elsewhere: collected and merged into one run."""
