"""Alerts reach their services, and no file or output has a secret of an address."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapaudit.config import AuditSettings
from sitemapaudit.config.options import ConfigError
from sitemapaudit.redaction import RedactedLogRecord, mask_address
from tests.alerts.receiver import SECRET, Receiver
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.commands import run_in_process

pytestmark = pytest.mark.xdist_group("alerts")


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture(scope="module")
def audited(receiver: Receiver, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    addresses = f"{receiver.address('good')} {receiver.address('broken')}"
    with Website("clean") as website:
        return crawl(
            tmp_path_factory.mktemp("audits"),
            {"site": website.origin},
            {"AUDIT_NOTIFY": addresses, "LOG_LEVEL": "DEBUG"},
        )


def test_an_audit_notifies_each_service(audited: Audited, receiver: Receiver) -> None:
    assert audited.status == 0, audited.log
    good, broken = receiver.received[:2]
    assert [good["path"], broken["path"]] == [f"/good/{SECRET}", f"/broken/{SECRET}"]
    assert good["title"].endswith(": first audit")
    assert str(audited.run.path / "report.html") in good["message"]
    assert "WARNING: The alert to json://*** could not be sent" in audited.log


def test_no_file_and_no_output_has_a_secret(audited: Audited) -> None:
    files = [file for file in audited.audits.rglob("*") if file.is_file()]
    assert [file for file in files if SECRET.encode() in file.read_bytes()] == []
    assert SECRET not in audited.log + audited.output
    recorded = json.loads((audited.run.path / "run.json").read_text())["settings"]
    assert recorded["AUDIT_NOTIFY"] == ["json://***", "json://***"]


def test_a_gate_says_what_it_decided(audited: Audited, receiver: Receiver, tmp_path: Path) -> None:
    run = Path(shutil.copytree(audited.run.path, tmp_path / "run"))
    manifest = json.loads((run / "run.json").read_text())
    manifest |= {"compared_with": "an earlier run", "changes": {"new": 0, "fixed": 0}}
    (run / "run.json").write_text(json.dumps(manifest))
    before = len(receiver.received)
    words = ("gate", "--run", str(run), "--notify", receiver.address("gate"))
    assert run_in_process(*words).returncode == 0
    assert len(receiver.received) == before
    assert run_in_process(*words, "--require-baseline").returncode == 1
    assert receiver.received[-1]["title"].endswith(": the gate failed")


def test_a_wrong_address_is_one_sentence(tmp_path: Path) -> None:
    done = run_in_process("audit", "www.example.com", "--notify", f"nothing://{SECRET}")
    assert done.returncode == 2
    assert done.stderr == "AUDIT_NOTIFY: Apprise cannot use nothing://***.\n"


def test_the_environment_is_below_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_NOTIFY", f"json://a.example/{SECRET} slack://{SECRET}")
    notify = AuditSettings().notify
    assert notify == (f"json://a.example/{SECRET}", f"slack://{SECRET}")
    assert SECRET not in repr(AuditSettings())
    assert AuditSettings.read({"AUDIT_NOTIFY": "off"}).notify == ()
    assert AuditSettings.read({"AUDIT_NOTIFY": ["xmpp://a"]}).notify == ("xmpp://a",)
    with pytest.raises(ConfigError, match=r"^AUDIT_NOTIFY: address 2 is not a URL") as raised:
        AuditSettings.read({"AUDIT_NOTIFY": f"json://a.example {SECRET}"})
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("value", [f"slack://{SECRET}", [f"slack://{SECRET}"], (SECRET, "b")])
def test_scrapy_logs_no_address(value: object) -> None:
    text = "Overridden settings:\n%s"
    record = RedactedLogRecord("", 0, "", 0, text, ({"AUDIT_NOTIFY": value, "BOT": 1},), None)
    assert SECRET not in record.getMessage()
    assert "'BOT': 1" in record.getMessage()


def test_an_address_is_masked_whatever_it_is() -> None:
    assert mask_address(f"mailtos://user:{SECRET}@a.example") == "mailtos://***"
    assert mask_address(SECRET) == mask_address(f"{SECRET} ://a") == "***"
