"""Rules about the site as a whole, across files and pages."""
