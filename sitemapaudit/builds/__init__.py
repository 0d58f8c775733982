"""Builds of static sites: the replies of their hosting, from the files of a folder."""
