"""Pages that need nothing but themselves: one file each, no network, safe to open from disk or from a mail.

To make a page of your own, write `templates/NAME.html.j2`:

    {% extends "page.html.j2" %}
    {% block main %}<section class="card"><h2>{{ say("Results") }}</h2> … </section>{% endblock %}

and render it with `page("NAME.html.j2", speak, title=…, scripts=("NAME.js",), data={…}, rows=…)`. Values are escaped by
jinja2, `say` and `speak` are there for what people read, and `breakable` for names. Scripts and further style sheets are
files in `templates/`; a script reads its data with `JSON.parse(document.getElementById("data").textContent)`, puts every
text into the page by `textContent`, and has its own words in the data. The policy in the head allows the page's own scripts
and styles by their hash and nothing else: no `onclick=`, no `style=`, no request whatever. `page.css` says which classes
there are.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from grader import __version__
from grader.language import Language

TEMPLATES = Path(__file__).parent / "templates"

_INERT = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""What could end a script element, or a line of one, written so that it cannot."""

_PARTS = re.compile(r"(?<=[_.@-])(?=\w)")


def page(
    template: str,
    speak: Language,
    *,
    title: str,
    scripts: Sequence[str | Path] = (),
    styles: Sequence[str | Path] = (),
    data: Any = None,
    **values: Any,
) -> str:
    """The whole page. `scripts` and `styles` are files in `templates/`, or anywhere by their path; `data` is what the scripts read."""
    sources = [_source(name) for name in scripts]
    style = "".join(_source(name) for name in ("page.css", *styles))
    written = _templates().get_template(template)
    whole = written.render(
        lang=speak.name,
        say=speak.say,
        speak=speak,
        breakable=breakable,
        title=title,
        version=__version__,
        policy=_policy(sources, style),
        style=Markup(style),  # noqa: S704  ours, from a file
        scripts=[Markup(source) for source in sources],  # noqa: S704  ours, from files
        data=None if data is None else embed_json(data),
        **values,
    )
    return whole.encode(errors="replace").decode()  # what a player printed may hold half a sign, which no file can


def embed_json(data: Any) -> Markup:
    """Data as JSON that may stand in a script element, whatever texts are in it."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_INERT)
    return Markup(written)  # noqa: S704  no sign is left in it that HTML knows


def breakable(name: str) -> Markup:
    """A name that may go on in the next line behind the signs that part its words, as in `ana_perez`."""
    return Markup("<wbr>").join(_PARTS.split(name))


def _policy(scripts: Sequence[str], style: str) -> str:
    """Nothing may be loaded, and nothing may run but these scripts."""
    allowed = " ".join(map(_hash, scripts)) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


@cache
def _source(name: str | Path) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
