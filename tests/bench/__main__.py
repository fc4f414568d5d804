"""Print the figures: `python -m tests.bench`, or some of them: `python -m tests.bench boards`."""

import sys

from tests.bench import boards, ladder, players, referee, run

SECTIONS = {
    "boards": boards.report,
    "players": players.report,
    "ladder": ladder.report,
    "referee": referee.report,
    "run": run.report,
}


def main() -> None:
    wanted = sys.argv[1:] or list(SECTIONS)
    for name in wanted:
        if name not in SECTIONS:
            sys.exit(f"there is no bench {name!r}: choose from {', '.join(SECTIONS)}")
        print(f"== {name}\n\n{SECTIONS[name]()}\n", flush=True)


if __name__ == "__main__":
    main()
