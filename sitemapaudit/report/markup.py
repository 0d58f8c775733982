"""Renders templates as self-contained pages that load nothing else."""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun, percent, seconds
from sitemapaudit.report.embedding import embedded
from sitemapaudit.report.wording import (
    describe_counts,
    describe_coverage,
    describe_gaps,
    describe_links,
    describe_listing,
    describe_new,
    describe_share,
    describe_share_change,
    describe_sources,
    share_parts,
)
from sitemapaudit.runs.durable import sync_file, sync_folder

_CODE: Final = re.compile("`([^`]+)`")
_ASSETS: Final = resources("sitemapaudit.report") / "assets"


def write_page(file: Path, text: str) -> None:
    """Write a page atomically: readers see the old one or the new one."""
    draft = file.with_suffix(".new")
    try:
        # A text of the site can contain half a surrogate pair, which UTF-8 cannot encode.
        draft.write_bytes(text.encode(errors="replace"))
        sync_file(draft)
        draft.replace(file)
        sync_folder(file.parent)
    finally:
        draft.unlink(missing_ok=True)


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in a private folder: compiling them takes 0.1 seconds.

    Jinja's folder is in the system's folder for temporary files.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template if the disk has room."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _compiled_templates() -> CompiledTemplates | None:
    try:
        return CompiledTemplates()
    except (OSError, RuntimeError):  # There is no such folder, or another user owns it.
        return None


@cache
def environment() -> Environment:
    """Return the template environment, which escapes everything."""
    made = Environment(
        loader=PackageLoader("sitemapaudit.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        bytecode_cache=_compiled_templates(),
    )
    # The result of ``embedded`` cannot end its script element.
    made.filters["embedded"] = lambda data: Markup(embedded(data))  # noqa: S704
    made.filters |= {
        "with_code": with_code,
        "percent": percent,
        "describe_share": describe_share,
        "describe_sources": describe_sources,
        "describe_share_change": describe_share_change,
        "share_parts": share_parts,
        "number": "{:,}".format,
        "seconds": seconds,
        "counted": count_noun,
        "describe_links": describe_links,
        "describe_coverage": describe_coverage,
        "describe_counts": describe_counts,
        "describe_gaps": describe_gaps,
        "describe_listing": describe_listing,
        "describe_new": describe_new,
    }
    made.globals["severities"] = list(reversed(Severity))
    return made


def with_code(text: str) -> Markup:
    """Return a text whose names between backticks are code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - it is escaped


def render(
    template: str,
    values: Mapping[str, Any],
    parts: Iterable[str],
    *,
    served: bool = False,
    more_css: str = "",
) -> str:
    """Return a page; ``parts`` are the names of its scripts.

    If it is ``served``, its forms and scripts can send requests to its server.
    """
    css = _assets(["report.css"]) + more_css
    script = _assets(f"{part}.js" for part in parts)
    return (
        environment()
        .get_template(template)
        .render(
            values,
            policy=_policy(css, script, served=served),
            css=Markup(css),  # noqa: S704 - our own
            script=Markup(script),  # noqa: S704 - our own
        )
    )


def _assets(names: Iterable[str]) -> str:
    return "\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in names)


def _policy(css: str, script: str, *, served: bool) -> str:
    """Return a Content-Security-Policy that allows only this script and these styles."""
    requests = "form-action 'self'; connect-src 'self'" if served else "form-action 'none'"
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(css)};"
        f" img-src data:; base-uri 'none'; {requests}"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
