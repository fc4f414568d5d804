"""Every link inside the project leads somewhere."""

from pathlib import Path

import pytest

from tests.command import PROJECT
from tests.docs.markdown import DOCS, PAGES, README, anchors, links

DOCUMENTS = (*PAGES, README, PROJECT / "CONTRIBUTING.md", PROJECT / "CHANGELOG.md")


def name(page: Path) -> str:
    return page.relative_to(PROJECT).as_posix()


@pytest.mark.parametrize("page", DOCUMENTS, ids=name)
def test_every_internal_link_resolves(page):
    broken = []
    for target in links(page):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        found = file.exists() and (not anchor or (file.suffix == ".md" and anchor in anchors(file)))
        if not found:
            broken.append(target)

    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_links_only_to_what_is_on_the_site(page):
    outside = [
        target
        for target in links(page)
        if not target.startswith(("http", "#"))
        and not (page.parent / target.partition("#")[0]).resolve().is_relative_to(DOCS)
    ]

    assert outside == [], "write the path as code instead: the site has only what is in docs/"


def test_every_page_is_listed_on_the_first():
    listed = {(DOCS / target).resolve() for target in links(DOCS / "index.md") if not target.startswith("http")}

    assert [name(page) for page in PAGES if page not in listed and page.name != "index.md"] == []
