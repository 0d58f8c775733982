"""Apache with ``.htaccess``. The replies are those of Apache 2.4."""

from pathlib import Path

import pytest

from tests.builds.builds import TWINS, ask, guide_row, only_problem, open_build, write_build

FILES = (
    "index.html",
    "a.html",
    "404.html",
    "d/index.html",
    "e/home.html",
    "é.html",
    "own/.htaccess",
)
ON = "RewriteEngine On\n"
IN_ALIAS = "<IfModule mod_alias.c>\nRedirect /old /new\n</IfModule>"
REPLIES = {
    "/both": "301 /both/",
    "/both/": "200 both/index.html",
    "/empty": "301 /empty/",
    "/empty/": "403",
    "//file.html": "200 file.html",
    "/file.html/": "404",
    "/empty%2Fa.txt": "404",
    "/.htaccess": "403",
    "/gone": "404",
}

# Each case: the lines, the target of a request, and the reply.
RULES = [
    ("Redirect /old /new", "/old?q=1", "302 /new?q=1"),
    ("Redirect 301 /old /new", "/old/x", "301 /new/x"),
    ("Redirect /old /new", "/older", "404"),
    ("redirect permanent /old https://o.example/", "/old/x", "301 https://o.example//x"),
    ("Redirect gone /a.html", "/a.html", "410"),
    ("RedirectPermanent /a.html /new", "/a.html", "301 /new"),
    ("RedirectTemp /a.html /new", "/a.html", "302 /new"),
    ("Redirect /a.html /1\nRedirect /a.html /2", "/a.html", "302 /1"),
    ('RedirectMatch 301 "^/p/(.*)$" /q/$1', "/p/a%20b?q=1", "301 /q/a%20b?q=1"),
    ("RedirectMatch 403 ^/a", "/a.html", "403"),
    # A rule for the index file applies to its folder.
    ("Redirect 301 /d/index.html /d/", "/d/", "301 /d/"),
    (f"{ON}RewriteRule ^d/index /x [R,L]", "/d/", "200 d/index.html"),
    (f"{ON}RewriteRule ^d/index https://o.example/", "/d/", "302 https://o.example/"),
    (f"{ON}RewriteRule ^d/index - [F]", "/d/", "403"),
    (f"{ON}RewriteRule ^d/index /a.html [L]", "/d/", "unknown"),
    ("DirectoryIndex no.html\nRedirect 301 /d/no.html /", "/d/", "unknown"),
    (f"{ON}RewriteRule ^old$ /a.html [L]", "/old", "200 a.html"),
    (f"{ON}RewriteRule ^old$ a.html", "/old", "200 a.html"),
    (f"{ON}RewriteRule ^OLD$ /a.html [NC,L]", "/old", "200 a.html"),
    (f"{ON}RewriteRule ^old/(.*)$ /$1.html [R=301,L]", "/old/x?q=1", "301 /x.html?q=1"),
    (f"{ON}RewriteRule ^old$ /new?b=é [R,L]", "/old?q=1", "302 /new?b=%C3%A9"),
    (f"{ON}RewriteRule ^old$ /new? [R,L]", "/old?q=1", "302 /new"),
    (f"{ON}RewriteRule ^old$ https://o.example/$1", "/old", "302 https://o.example/"),
    (f"{ON}RewriteRule ^old$ new [R]", "/old", "unknown"),
    (f"{ON}RewriteBase /\nRewriteRule ^old$ new [R]", "/old", "302 /new"),
    (f"{ON}RewriteRule ^a - [F]", "/a.html", "403"),
    (f"{ON}RewriteRule ^a - [G]", "/a.html", "410"),
    (f"{ON}RewriteRule ^a - [L]\nRewriteRule ^a /d/ [L]", "/a.html", "200 a.html"),
    (f"{ON}RewriteRule ^a /x\nRewriteRule ^x /y", "/a.html", "unknown"),
    (f"{ON}RewriteRule ^(.*)$ /x$1 [L]", "/a.html", "500"),
    ("RewriteRule ^a /d/ [L]", "/a.html", "200 a.html"),
    (f"{ON}RewriteRule ^a /d/ [END]", "/a.html", "unknown"),
    (f"{ON}RewriteRule ^a - [END]\nRewriteRule ^a /d/ [L]", "/a.html", "200 a.html"),
    (f"{ON}RewriteRule ^d/?$ /d/ [L]", "/d/", "unknown"),
    # A redirect wins over an internal rewrite, and so does the slash of a folder.
    (f"{ON}RewriteRule ^a.html$ /d/ [L]\nRedirect /a.html /new", "/a.html", "302 /new"),
    (f"{ON}RewriteRule ^d$ /a.html [L]", "/d", "301 /d/"),
    (f"{ON}RewriteCond %{{HTTPS}} off\nRewriteRule ^a /x [R]", "/a.html", "unknown"),
    (f"{ON}RewriteCond %{{HTTPS}} off\nRewriteRule ^a /x [R]", "/d/", "200 d/index.html"),
    (f"{ON}RewriteRule !^a /x [R]", "/a.html", "unknown"),
    (f"{ON}RewriteRule ^a /%{{HTTP_HOST}}/ [R]", "/a.html", "unknown"),
    (f"{ON}RewriteRule ^a /x [R,E=a:b]", "/a.html", "unknown"),
    ("ErrorDocument 404 /404.html", "/gone", "404 404.html"),
    ("ErrorDocument 404 https://o.example/404", "/gone", "302 https://o.example/404"),
    ('ErrorDocument 404 "Not here"', "/gone", "404"),
    ("ErrorDocument 404 /gone.html", "/gone", "404"),
    ("ErrorDocument 404 /404.html\nRedirect /404.html /", "/gone", "unknown"),
    ("DirectoryIndex home.html", "/e/", "200 e/home.html"),
    ("DirectoryIndex home.html", "/d/", "403"),
    ("DirectoryIndex home.html\nDirectoryIndex index.html", "/d/", "200 d/index.html"),
    ("DirectorySlash Off", "/d", "unknown"),
    ("Redirect /old /new", "/own/a", "unknown"),
    (IN_ALIAS, "/old", "302 /new"),
    ("Header set Cache-Control no-cache\nOptions -Indexes", "/a.html", "200 a.html"),
    ("Header set X-Robots-Tag noindex", "/a.html", "unknown"),
    ("Options +Indexes", "/a.html", "unknown"),
    ("Require all denied", "/a.html", "unknown"),
    # Sections, headers and types that change no reply.
    ("<IfModule mod_expires.c>\nExpiresActive On\n</IfModule>", "/a.html", "200 a.html"),
    ('Header always set X-Frame-Options "DENY"', "/a.html", "200 a.html"),
    ('Header set X-Robots-Tag "noindex"', "/a.html", "unknown"),
    ("AddType application/wasm .wasm", "/a.html", "200 a.html"),
    ("AddType text/plain .html", "/a.html", "unknown"),
    ('<FilesMatch "\\.css$">\nHeader set Cache-Control x\n</FilesMatch>', "/a.html", "200 a.html"),
    ("<Files a.html>\nRedirect 301 /a.html /b\n</Files>", "/a.html", "unknown"),
    ("<IfModule alias_module>\nRedirect /old /new\n</IfModule>", "/old", "302 /new"),
    ("<IfModule mod_php.c>\nRedirect /old /new\n</IfModule>", "/a.html", "unknown"),
    ("<IfModule !mod_rewrite.c>\nRequire all denied\n</IfModule>", "/a.html", "200 a.html"),
    (f"<IfModule mod_php.c>\n{IN_ALIAS}\n</IfModule>", "/a.html", "unknown"),
    (
        "<IfModule mod_expires.c>\nExpiresActive On\n</IfModule>\nRedirect /old /new",
        "/old",
        "302 /new",
    ),
]
ERRORS = [
    ("Redirect old /new", "the path does not begin with a slash"),
    ("Redirect /old", "does not have a path, and a target if its status redirects"),
    ("Redirect 410 /old /new", "does not have a path, and a target if its status redirects"),
    ("RewriteRule ^a", "does not have a pattern and a target"),
    ("ErrorDocument 404", "does not have a status and a page"),
    ("RedirectMatch ( /new", "the pattern cannot be parsed"),
    ('Redirect "/old /new', "cannot be parsed: No closing quotation"),
    ("Redirect /old \\\n/new", "continues on the next line, which is not read"),
]


