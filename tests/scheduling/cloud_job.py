"""The program with which Scrapy Cloud starts a job."""

from sh_scrapy.crawl import main

if __name__ == "__main__":
    main()
