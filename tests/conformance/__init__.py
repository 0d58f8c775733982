"""A conformance suite of sitemaps and page signals: its cases, and what runs programs on them."""
