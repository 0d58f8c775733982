"""Runs the program of child processes: ``python -m sitemapaudit.workers PROGRAM PIPES …``.

The program is a module of this package: ``worker`` or ``reader``. ``PIPES`` are two numbers of a
process: ``ORDERS:ANSWERS``. With several, this process starts one for each: see ``starting``.
"""

import signal
import sys

from sitemapaudit.garbage import reduce_collections
from sitemapaudit.workers.starting import Pipes, run, start_all

if __name__ == "__main__":
    # Ctrl-C reaches all processes of a terminal; only the main process handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    reduce_collections()  # Otherwise collecting garbage takes 10 % of the time for imports.
    program, *numbers = sys.argv[1:]
    all_pipes = [Pipes.parse(each) for each in numbers]
    if len(all_pipes) == 1:
        run(program, all_pipes[0])
    start_all(program, all_pipes)
