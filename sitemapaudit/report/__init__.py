"""Reports for people: the page of a run, the page of a fleet, and summaries for the terminal."""
