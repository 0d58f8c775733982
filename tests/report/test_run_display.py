"""A run in a notebook: the summary and a chart as HTML, without scripts."""

from pathlib import Path

import sitemapaudit
from sitemapaudit.report.run_display import render_run
from sitemapaudit.runs.manifest import Manifest, Status
from tests.report.site import HOSTILE, make_faulty_run


def test_a_run_is_displayed_as_its_summary(tmp_path: Path) -> None:
    run = sitemapaudit.open_run(make_faulty_run(tmp_path / "run").path)
    markup = run._repr_html_()
    assert markup is not None
    assert "<strong>Sitemap audit of https://www.example.com</strong>" in markup
    assert "% of 48 judged URLs are indexable" in markup.replace("\N{NO-BREAK SPACE}", " ")
    assert markup.count("<svg ") == len(run.manifest.verdicts)
    assert f'aria-label="{run.manifest.verdicts["indexable"]} URLs: indexable"' in markup
    assert f"{run.manifest.finding_count:,} findings, " in markup
    assert str(run.path) in markup


def test_texts_of_a_site_are_text() -> None:
    for text in HOSTILE:
        found = Manifest({"site": text}, {}, {}, text, Status.FAILED, reason=text)
        markup = render_run(found, Path(text))
        assert not any(each in markup.lower() for each in ("<script", "<img", "<b>", "<a "))
