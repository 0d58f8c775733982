"""Alerts: what is new and what is fixed since the previous run, sent by Apprise."""
