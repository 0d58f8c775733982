"""Peak memory of reading the sitemaps only, by the number of listed URLs.

``python benchmarks/memory_by_size.py 100000 1000000``
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measuring import Measured, audit_command, measure, website


def read(urls: int) -> Measured:
    """Read the sitemaps of a website that lists so many URLs."""
    with website(urls) as origin, tempfile.TemporaryDirectory() as folder:
        done = measure(audit_command(origin, Path(folder), "-a", "pages=none"))
        assert f"{urls:,} listed URLs" in done.output, done.output
        return done


def main() -> None:
    """Measure each size, and print the figures and their ratio to the first."""
    sizes = [int(word) for word in sys.argv[1:]] or [100_000, 1_000_000]
    runs = [read(size) for size in sizes]
    print(f"{'URLs':>12}{'wall s':>9}{'CPU s':>9}{'peak MB':>9}{'to first':>10}")
    for size, run in zip(sizes, runs, strict=True):
        ratio = run.megabytes / runs[0].megabytes
        print(
            f"{size:>12,}{run.seconds:>9.1f}{run.processor_seconds:>9.1f}"
            f"{run.megabytes:>9.0f}{ratio:>10.2f}"
        )


if __name__ == "__main__":
    main()
