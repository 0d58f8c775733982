"""Runs the program of a child process: ``python -m sitemapaudit.workers PROGRAM``.

The program is a module of this package: ``worker`` or ``reader``.
"""

import signal
import sys
from importlib import import_module

from sitemapaudit.garbage import reduce_collections

if __name__ == "__main__":
    # Ctrl-C reaches all processes of a terminal; only the main process handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    reduce_collections()  # Otherwise collecting garbage takes 10 % of the time for imports.
    import_module(f"{__package__}.{sys.argv[1]}").main()
