"""Pages: the headers and the body of a response → the row of the page."""
