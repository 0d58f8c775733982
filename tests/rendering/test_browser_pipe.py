"""What the browser sends to its driver is bounded, whatever a page writes."""

import json
from typing import Any

import pytest

from sitemapaudit.rendering import browser_pipe
from sitemapaudit.rendering.browser_pipe import MAX_ERROR, MAX_ERRORS, MAX_EVENT, MessageFilter


def passed(*messages: dict[str, Any], piece: int = 65_536) -> list[dict[str, Any]]:
    """Return what the driver gets if the browser sends messages, in pieces of so many bytes."""
    text = b"".join(json.dumps(each, separators=(",", ":")).encode() + b"\0" for each in messages)
    pieces = (text[start : start + piece] for start in range(0, len(text), piece))
    through = MessageFilter()
    found = b"".join(message for each in pieces for message in through.feed(each))
    return [json.loads(message) for message in found.split(b"\0")[:-1]]


def console(kind: str, text: str, session: str = "A1") -> dict[str, Any]:
    params = {"type": kind, "args": [{"type": "string", "value": text}]}
    return {"method": "Runtime.consoleAPICalled", "params": params, "sessionId": session}


def event(text: str) -> dict[str, Any]:
    return {"method": "Page.frameNavigated", "params": {"url": text}, "sessionId": "A1"}


@pytest.mark.parametrize("piece", [1, 7, 65_536])
def test_other_messages_pass_as_they_are(piece: int) -> None:
    messages = [{"id": 1, "result": {"a": "b"}}, console("log", "short"), event("a"), {"id": 2}]
    assert passed(*messages, piece=piece) == messages


@pytest.mark.parametrize("piece", [977, 65_536])
def test_a_long_script_error_is_replaced(piece: int) -> None:
    messages = console("error", "x" * MAX_ERROR), console("log", "x" * MAX_ERROR), event("next")
    first, last = passed(*messages, piece=piece)
    assert first["method"] == "Runtime.exceptionThrown"
    assert first["sessionId"] == "A1"
    text = first["params"]["exceptionDetails"]["exception"]["value"]
    assert text.endswith("bytes, which is too long to be read")
    assert last == event("next")


def test_a_long_event_is_dropped_and_a_long_result_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(browser_pipe, "MAX_RESULT", MAX_EVENT)
    result = {"id": 17, "result": {"value": "x" * MAX_EVENT}, "sessionId": "B2"}
    (error,) = passed(event("x" * MAX_EVENT), result)
    assert (error["id"], error["sessionId"]) == (17, "B2")
    assert "too long to be read" in error["error"]["message"]


def test_each_page_has_a_number_of_errors() -> None:
    flood = [console("error", "x")] * (MAX_ERRORS + 10)
    found = passed(*flood, console("error", "x", "B2"), event("a"))
    assert [each["sessionId"] for each in found].count("A1") == MAX_ERRORS + 1
    assert found[-2:] == [console("error", "x", "B2"), event("a")]
