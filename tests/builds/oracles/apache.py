"""Apache with ``.htaccess``: redirects, rewrites, index files and pages of errors."""

from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import quote

from tests.builds.oracles.oracle import Case
from tests.builds.oracles.serving import ServerOracle
from tests.builds.oracles.sites import random_files, random_path
from tests.builds.oracles.tools import Tools

_MODULES: Final = (
    *("authz_core", "dir", "mime", "alias", "rewrite", "headers", "vhost_alias", "autoindex"),
    "negotiation",
)

_CONFIGURATION: Final = """
ServerRoot {folder}
PidFile {folder}/pid
ServerName localhost
Listen 127.0.0.1:{port}
ErrorLog {folder}/error.log
LoadModule mpm_event_module {modules}/mod_mpm_event.so
{loads}
TypesConfig /dev/null
UseCanonicalName Off
VirtualDocumentRoot {folder}/%1
DirectoryIndex index.html
<Directory />
    AllowOverride All
    Options FollowSymLinks
    Require all granted
</Directory>
<FilesMatch "^\\.ht">
    Require all denied
</FilesMatch>
"""

_SITE: Final = (
    *("index.html", "a.html", "b.html", "404.html", "d/index.html", "d/a.html", "e/home.html"),
    *("e/x.txt", "f/g/index.html", "h/index.htm", "n ew/é.html"),
)
_STATUSES: Final = ("", "", "permanent", "301", "302", "temp", "seeother", "307")
_SOURCES: Final = (
    *("/a.html", "/old", "/old/", "/d", "/d/", "/d/index.html", "/index.html", "/x"),
    *("/n%20ew", "/f/g"),
)
_TARGETS: Final = (
    *("/new", "/a.html", "/d/", "https://o.example/x", "/q?z=1", "/n%20ew/", "/b.html", "/"),
)
_GONE: Final = ("Redirect gone /g", "Redirect 410 /d/a.html", "Redirect 404 /a.html")
_PATTERNS: Final = (
    *("^/p/(.*)$", "^/old/(\\d+)$", "\\.php$", "^/(a|b)/?$", "/index\\.html$", "^/x(y)?/(.*)"),
)
_FILLED: Final = ("/q/$1", "/a.html", "https://o.example/$1", "/d/$2", "/q?id=$1", "/$1$2")
_REWRITTEN: Final = (
    *("^r/(.*)$", "^old$", "^(a|b)$", "^index\\.html$", "(.*)\\.php$", "^d/?$", "^x", "^$"),
    *("^A\\.html$", '"^n ew/(.*)$"'),
)
_REWRITES: Final = (
    *("/a.html", "a.html", "/$1.html", "d/$1", "/q/$1", "https://o.example/$1", "-", "/q?x=$1"),
    *("b.html?y=1", "/d/", "$1/", "/q?"),
)
_FLAGS: Final = (
    *("[L]", "[L,R=301]", "[R=302,L]", "[R]", "", "[NC,L]", "[F]", "[G]", "[L,QSA]", "[END]"),
    *("[L,NC,R=308]", "[NE,R,L]"),
)
_OTHERS: Final = (
    *("RewriteBase /", "Header set Cache-Control no-cache", "RedirectPermanent /perm /b.html"),
    *("RedirectTemp /tmp1 /b.html", "AddType text/plain .foo", "Options -Indexes"),
    *("DirectoryIndex home.html index.html", "DirectoryIndex x.txt", "DirectorySlash Off"),
    *("ErrorDocument 404 /404.html", "ErrorDocument 403 /gone.html", "DirectorySlash On"),
    *("ErrorDocument 404 https://o.example/404", 'ErrorDocument 410 "Not here"'),
    "<IfModule mod_rewrite.c>\nRewriteRule ^zz$ /b.html [L]\n</IfModule>",
)
_PATHS: Final = (
    *("/", "/d", "/d/", "/e/", "/e", "/f/", "/f/g", "/h/", "/old", "/old/", "/old/12", "/oldx"),
    *("/p/a%20b", "/x", "/xy/k", "/x/%C3%A9", "/r/a", "/r/a%20b", "/a", "/b", "/b/", "/k.php"),
    *("/g", "/gone", "/perm", "/tmp1", "/zz", "/A.html", "/n%20ew/", "/n%20ew/k", "//a.html"),
    *("/a.html/x", "/a.html/", "/.htaccess", "/d/.htpasswd", "/d%2Fa.html", "/index.html"),
    *("/d/../a.html", "/./d/", "/d/%2e%2e/a.html"),
)


class Apache(ServerOracle):
    hosting = "apache"
    cases = 60

    def install(self, tools: Tools) -> str:
        tools.debian("apache2-bin", "apache2")
        return tools.version("apache2", "-v")

    def random_case(self, random: Random) -> Case:
        if random.random() < 0.1:
            files = random_files(random)
            return Case(files, [random_path(random, [*files]) for _ in range(12)])
        lines = [_line(random) for _ in range(random.randint(1, 5))]
        engine = ["RewriteEngine On"] if random.random() < 0.85 else []
        requests = [quote("/" + name) for name in random.sample(_SITE, 4)]
        requests += random.sample(_PATHS, 10)
        queries = ("", "", "", "?q=1")
        return Case(
            {**dict.fromkeys(_SITE, ""), ".htaccess": "\n".join([*engine, *lines, ""])},
            [target + random.choice(queries) for target in requests],
        )

    def command(self, folder: Path, port: int, tools: Tools) -> list[str]:
        file, modules = folder / "apache.conf", tools.place("/usr/lib/apache2/modules")
        loads = (f"LoadModule {name}_module {modules}/mod_{name}.so" for name in _MODULES)
        text = _CONFIGURATION.format(
            folder=folder, port=port, modules=modules, loads="\n".join(loads)
        )
        file.write_text(text)
        return [tools.program("apache2"), "-D", "FOREGROUND", "-f", str(file)]


def _line(random: Random) -> str:
    kind = random.random()
    if kind < 0.25:
        status, path = random.choice(_STATUSES), random.choice(_SOURCES)
        return f"Redirect {status} {path} {random.choice(_TARGETS)}"
    if kind < 0.3:
        return random.choice((*_GONE, "RedirectMatch 403 ^/b"))
    if kind < 0.5:
        status, pattern = random.choice(("", "301", "permanent")), random.choice(_PATTERNS)
        return f"RedirectMatch {status} {pattern} {random.choice(_FILLED)}"
    if kind < 0.82:
        condition = "RewriteCond %{QUERY_STRING} q=1\n" if random.random() < 0.1 else ""
        pattern, target = random.choice(_REWRITTEN), random.choice(_REWRITES)
        return f"{condition}RewriteRule {pattern} {target} {random.choice(_FLAGS)}"
    return random.choice(_OTHERS)
