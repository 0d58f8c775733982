"""The website with planted faults, served on loopback by the run that audits it."""
