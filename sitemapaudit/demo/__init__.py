"""A website with planted faults. The run that audits it also serves it, on loopback."""
