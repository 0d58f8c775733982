"""The CSV tables of an export: a folder, a zip file, or one CSV file."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final, TypeVar
from zipfile import BadZipFile, ZipFile

import pandas as pd
from pandas.errors import EmptyDataError, ParserError

from sitemapaudit.given_files import MAX_BYTES, read_bytes

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

T = TypeVar("T")


class ExportError(ValueError):
    """A file is not the expected export; the message is one sentence."""


def read_table(path: Path, names: Sequence[str]) -> pd.DataFrame:
    """Return the first of these tables in an export, its cells as text.

    ``path`` is a CSV file, or a folder or zip file with one of ``names``. Raises ExportError, and
    OSError if the file cannot be read.
    """
    if path.is_dir():
        return _read_csv(_first(path, {file.name: file for file in path.iterdir()}, names))
    if path.suffix.lower() != ".zip":
        return _read_csv(path)
    with _open_archive(path) as archive:
        files = {Path(name).name: name for name in archive.namelist()}
        with archive.open(_first(path, files, names)) as table:
            content = table.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ExportError(f"a table in {path} is larger than {MAX_BYTES:,} bytes")
    return _parse(content, path)


def has_table(path: Path, name: str) -> bool:
    """Return whether a folder or zip file has a table. Raises the errors of ``read_table``."""
    if path.is_dir():
        return (path / name).is_file()
    if path.suffix.lower() != ".zip":
        return False
    with _open_archive(path) as archive:
        return any(Path(each).name == name for each in archive.namelist())


@contextmanager
def _open_archive(path: Path) -> Iterator[ZipFile]:
    """Open a zip file; raise ExportError for what its content makes impossible."""
    try:
        with ZipFile(path) as archive:
            yield archive
    except (BadZipFile, EOFError, zlib.error):
        raise ExportError(f"{path} is not a zip file, or is damaged") from None
    except (NotImplementedError, RuntimeError):
        raise ExportError(f"{path} is encrypted, or compressed in a way that is not read") from None


def read_numbers(column: pd.Series) -> pd.Series:
    """Return displayed numbers as floats: ``1,234``, ``6.5%`` (0.065), and null for blanks."""
    text = column.str.strip().str.replace(",", "", regex=False)
    is_share = text.str.endswith("%").fillna(value=False)
    numbers: pd.Series = pd.to_numeric(text.str.removesuffix("%"), errors="coerce")
    return numbers.where(~is_share, numbers / 100)


def _first(path: Path, files: Mapping[str, T], names: Sequence[str]) -> T:
    for name in names:
        if name in files:
            return files[name]
    raise ExportError(f"{path} has no {' or '.join(names)}")


def _read_csv(file: Path) -> pd.DataFrame:
    return _parse(read_bytes(file), file)


def _parse(content: bytes, path: Path) -> pd.DataFrame:
    encoding = "utf-16" if content.startswith(_UTF_16) else "utf-8-sig"
    try:
        return pd.read_csv(BytesIO(content), dtype="str", encoding=encoding, keep_default_na=False)
    except (EmptyDataError, ParserError, UnicodeDecodeError):
        raise ExportError(f"{path} is not a CSV table") from None
