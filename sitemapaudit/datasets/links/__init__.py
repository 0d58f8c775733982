"""The link graph of a run, and what it says about listed and unlisted pages."""
