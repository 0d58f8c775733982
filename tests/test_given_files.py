"""Files of others are read within a limit, whatever they are."""

import os
import threading
from pathlib import Path

import pytest

from sitemapaudit import given_files
from sitemapaudit.given_files import UnusableFileError, read_bytes, read_text


def test_a_text_is_read_with_and_without_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    for start in ("", "\ufeff"):
        file.write_text(f"{start}é\n", encoding="utf-8")
        assert read_text(file) == "é\n"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UnusableFileError, match=r"^it is not a text in UTF-8$"):
        read_text(file)


def test_no_more_than_the_limit_is_read(tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as large:
        large.truncate(2**40)
    with pytest.raises(UnusableFileError, match=r"^it is larger than 1,000 bytes$"):
        read_bytes(file, 1_000)
    with pytest.raises(UnusableFileError, match="larger"):
        read_bytes(Path(os.devnull).with_name("zero"), 1_000)
    os.truncate(file, 1_000)
    assert read_bytes(file, 1_000) == bytes(1_000)


def test_pipes_are_read_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"a" * 200_000,))
    writer.start()
    assert read_bytes(pipe) == b"a" * 200_000
    writer.join()
    monkeypatch.setattr(given_files, "PATIENCE", 0.1)
    with pytest.raises(UnusableFileError, match="nothing arrived"):
        read_bytes(pipe)


def test_what_is_no_file_has_a_reason(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone"):
        with pytest.raises(OSError) as refused:  # noqa: PT011 - any
            read_bytes(path)
        assert refused.value.strerror
