"""Parts of Sphinx's configuration: the pages are plain Markdown, which repositories show too."""
