"""A program that waits for child processes: ``python -c PROGRAM REPORTS COUNT``.

The process that has started them becomes this program, and so gives its memory back. It reports
each end to the file ``REPORTS``, as ``starting`` describes. It imports nothing of this package.
"""

import os
import sys
from contextlib import suppress

if __name__ == "__main__":
    reports, count = map(int, sys.argv[1:])
    with suppress(BrokenPipeError):  # The main process has ended, and with it all others.
        for _ in range(count):
            pid, status = os.wait()
            os.write(reports, f"ended {pid} {os.waitstatus_to_exitcode(status)}\n".encode())
