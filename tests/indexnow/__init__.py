"""IndexNow: keys, batches, and what endpoints answer."""