def test_the_guide(tmp_path: Path) -> None:
    assert guide_row(tmp_path, "apache") == "404 404 ok /folder/ ok ok /both/ ok ok ok"


def test_files(tmp_path: Path) -> None:
    folder = write_build(tmp_path, TWINS)
    build = open_build(tmp_path, "apache", TWINS)
    assert {target: ask(build, folder, target) for target in REPLIES} == REPLIES


def test_rules(tmp_path: Path) -> None:
    """Each case has its own lines; one folder serves all."""
    different = []
    for lines, target, expected in RULES:
        files = {**dict.fromkeys(FILES, ""), ".htaccess": lines}
        reply = ask(open_build(tmp_path, "apache", files), write_build(tmp_path, ()), target)
        if reply != expected:
            different.append((lines, target, reply, expected))
    assert different == []


@pytest.mark.parametrize(("lines", "reason"), ERRORS)
def test_errors_make_every_reply_unknown(tmp_path: Path, lines: str, reason: str) -> None:
    files = {"a.html": "", ".htaccess": lines.partition("\n/")[0]}
    name, line, found = only_problem(tmp_path, "apache", files)
    assert (name, line, found[: len(reason)]) == (".htaccess", 1, reason)
    assert open_build(tmp_path, "apache", files).reply("example.com", "/a.html").unknown
