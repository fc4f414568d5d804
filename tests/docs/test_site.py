"""The documentation builds as a site without a warning, and the site loads nothing from elsewhere."""

import re
import subprocess
import sys

import pytest

from tests.command import PROJECT
from tests.docs.markdown import DOCS, PAGES

pytest.importorskip("sphinx", reason="the site needs the extra [docs]")
pytest.importorskip("furo", reason="the site needs the extra [docs]")
pytest.importorskip("myst_parser", reason="the site needs the extra [docs]")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", folder / "trees"]
    done = subprocess.run(
        [*command, "docs", folder / "html"], cwd=PROJECT, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_every_page_is_built(site):
    for page in PAGES:
        assert (site / page.relative_to(DOCS).with_suffix(".html")).is_file(), page


def test_the_site_loads_nothing_from_elsewhere(site):
    loaded = re.compile(r"<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=\"(?:https?:)?//[^\"]+\"[^>]*>")
    for page in site.rglob("*.html"):
        assert loaded.findall(page.read_text(encoding="utf-8")) == [], page
