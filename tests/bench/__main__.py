"""Print the figures: `python -m tests.bench`, or some of them: `python -m tests.bench boards`."""

import argparse
import os
import platform
import sys
import time

from tests.bench.figures import Comparison, Effort, summary
from tests.bench.sections import SECTIONS
from tests.command import compile_all

BUSY = 0.5
"""The load from which on a machine is not idle."""


def main() -> None:
    asked, effort = arguments()
    compile_all()
    print(f"{machine()}\n", flush=True)
    found = list[Comparison]()
    try:
        for name in asked:
            found += printed(name, effort)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:  # what was measured before somebody or something put an end to it
        if found:
            print(f"== summary\n\n{explained(effort)}\n\n{summary(found)}", flush=True)


def arguments() -> tuple[list[str], Effort]:
    """The sections to measure, and how much of each."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Print the figures that the README claims, beside those of peers that are installed.",
        epilog="sections:\n" + "\n".join(f"  {name:12}{one.what} ({one.takes})" for name, one in SECTIONS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("section", nargs="*", help="all but soak if none is named")
    parser.add_argument("--quick", action="store_true", help="only try whether it works: the figures are worth nothing")
    given = parser.parse_args()
    effort = Effort.QUICK if given.quick else Effort.FULL
    unknown = [name for name in given.section if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section {', '.join(unknown)}: choose from {', '.join(SECTIONS)}")
    if slow := [name for name in given.section if given.quick and not SECTIONS[name].scales]:
        parser.error(f"there is no quick version of {', '.join(slow)}")
    usual = [name for name, one in SECTIONS.items() if one.unasked and (one.scales or not given.quick)]
    return given.section or usual, effort


def machine() -> str:
    load = os.getloadavg()[0]
    busy = f" Something else runs here (load {load:.1f}): wall times and shares are not to be trusted." * (load > BUSY)
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}.{busy}"


def printed(name: str, effort: Effort) -> tuple[Comparison, ...]:
    """A section on the terminal, and what it has for the summary."""
    began = time.monotonic()
    report = SECTIONS[name].measured(effort)
    print(f"== {name} ({time.monotonic() - began:.0f} s)\n\n{report.text}\n", flush=True)
    return report.comparisons


def explained(effort: Effort) -> str:
    if effort is Effort.QUICK:
        return "Only a try: one small round each, figures worth nothing."
    return (
        "CPU time of the best round of each, measured in turns; ratio: how many times as long the peer takes;\n"
        "in rounds: the lowest and highest ratio of any one round, and how many there were."
    )


if __name__ == "__main__":
    main()
