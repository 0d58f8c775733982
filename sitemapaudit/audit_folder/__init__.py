"""A folder of audits, as programs read it: its runs by name, bounded answers, and new audits."""
