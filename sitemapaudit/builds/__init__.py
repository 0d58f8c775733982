"""Builds of static sites: what their hosting would reply for a path, from the files of a folder."""
