"""Two runs of a site → what was added, removed, changed and fixed between them."""
