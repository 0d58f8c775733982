"""The demo website, served during the run that audits it."""

from sitemapaudit.config import Config, Scope, Site
from sitemapaudit.demo.website import Demo


class ServedDemo:
    """Serves the demo website of a configuration, from creation until ``stop``."""

    def __init__(self, config: Config) -> None:
        self._demo = Demo().start()
        if config.is_demo_later:
            self._demo.serve_week(later=True)

    @property
    def scope(self) -> Scope:
        """The sites to audit, with the actual ports of the servers."""
        sites = tuple(Site(origin) for origin in self._demo.sites)
        return Scope(sites, private_hosts=frozenset(self._demo.private_hosts))

    def stop(self) -> None:
        """Stop all servers."""
        self._demo.stop()
