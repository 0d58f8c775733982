"""The rules of a user."""
