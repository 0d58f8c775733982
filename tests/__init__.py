"""Tests wait for no disk; what an audit syncs, and when, is observed by ``resuming/power.py``."""

import os

os.fsync = lambda fd: None  # noqa: ARG005 - its name for type checkers
