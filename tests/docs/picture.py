"""`python -m tests.docs.picture`: take the picture of a report that README shows.

Grades the examples in `submissions/`, opens `report.html` at one of their games in a browser, and writes `docs/images/report.png`.
Needs the extra `[browser]` and Chromium.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.command import grader
from tests.reports.html.conftest import QUIET, browser_program

ROOT = Path(__file__).parent.parent.parent
PICTURE = ROOT / "docs" / "images" / "report.png"
GAME = "hex_shortest_path/5"
"""The game that the report is opened at: a submission, and the number of one of its games."""


def main() -> int:
    """Grade, open, and take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        done = grader("run", ROOT / "submissions", "-o", folder, "--lang", "en")
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            return done.returncode
        PICTURE.parent.mkdir(exist_ok=True)
        take(Path(folder) / "report.html", PICTURE)
    print(f"Wrote {PICTURE.relative_to(ROOT)} ({PICTURE.stat().st_size // 1024} kB)")
    return 0


def take(report: Path, picture: Path) -> None:
    """Open a report at `GAME` and save what the window shows."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=QUIET)
        page = browser.new_page(viewport={"width": 1100, "height": 720}, color_scheme="light")
        page.goto(f"{report.as_uri()}#{GAME}")
        page.keyboard.press("End")
        page.wait_for_timeout(300)
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
