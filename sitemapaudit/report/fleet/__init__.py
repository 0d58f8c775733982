"""One page and one table about the newest audit of each site."""
