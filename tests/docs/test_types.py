"""The types of columns in other programs are known for every column."""

from docs.generated.types import EVERY_TYPE


def test_each_type_is_known() -> None:
    assert EVERY_TYPE["VARCHAR[]"] == "ARRAY<STRING>"
    assert EVERY_TYPE["TIMESTAMPTZ"] == "TIMESTAMP"
    records = {kind for kind in EVERY_TYPE if kind.startswith("STRUCT")}
    assert {EVERY_TYPE[kind] for kind in records} <= {"RECORD", "ARRAY<RECORD>"}
