"""requirements.lock has everything that the project installs: exact versions with hashes."""

import re
from collections import defaultdict

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import Version

from tests.support.paths import PROJECT
from tests.versions import bounds as private_bounds

FILES = [
    file.relative_to(PROJECT).as_posix()
    for file in (PROJECT / "requirements.txt", *PROJECT.glob("[!.]*/**/requirements.txt"))
]
PYTHONS = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")
LOCK = (PROJECT / "requirements.lock").read_text(encoding="utf-8")
ENTRIES = [text for text in re.split(r"\n(?=\S)", LOCK.strip()) if not text.startswith("#")]


def locked() -> dict[NormalizedName, list[Requirement]]:
    """Return the entries of the lock by name; some have one for each of several Pythons."""
    entries = defaultdict(list)
    for text in ENTRIES:
        entry = Requirement(text.partition("\\")[0])
        entries[canonicalize_name(entry.name)].append(entry)
    return entries


def required(file: str) -> list[Requirement]:
    lines = (PROJECT / file).read_text(encoding="utf-8").splitlines()
    return [Requirement(line.partition("#")[0]) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("file", FILES)
def test_the_lock_satisfies_each_requirement(file: str, python: str) -> None:
    environment = {"python_full_version": python}
    entries = locked()
    for requirement in required(file):
        found = [
            entry
            for entry in entries[canonicalize_name(requirement.name)]
            if entry.marker is None or entry.marker.evaluate(environment)
        ]
        assert len(found) == 1, f"{requirement}: run make lock UPGRADE="
        (pin,) = found[0].specifier
        assert requirement.specifier.contains(Version(pin.version)), f"{requirement}: {pin}"


@pytest.mark.parametrize("requirement", private_bounds().values(), ids=str)
def test_packages_with_private_parts_are_used_up_to_their_next_minor_version(
    requirement: Requirement,
) -> None:
    ends = {each.operator: Version(each.version) for each in requirement.specifier}
    assert (ends["<"].major, ends["<"].minor) == (ends[">="].major, ends[">="].minor + 1)


def test_each_entry_is_one_version_with_hashes() -> None:
    for text in ENTRIES:
        first, *hashes = text.split(" \\\n")
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*( ; .+)?", first), first
        assert hashes, first
        for line in hashes:
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}", line), line


def test_it_names_no_host_and_no_folder() -> None:
    assert not re.search(r"://|@|--(?:extra-)?index|--find-links|--trusted", LOCK)
    assert not re.search(r"(?:^|\s)\.{0,2}/\w", LOCK)
