"""Self-contained HTML pages: one file each, without network access, safe to open from disk or from an email.

To add a page, write `templates/NAME.html.j2`:

    {% extends "page.html.j2" %}
    {% block main %}<section class="card"><h2>{{ say("Results") }}</h2> … </section>{% endblock %}

and render it with `page("NAME.html.j2", speak, title=…, scripts=("NAME.js",), data={…}, rows=…)`. Jinja2 escapes all
values; templates use `say` and `speak` for texts and numbers, and `breakable` for names. Scripts and additional style sheets
are files in `templates/`. A script reads its data, including its own texts, with
`JSON.parse(document.getElementById("data").textContent)`, which pages with games have as `pageData`, and adds texts to the
page only as `textContent`. The content security policy allows the page's own scripts and styles by their hash and nothing
else: no `onclick=`, no `style=`, no requests. `page.css` lists the classes.
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
from grader.reports.isolation import isolation_warning
from grader.reports.verification import render_seal

TEMPLATES = Path(__file__).parent / "templates"

_INERT = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Escapes for the characters that could end a script element or a line in it."""

_BREAKS = re.compile(r"(?<=[_.@-])(?=\w)")


def page(
    template: str,
    speak: Language,
    *,
    title: str,
    scripts: Sequence[str | Path] = (),
    styles: Sequence[str | Path] = (),
    data: Any = None,
    student_data: Sequence[Any] = (),
    **values: Any,
) -> str:
    """Render a page. `scripts` and `styles` are names of files in `templates/`, or paths; `data` is for the scripts.

    `student_data` is the part of it that belongs to one student each, which scripts read only when they need it.
    """
    sources = [_source(name) for name in scripts]
    style = "".join(_source(name) for name in ("page.css", *styles))
    text = (
        templates()
        .get_template(template)
        .render(
            lang=speak.name,
            say=speak.say,
            speak=speak,
            breakable=breakable,
            code=mark_code,
            render_seal=render_seal,
            isolation_warning=isolation_warning,
            title=title,
            version=__version__,
            policy=_policy(sources, style),
            style=Markup(style),  # noqa: S704  from a file of the grader
            scripts=[Markup(source) for source in sources],  # noqa: S704  from files of the grader
            data=None if data is None else embed_json(data),
            student_data=map(embed_json, student_data),
            **values,
        )
    )
    return text.encode(errors="replace").decode()  # a player's output may contain lone surrogates


def embed_json(data: Any) -> Markup:
    """Data as JSON that is safe inside a script element, whatever texts it contains."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_INERT)
    return Markup(text)  # noqa: S704  it contains no character that is special in HTML


def breakable(name: str) -> Markup:
    """A name that may be broken after the punctuation between its words, as in `ana_perez`."""
    return Markup("<wbr>").join(_BREAKS.split(name))


def mark_code(text: str) -> Markup:
    """A text in which the parts between backticks are marked as code."""
    parts = [
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(text.split("`"))
    ]
    return Markup("").join(parts)


def _policy(scripts: Sequence[str], style: str) -> str:
    """The content security policy: nothing may be loaded, and only these scripts may run."""
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
def templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
