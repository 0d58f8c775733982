"""URLs that changed → batches of the IndexNow protocol, and search engines that receive them.

The protocol: indexnow.org/documentation.
"""
