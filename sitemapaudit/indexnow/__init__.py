"""Changed URLs → batches of the IndexNow protocol, which can be sent to search engines.

The protocol: indexnow.org/documentation.
"""
