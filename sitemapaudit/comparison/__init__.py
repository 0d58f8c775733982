"""Two runs of a site → what came, went, changed and was mended between them."""
