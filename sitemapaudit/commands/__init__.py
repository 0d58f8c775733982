"""Commands of the project: scrapy crawl, rules …"""
