"""From the site to every sitemap file, and from each file to its entries."""
