"""A URL has the same template in Python and in SQL."""

import pytest

from sitemapaudit.datasets.database import connect
from sitemapaudit.urls.template import url_template


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("/", "/"),
        ("/?", "/"),
        ("/x", "/*"),
        ("/x.html", "/*.html"),
        ("/shop/", "/shop/"),
        ("/shop/y/z.php?b=1&a=2&c", "/shop/*/*.php?a&b&c"),
        ("/shop//y/?q=a?b=c&", "/shop/*/*/?&q"),
        ("/shop/y.jpeg22", "/shop/*"),
        ("/shop/x/.html", "/shop/*/*.html"),
        ("/?a=%2F/x", "/?a"),
    ],
)
@pytest.mark.parametrize("host", ["www.example.com", "a.example:8080", "[::1]"])
def test_templates_are_the_same_in_sql(host: str, path: str, template: str) -> None:
    url = f"https://{host}{path}"
    with connect() as connection:
        row = connection.execute("select template_of(?)", [url]).fetchone()
    assert url_template(url) == host + template
    assert row == (host + template,)
