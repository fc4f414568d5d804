"""`python -m tests.language.catalogue`: bring the catalogue of translations up to date with what the program says.

New texts are added without a translation and printed; what nobody says any more is dropped; translations stay. Write what
is missing into the .po file, and run it again: it also compiles the .mo file, which is what the program reads.
"""

import io
import sys
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from grader.language import CATALOGUES, DOMAIN
from tests.language.click_phrases import PHRASES, PLURALS
from tests.language.sources import messages

LOCALE = "es"
FILE = Path(CATALOGUES) / LOCALE / "LC_MESSAGES" / f"{DOMAIN}.po"
COMPILED = FILE.with_suffix(".mo")
_ALWAYS = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""The date of every catalogue, so that the same texts give the same files."""


def main() -> int:
    """Update and compile the catalogue, and say what lacks a translation."""
    catalogue = updated(read(FILE))
    FILE.write_bytes(written(catalogue))
    COMPILED.write_bytes(compiled(catalogue))
    missing = untranslated(catalogue)
    for message in missing:
        print(message.id)
    print(f"{len(missing)} of {len(catalogue)} texts in {FILE.name} lack a translation")
    return 1 if missing else 0


def read(file: Path) -> Catalog:
    """The catalogue in a file."""
    with file.open("rb") as opened:
        return read_po(opened, locale=LOCALE)


def updated(old: Catalog) -> Catalog:
    """A catalogue of all that is said now, with the translations of the old one."""
    new = Catalog(
        locale=LOCALE,
        project=DOMAIN,
        version="1",
        header_comment="# What the grader says, in Spanish. `python -m tests.language.catalogue` keeps it up to date.",
        creation_date=_ALWAYS,
        revision_date=_ALWAYS,
        fuzzy=False,
    )
    said = messages()
    phrases = [phrase for phrase in PHRASES if phrase not in said]
    everything: list[tuple[str | tuple[str, str], str]] = [*_by_file(said)]
    everything += [(phrase, "click") for phrase in phrases]
    everything += [(forms, "click") for forms in PLURALS]
    for text, file in everything:
        known = old.get(text if isinstance(text, str) else text[0])
        new.add(text, known.string if known is not None else None, auto_comments=[file])
    return new


def _by_file(said: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    return sorted(((text, min(files)) for text, files in said.items()), key=lambda one: (one[1], one[0]))


def written(catalogue: Catalog) -> bytes:
    """The catalogue as a .po file."""
    text = io.BytesIO()
    write_po(text, catalogue, width=120)
    return text.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """The catalogue as a .mo file."""
    data = io.BytesIO()
    write_mo(data, catalogue)
    return data.getvalue()


def untranslated(catalogue: Catalog) -> list[Message]:
    """The texts that have no translation, or half of one."""
    return [message for message in catalogue if message.id and not _whole(message.string)]


def _whole(translation: str | list[str] | tuple[str, ...] | None) -> bool:
    return all(translation) if isinstance(translation, list | tuple) and translation else bool(translation)


if __name__ == "__main__":
    sys.exit(main())
