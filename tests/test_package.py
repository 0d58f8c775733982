"""The wheel: a new user's path from installing it into an empty environment to a first report."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from sitemapaudit import __version__
from tests.docs.site import Site
from tests.plugins.interpreters.commands import own_environment
from tests.support.paths import PROJECT

pytestmark = pytest.mark.xdist_group("package")

SOURCES = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "requirements.txt",
    "notebooks",
    "sitemapaudit",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources."""
    folder = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        source = PROJECT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, folder / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(source, folder)
    words = ["build", "--wheel", "--no-isolation", "--outdir", str(folder / "dist"), str(folder)]
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True)
    (built,) = (folder / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an empty environment that borrows the dependencies of this one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    install = ["pip", "--python", str(python), "install", "--quiet", "--no-deps", str(wheel)]
    subprocess.run([sys.executable, "-m", *install], check=True)
    paths = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", vars=paths))
    # A path in a .pth file adds the packages, and not the checkout that is installed with them.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python.parent


def run(program: Path, *words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [program, *words],
        cwd=cwd,
        env=own_environment() | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_it_has_everything_that_the_program_reads(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for pattern in ("**/*.py", "py.typed", "report/templates/*", "report/assets/*", "rules/*.json"):
        for file in (PROJECT / "sitemapaudit").glob(pattern):
            assert file.relative_to(PROJECT).as_posix() in names
    assert not [name for name in names if name.startswith(("tests/", "docs/", "benchmarks/"))]


def test_notebooks_are_a_part_of_it(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    found = sorted(PROJECT.glob("notebooks/*.ipynb"))
    assert len(found) > 5
    assert {f"sitemapaudit/notebooks/{file.name}" for file in found} <= {*names}


def test_metadata(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
    metadata = message_from_bytes(archive.read(name))
    assert metadata["Version"] == __version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_all("Provides-Extra") == [
        "xlsx", "stores", "notebooks", "scrapyd", "notify", "dask", "mcp",
        "serve",
    ]  # fmt: skip
    required = metadata.get_all("Requires-Dist") or []
    always = [text for text in required if "extra ==" not in text]
    names = {text.partition(";")[0].rstrip("0123456789.<>=!,").lower() for text in always}
    assert {"scrapy", "scrapy-playwright", "itemadapter", "pandas", "pytz"} <= names
    assert not names & {"pip", "xlsxwriter", "jupyterlab", "scrapyd", "setuptools", "pyarrow"}


def test_a_new_user_gets_a_report_in_an_empty_folder(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    work = tmp_path / "work"
    work.mkdir()
    with Site(tmp_path / "site" / "files") as site:
        done = run(programs / "sitemapaudit", "audit", site.origin, "--pages", "3", cwd=work)
    assert done.returncode == 0, done.stdout + done.stderr
    (report,) = work.glob("audits/*/*/report.html")
    assert report.stat().st_size > 50_000
    code = (
        "import duckdb, sitemapaudit; run = sitemapaudit.open_run('audits'); print(len(run.urls));"
        "print(len(duckdb.sql(f\"select * from '{run.path}/urls.parquet'\").fetchall()));"
        "print(sitemapaudit.__file__)"
    )
    read = run(programs / "python", "-c", code, cwd=work)
    assert read.returncode == 0, read.stderr
    urls, rows, place = read.stdout.split()
    assert urls == rows == "4"
    assert Path(place).is_relative_to(programs.parent)


@pytest.mark.parametrize("command", ["audit", "report", "compare", "repair", "rules", "schedule"])
def test_each_command_has_help(programs: Path, command: str, tmp_path: Path) -> None:
    done = run(programs / "sitemapaudit", command, "--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"usage: sitemapaudit {command}" in done.stdout


def test_the_docker_image_installs_what_the_project_names() -> None:
    dockerfile = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
    ignored = (PROJECT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    pyproject = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    for line in dockerfile.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (PROJECT / source).exists(), line
                assert f"!{source.split('/')[0]}" in "\n".join(ignored), line
    assert pyproject["project"]["scripts"]["sitemapaudit"] == "sitemapaudit.cli.main:start"
    assert 'ENTRYPOINT ["sitemapaudit"]' in dockerfile
    assert "USER sitemapaudit" in dockerfile
