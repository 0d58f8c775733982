"""Pages of an earlier run are revalidated."""
