"""JSON Schemas: they describe what audits and gates write."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import duckdb
import jsonschema
import pytest

from sitemapaudit.gating.gate_record import NAME as GATE
from sitemapaudit.gating.junit import NAME as JUNIT
from sitemapaudit.items.schema import TABLES, table_columns
from sitemapaudit.report.report_page import NAME as REPORT
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.manifest import NAME as RUN
from sitemapaudit.schema_version import SCHEMA_VERSION
from sitemapaudit.schemas import SCHEMAS, json_schema
from tests.gating.runs import make_run
from tests.support.audits import Audited
from tests.support.commands import run_in_process


def read_lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def check(name: str, document: Any) -> None:
    """Check a document against the schema that the command prints."""
    schema = json.loads(run_in_process("schema", name).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    run = make_run(tmp_path)
    run_in_process("report", str(run), "--formats", "jsonl")
    assert run_in_process("gate", "--run", str(run)).returncode == 1
    return run


def test_a_gated_run_has_the_structure_that_the_schemas_describe(run: Path) -> None:
    gate = json.loads((run / GATE).read_bytes())
    assert (gate["passed"], [each["rule"] for each in gate["rules"]]) == (False, ["page-not-found"])
    assert [each["url"][-2:] for each in gate["findings"]] == ["/b", "/c"]
    check("gate", gate)
    check("run", json.loads((run / RUN).read_bytes()))
    for name in ("finding", "url"):
        rows = read_lines(run / f"{name}s.jsonl")
        assert rows
        for row in rows:
            check(name, row)


def test_each_program_finds_the_version(run: Path) -> None:
    data = (run / REPORT).read_text(encoding="utf-8")
    assert f'id="data">{{"schema_version":{SCHEMA_VERSION},' in data
    (version,) = ET.parse(run / JUNIT).iter("property")
    assert version.attrib == {"name": "schema_version", "value": str(SCHEMA_VERSION)}
    baseline = json.loads(run_in_process("baseline", str(run)).stdout)
    assert baseline["schema_version"] == SCHEMA_VERSION


def test_each_file_of_a_table_has_the_meanings_of_its_columns(run: Path) -> None:
    for table in TABLES:
        source = f"parquet_kv_metadata('{table_file(run, table)}')"
        rows = duckdb.execute(f"select decode(key), decode(value) from {source}").fetchall()
        metadata = dict(rows)
        meanings = {column.name: column.meaning for column in table_columns(table)}
        assert json.loads(metadata["columns"]) == meanings
        assert metadata["schema_version"] == str(SCHEMA_VERSION)


@pytest.mark.xdist_group("demo")
def test_the_demo_has_the_structure_that_the_schemas_describe(
    demo: Audited, tmp_path: Path
) -> None:
    check("run", json.loads((demo.run.path / RUN).read_bytes()))
    findings = tmp_path / "findings.jsonl"
    rows = f"from '{table_file(demo.run.path, 'findings')}'"
    duckdb.sql(f"copy ({rows}) to '{findings}' (format json)")
    validator = jsonschema.Draft202012Validator(json_schema("finding"))
    for row in read_lines(findings):
        validator.validate(row)


def test_a_schema_refuses_what_it_does_not_describe() -> None:
    for name in SCHEMAS:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({}, json_schema(name))


def test_a_run_of_a_later_version_is_refused_in_one_sentence(run: Path) -> None:
    manifest = json.loads((run / RUN).read_bytes())
    (run / RUN).write_text(json.dumps({**manifest, "schema_version": SCHEMA_VERSION + 1}))
    done = run_in_process("gate", "--run", str(run))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.endswith("update sitemapaudit.\n")


def test_an_unknown_schema_is_one_sentence() -> None:
    done = run_in_process("schema", "runs")
    assert done.returncode == 2
    assert done.stderr.endswith("There is no schema 'runs'; did you mean run?\n")
    listed = run_in_process("schema").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [*SCHEMAS]
