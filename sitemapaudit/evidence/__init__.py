"""External data about a site, read from files: exports of search engines, and server logs."""
