"""Requests that the server refuses, and what it answers to the others."""

import pytest

from tests.serving.conftest import RUN, Server

pytestmark = pytest.mark.xdist_group("serving")

PATHS = ["/", "/started", "/runs", f"/report?run={RUN}", f"/download?run={RUN}&name=urls.csv"]
FORMS = {"/start": {"site": "www.example.com"}, "/stop": {"number": "1"}, "/resume": {"run": RUN}}


@pytest.mark.parametrize("path", [*PATHS, "/nowhere", "/static/x.css", "/?token=wrong", "/?token="])
def test_nothing_is_answered_without_the_secret(server: Server, path: str) -> None:
    for cookie in ("", f"{server.cookie.partition('=')[0]}=wrong", "token=x"):
        for method in ("GET", "HEAD", "POST", "OPTIONS"):
            reply = server.ask(path, method=method, cookie=cookie)
            assert reply.status == 401
            assert "example" not in reply.body


def test_the_address_lets_a_browser_in(server: Server) -> None:
    assert server.address.startswith("http://127.0.0.1:")
    token = server.address.partition("?")[2]
    reply = server.ask(f"/?{token}", cookie="")
    assert (reply.status, reply.headers["location"]) == (303, "/")
    _, *attributes = reply.headers["set-cookie"].split("; ")
    assert attributes == ["HttpOnly", "Path=/", "SameSite=strict"]
    page = server.ask("/").body
    assert token.partition("=")[2] not in page + reply.headers["set-cookie"]
    assert server.cookie.partition("=")[2].partition(";")[0] not in page


@pytest.mark.parametrize(
    "hosts", [(), ("evil.example",), ("127.0.0.1",), ("localhost:1",), ("{host}", "evil.example")]
)
def test_only_its_own_host_is_answered(server: Server, hosts: tuple[str, ...]) -> None:
    reply = server.ask("/", hosts=tuple(host.format(host=server.host) for host in hosts))
    assert reply.status in (400, 403)
    assert "example" not in reply.body.replace("evil.example", "")
    assert server.ask("/", hosts=(server.host.replace("127.0.0.1", "localhost"),)).status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_no_other_website_gets_an_answer(server: Server, site: str) -> None:
    for path in PATHS:
        assert server.ask(path, headers={"Sec-Fetch-Site": site}).status == 403
    for path, form in FORMS.items():
        assert server.ask(path, form, headers={"Sec-Fetch-Site": site}).status == 403


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "multipart/form-data"}, 415),
        ({"form_token": ""}, 403),
        ({"form_token": "wrong"}, 403),
        ({"more": "x" * 10_000}, 413),
    ],
    ids=str,
)
def test_a_form_of_another_page_does_nothing(
    server: Server, changes: dict[str, str], status: int
) -> None:
    headers = {name: value for name, value in changes.items() if name[0].isupper()}
    fields = {name: value for name, value in changes.items() if not name[0].isupper()}
    started = server.ask("/started").body
    for path, form in FORMS.items():
        assert server.ask(path, {**form, **fields}, headers=headers).status == status
    assert server.ask("/started").body == started
    for path in FORMS:
        assert server.ask(path).status == 405


@pytest.mark.parametrize("path", [*PATHS, "/nowhere", "/report?run=..%2Fx"])
def test_each_answer_has_the_headers_that_protect_it(server: Server, path: str) -> None:
    headers = server.ask(path).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    if path.startswith("/report?run=www"):
        policy = headers["content-security-policy"]
        assert policy.startswith("sandbox allow-scripts ")
        assert "allow-same-origin" not in policy
        assert "allow-forms" not in policy


@pytest.mark.parametrize(
    "path",
    [
        "/report?run=../outside",
        "/report?run=%2Fetc",
        "/report?run=www.example.com/../../outside",
        "/download?run={run}&name=run.json",
        "/download?run={run}&name=../run.json",
        "/compare?later={run}&earlier=../outside",
        "/compare?later={run}&earlier={run}",
        "/runs/../../etc/passwd",
        "/report",
    ],
)
def test_other_files_do_not_exist(server: Server, path: str) -> None:
    assert server.ask(path.format(run=RUN)).status == 404


def test_a_mistake_in_the_form_is_said_next_to_it(server: Server) -> None:
    reply = server.ask("/start", {"site": "www.example.com", "pages": "<b>"})
    assert reply.status == 400
    assert "pages: &#39;&lt;b&gt;&#39; is not all, none" in reply.body
    assert 'value="www.example.com"' in reply.body
    assert server.ask("/stop", {"number": "7"}).status == 404
    assert server.ask("/resume", {"run": "../x"}).status == 404
