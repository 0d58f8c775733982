"""Child processes that fetch and read pages, for one run that uses all cores."""
