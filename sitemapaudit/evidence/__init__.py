"""External data about a site, from files: exports of search engines, and logs of its servers."""
