"""The program ``sitemapaudit``."""

import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from sitemapaudit import __version__
from sitemapaudit.cli.commands import command_names, summary_of
from sitemapaudit.ending import end_process
from sitemapaudit.machine import find_low_limit
from sitemapaudit.output import say

PROGRAM: Final = "sitemapaudit"

_INCOMPLETE: Final = 3


def start() -> NoReturn:
    """Run the command of this process, and end it."""
    if (fault := find_low_limit()) is not None:
        say(f"{fault.reason}; {fault.remedy}.", error=True)
        end_process(_INCOMPLETE)
    end_process(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help"):
        _print_commands()
        return 0
    if words[0] == "--version":
        say(f"{PROGRAM} {__version__}")
        return 0
    # It imports the definitions of all options, which the lines above do not need.
    from sitemapaudit.cli.program import run_command  # noqa: PLC0415

    try:
        return run_command(*words)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - it is printed
        from sitemapaudit.cli.refusals import refuse_failure  # noqa: PLC0415

        return refuse_failure(error)


def _print_commands() -> None:
    say(f"usage: {PROGRAM} COMMAND [options]\n\ncommands:")
    for name in command_names():
        say(f"  {name:<10} {summary_of(name)}")
    say(f"\n{PROGRAM} COMMAND --help shows the options of a command.")


if __name__ == "__main__":
    sys.exit(main())
