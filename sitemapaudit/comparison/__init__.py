"""Two runs of a site → the differences between them: added, removed, changed, fixed."""
