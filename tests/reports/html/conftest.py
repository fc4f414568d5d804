"""A real browser. Without playwright or chromium, these tests are skipped."""

import shutil
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
]


def browser_program() -> str | None:
    """The path of an installed browser."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="the extra [browser] is not installed")
    program = browser_program()
    if program is None:
        pytest.skip(f"no browser found: none of {', '.join(NAMES)}")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield running
        running.close()


@pytest.fixture
def look(browser, tmp_path):
    """Opens pages: `look(text)` or `look(path=file)`, at an address in it, with any option of a browser context.

    Afterwards it checks that the page requested nothing but its own file, and that no script failed or was refused.
    Tests that expect a refusal pass a list for it as `refused`.
    """
    requested: list[str] = []
    failed: list[str] = []
    contexts: list[Any] = []

    def opened(text="", *, path=None, at="", refused=None, **options):
        file = path or tmp_path / f"page{len(contexts)}.html"
        if path is None:
            file.write_text(text, encoding="utf-8")
        context = browser.new_context(**{"reduced_motion": "reduce", **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # machines are noisy
        page.on("request", lambda request: requested.append(request.url.partition("#")[0]))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.on(
            "console",
            lambda message: (
                (failed if refused is None else refused).append(message.text) if message.type == "error" else None
            ),
        )
        page.goto(file.as_uri() + at)
        requested.remove(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert requested == []
    assert failed == []
