"""The process that sends an alert: a job on standard input, and a list of results as output."""

import json
import os
import sys
from typing import Any


def main() -> None:
    """Send the message to each address; without a message, only check the addresses."""
    results = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # What libraries print is not a result.
    job = json.load(sys.stdin)
    succeeded = [_notify(address, job) for address in job["addresses"]]
    os.write(results, json.dumps(succeeded).encode())


def _notify(address: str, job: dict[str, Any]) -> bool:
    from apprise import Apprise, NotifyFormat  # noqa: PLC0415 - it is in an extra

    service = Apprise()
    if not service.add(address):
        return False
    if job["body"] is None:
        return True
    return bool(service.notify(job["body"], title=job["title"], body_format=NotifyFormat.TEXT))


if __name__ == "__main__":
    main()
