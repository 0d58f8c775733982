"""``python -m sitemapaudit.cli.child``: the program, until its standard input ends.

So a command ends with the process that started it, however that ends: it stops as on SIGTERM, and
its run can be resumed. The progress of an audit is printed as lines of JSON.
"""

import os
import signal
import threading

from sitemapaudit.cli.main import start
from sitemapaudit.output import say
from sitemapaudit.runs.progress_report import listeners


def _stop_with_input() -> None:
    while os.read(0, 1):  # No buffer, whose lock would be held at the end.
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_stop_with_input, daemon=True).start()
    listeners.append(lambda report: say(report.text))
    start()
