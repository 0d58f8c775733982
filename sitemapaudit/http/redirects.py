"""Redirect statuses, and the number of redirects that are followed."""

from typing import Final

REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
"""Statuses that redirect by ``Location`` (RFC 9110 section 15.4)."""

MAX_HOPS: Final = 20
"""Redirects that are followed from one page or sitemap."""

ROBOTS_MAX_HOPS: Final = 5
"""Redirects that are followed from a robots.txt (RFC 9309 section 2.3.1.2)."""
