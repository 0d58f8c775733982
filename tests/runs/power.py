"""What a power cut would leave of the files that a process writes: only what was synced.

No file system that drops unsynced writes is in Debian, so ``os.fsync`` is observed in the process:
it copies the content of a synced file, or the names in a synced folder, to another folder.
"""

import json
import os
from pathlib import Path
from stat import S_ISDIR


def record_syncs(record: Path) -> None:
    """Let this process record in a folder what it syncs."""
    sync = os.fsync

    def fsync(number: int) -> None:
        sync(number)
        state = os.fstat(number)
        if S_ISDIR(state.st_mode):
            inodes = {each.name: each.inode() for each in os.scandir(number)}
            _write(record / str(state.st_ino), json.dumps(inodes).encode())
        else:
            content = Path(f"/proc/self/fd/{number}").read_bytes()
            _write(record / str(state.st_ino), content)

    os.fsync = fsync  # type: ignore[assignment]


def _write(file: Path, content: bytes) -> None:
    """Write a file at once: the process can be killed meanwhile."""
    draft = file.with_name(f"{file.name}-{os.urandom(4).hex()}")
    draft.write_bytes(content)
    draft.replace(file)


def restore(record: Path, folder: Path, into: Path) -> None:
    """Make a folder as it would be after a power cut: unsynced content and names are lost."""
    names = record / str(folder.stat().st_ino)
    into.mkdir(parents=True)
    for name, inode in json.loads(names.read_text()).items() if names.exists() else ():
        if (folder / name).is_dir():
            restore(record, folder / name, into / name)
        else:
            content = record / str(inode)
            (into / name).write_bytes(content.read_bytes() if content.exists() else b"")
