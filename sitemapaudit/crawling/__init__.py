"""The thin coat of network around the readers: asking, and being allowed to ask."""
