"""One Scrapyd for every test."""

import json
from collections.abc import Iterator

import pytest

from tests.scrapyd.node import Node


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with Node(tmp_path_factory.mktemp("scrapyd")) as started:
        assert json.loads(started.deploy())["spiders"] == 1
        yield started
