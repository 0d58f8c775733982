"""Exports of search engines, and logs of servers, as files that the tests write."""
