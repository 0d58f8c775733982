"""The catalogue of checks: one rule, one file, and the file's name is its id.

A rule exists because its file does: nothing is registered. Its docstring is
its page (see :class:`sitemapaudit.rules.rule.Rule`).
"""
