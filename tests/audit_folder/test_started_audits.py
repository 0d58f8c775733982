"""What users of a server give becomes the options of an audit, and no others."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.audit_folder import started_audits
from sitemapaudit.audit_folder.started_audits import (
    StartedAudits,
    audit_words,
    option_descriptions,
)
from sitemapaudit.cli.commands import load_command
from sitemapaudit.cli.program import make_parser
from sitemapaudit.config.options import ConfigError

PARSER = make_parser(load_command("audit"))
TEXTS = st.one_of(
    st.text(),
    st.sampled_from(
        ["--sites=x", "-s", "--", "--help", "-sAUDIT_DIR=x", "a -- b", "a\n--open", "@x"]
    ),
)


@given(st.dictionaries(st.sampled_from(["site", "pages", "links", "render", "speed"]), TEXTS))
def test_no_value_is_another_option(values: dict[str, str]) -> None:
    try:
        words = audit_words({"site": "www.example.com", **values})
    except ConfigError:
        return
    options = PARSER.parse_args(words)
    assert options.site == [values.get("site", "www.example.com")]
    pairs = {*options.arguments, *options.settings}
    names = {option.key: option.name for option in option_descriptions().values()}
    texts = {key: text for key, text in values.items() if text and key != "site"}
    assert pairs == {f"{names[key]}={text}" for key, text in texts.items()}
    assert not any([options.sites, options.open, options.logfile, options.config])


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "site: it is missing."),
        ({"site": " , "}, "site: it is missing."),
        ({"site": "user:pass@www.example.com"}, "user name or password"),
        ({"site": "www.example.com", "pages": "some"}, "pages: 'some' is not all"),
        ({"site": "www.example.com", "speed": "fast"}, "AUDIT_SPEED: 'fast' is not one of"),
        ({"site": "www.example.com", "folder": "/etc"}, "folder is not one of site, pages"),
    ],
)
def test_a_mistake_is_one_sentence(values: dict[str, str], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        audit_words(values)


def test_audits_end_with_the_server_and_are_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(started_audits, "MAX_RUNNING", 1)
    with StartedAudits(tmp_path) as audits:
        audit = audits.start({"site": "127.0.0.1:9"})
        with pytest.raises(ConfigError, match="1 audit at a time"):
            audits.start({"site": "127.0.0.1:9"})
        assert audits.find(1) is audit
        assert audit.child.status is None
    assert audit.child.is_stopping
    assert audit.child.status is not None
