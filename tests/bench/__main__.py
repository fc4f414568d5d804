"""Run the benchmarks: all of them with `python -m tests.bench`, or some, e.g. `python -m tests.bench boards`."""

import argparse
import os
import platform
import sys
import time

from tests.bench.figures import Comparison, Effort, summary
from tests.bench.sections import SECTIONS
from tests.command import compile_all

BUSY = 0.5
"""The load average above which the machine does not count as idle."""


def main() -> None:
    names, effort = arguments()
    compile_all()
    print(f"{machine()}\n", flush=True)
    found = list[Comparison]()
    try:
        for name in names:
            found += run_section(name, effort)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:  # also after an interruption or an error
        if found:
            print(f"== summary\n\n{explanation(effort)}\n\n{summary(found)}", flush=True)


def arguments() -> tuple[list[str], Effort]:
    """The sections to measure, and how much of each."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Measure the figures that the documents claim, next to those of installed peers.",
        epilog="sections:\n"
        + "\n".join(f"  {name:12}{section.what} ({section.takes})" for name, section in SECTIONS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("section", nargs="*", help="default: all except overload and soak")
    parser.add_argument(
        "--quick", action="store_true", help="only check that everything works; the figures mean nothing"
    )
    options = parser.parse_args()
    effort = Effort.QUICK if options.quick else Effort.FULL
    unknown = [name for name in options.section if name not in SECTIONS]
    if unknown:
        parser.error(f"unknown section {', '.join(unknown)}: choose from {', '.join(SECTIONS)}")
    if slow := [name for name in options.section if options.quick and not SECTIONS[name].scales]:
        parser.error(f"{', '.join(slow)} has no quick version")
    default = [name for name, section in SECTIONS.items() if section.default and (section.scales or not options.quick)]
    return options.section or default, effort


def machine() -> str:
    """A line about the machine, with a warning if it is busy."""
    load = os.getloadavg()[0]
    warning = f" The machine is busy (load {load:.1f}): do not trust wall times and shares." if load > BUSY else ""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}.{warning}"


def run_section(name: str, effort: Effort) -> tuple[Comparison, ...]:
    """Run a section and print its report. Returns its comparisons for the summary."""
    began = time.monotonic()
    report = SECTIONS[name].run(effort)
    print(f"== {name} ({time.monotonic() - began:.0f} s)\n\n{report.text}\n", flush=True)
    return report.comparisons


def explanation(effort: Effort) -> str:
    """How to read the summary."""
    if effort is Effort.QUICK:
        return "Quick run: one small round each; the figures mean nothing."
    return (
        "CPU time of the best round of each, measured alternately. ratio: how many times as long the peer takes.\n"
        "in rounds: the lowest and highest ratio of a single round, and the number of rounds."
    )


if __name__ == "__main__":
    main()
