"""The commands of the program: ``sitemapaudit NAME``, and ``scrapy NAME`` in a project."""
