"""From the ledger of a run to its results, in the process of the crawl or a separate one."""
