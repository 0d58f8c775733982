"""Messages of Search Console: each names rules that exist, and users find them."""

from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.search_console import MESSAGES, REPORTS
from tests.support.commands import run_in_process


def test_each_pattern_matches_a_rule_and_each_report_has_messages() -> None:
    for message in MESSAGES:
        for pattern in message.patterns:
            one = type(message)(message.report, message.text, [pattern])
            assert one.rules(catalog()), (message.text, pattern)
    assert {message.report for message in MESSAGES} == REPORTS.keys()
    texts = [(message.report, message.text) for message in MESSAGES]
    assert len({*texts}) == len(texts)


def test_the_messages_are_listed_for_all_rules_and_for_some() -> None:
    everything = run_in_process("rules", "--search-console").stdout
    assert "Crawled - currently not indexed" in everything
    assert all(url in everything for url in REPORTS.values())
    some = run_in_process("rules", "--search-console", "hreflang").stdout
    assert "No return tags" in some
    assert "Soft 404" not in some


def test_a_family_of_rules_is_listed() -> None:
    word, pattern = (run_in_process("rules", name).stdout for name in ("news", "news-*"))
    assert word == pattern
    wanted = [name for name in catalog() if name.startswith("news-")]
    assert [
        line.split()[0] for line in word.splitlines() if " news-" in f" {line.lstrip()}"
    ] == wanted
    done = run_in_process("rules", "newz")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("There is no rule 'newz'")
