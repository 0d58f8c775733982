"""sitemapaudit passes every case, read in this process."""

import pytest

from sitemapaudit import urls
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error
from tests.conformance.adapters.sitemapaudit_readers import Reader
from tests.conformance.cases import HOME, MISSING, Case, read_cases, read_suite
from tests.conformance.facts import PAGE_FACTS, SITEMAP_FACTS, differences

SITE = "http://127.0.0.1:8000"


def failure(case: Case) -> str | None:
    """Say how the facts differ from all that are acceptable."""
    replies = case.replies(SITE)

    def fetch(url: str) -> Response:
        if urls.origin(url) != SITE:
            return Response(url, error=Error.REFUSED)
        path = urls.request_target(url)
        reply = replies.get(path, HOME if path == "/" else MISSING)
        headers = {
            name.lower(): [line.strip() for line in lines] for name, lines in reply.headers.items()
        }
        return Response(url, reply.status, headers, reply.body)

    found = Reader(fetch).read(case.kind, SITE + case.start)
    told = PAGE_FACTS if case.kind == "page" else SITEMAP_FACTS
    results = [differences(each, found, told) for each in case.acceptable(SITE)]
    return None if [] in results else f"{case.id}: {results}"


@pytest.mark.parametrize("topic", read_suite().topics)
def test_every_case_of_a_topic_passes(topic: str) -> None:
    assert [*filter(None, map(failure, read_cases(topic)))] == []
