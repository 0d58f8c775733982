"""JSON Schemas of what other programs read: run.json, rows of two tables, and gate.json."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from sitemapaudit.gating.gate_record import GateRecord
from sitemapaudit.items import Finding, Url
from sitemapaudit.items.schema import columns
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.share import ShareSummary
from sitemapaudit.schema_version import SCHEMA_VERSION

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_TYPES: Final[Mapping[str, type]] = {
    "finding": Finding,
    "gate": GateRecord,
    "run": Manifest,
    "url": Url,
}

SCHEMAS: Final[Mapping[str, str]] = {
    "finding": "a row of findings.jsonl, or of a feed of findings",
    "gate": "gate.json: the decision of a gate",
    "run": "run.json: the manifest of a run",
    "url": "a row of urls.jsonl, or of a feed of URLs",
}
"""The document that each schema describes, by name."""


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema with a name of ``SCHEMAS``.

    It allows more properties: a later version can add some.
    """
    item = _TYPES[name]
    items = [item, ShareSummary] if item is Manifest else [item]
    _, parts = msgspec.json.schema_components(items)
    own = parts[item.__name__]
    own["description"] = SCHEMAS[name]
    if item is Manifest:
        own["properties"]["share"] = {"$ref": f"#/$defs/{ShareSummary.__name__}"}
        own["required"] = [*own["required"], "schema_version", "share"]
    if name in ("finding", "url"):
        for column in columns(item):
            own["properties"][column.name]["description"] = column.meaning
    return {
        "$schema": DIALECT,
        "$id": f"urn:sitemapaudit:{name}:{SCHEMA_VERSION}",
        "$ref": f"#/$defs/{item.__name__}",
        "$defs": parts,
    }
