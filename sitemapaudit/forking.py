"""Forks: processes that need not repeat the imports of another one."""

import os
import sys
import threading


def can_fork() -> bool:
    """Return whether a fork of this process can do any work.

    Threads do not survive a fork, and a process that uses macOS's frameworks can crash after it.
    """
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1
