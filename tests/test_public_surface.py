"""What users build on changes only on purpose."""

from tests.public_surface import FILE, surface


def test_the_public_surface_is_the_committed_one() -> None:
    committed = FILE.read_text(encoding="utf-8").splitlines()
    now = surface()
    added, removed = sorted({*now} - {*committed}), sorted({*committed} - {*now})
    assert now == committed, (
        f"added: {added}; removed: {removed}. If that is on purpose, say it in CHANGELOG.md (and in"
        " docs/reference/public-interface.md how long the old name stays), and run:"
        " python -m tests.public_surface"
    )
