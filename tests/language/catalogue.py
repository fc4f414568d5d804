"""Update the catalogue of translations from the source code: `python -m tests.language.catalogue`.

New texts are added without a translation and printed, texts no longer in use are removed, and existing translations are kept.
Write the missing translations into the .po file and run it again: it also compiles the .mo file that the program reads.
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
from tests.language.sources import Text, messages

LOCALE = "es"
FILE = Path(CATALOGUES) / LOCALE / "LC_MESSAGES" / f"{DOMAIN}.po"
COMPILED = FILE.with_suffix(".mo")
_DATE = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""A fixed date, so that the same texts always give the same file."""


def main() -> int:
    """Update and compile the catalogue, and list the texts without a translation."""
    catalogue = update(read(FILE))
    FILE.write_bytes(to_po(catalogue))
    COMPILED.write_bytes(to_mo(catalogue))
    missing = untranslated(catalogue)
    for message in missing:
        print(message.id)
    print(f"{len(missing)} of {len(catalogue)} texts in {FILE.name} lack a translation")
    return 1 if missing else 0


def read(file: Path) -> Catalog:
    """The catalogue in a file."""
    with file.open("rb") as opened:
        return read_po(opened, locale=LOCALE)


def update(old: Catalog) -> Catalog:
    """A catalogue of all current texts, with the translations of the old one."""
    new = Catalog(
        locale=LOCALE,
        project=DOMAIN,
        version="1",
        header_comment="# Spanish translations of the grader's texts. Updated by `python -m tests.language.catalogue`.",
        creation_date=_DATE,
        revision_date=_DATE,
        fuzzy=False,
    )
    found = messages()
    texts = _sort_by_file(found)
    texts += [(phrase, "click") for phrase in PHRASES if phrase not in found]
    texts += [(forms, "click") for forms in PLURALS]
    for text, file in texts:
        known = old.get(_singular(text))
        if new.get(_singular(text)) is not None:
            raise ValueError(f"{_singular(text)!r} is used both with and without a plural, or with two plurals")
        new.add(text, known.string if known is not None and known.id == text else None, auto_comments=[file])
    return new


def _sort_by_file(found: Mapping[Text, set[str]]) -> list[tuple[Text, str]]:
    texts = [(text, min(files)) for text, files in found.items()]
    return sorted(texts, key=lambda entry: (entry[1], _singular(entry[0])))


def _singular(text: Text) -> str:
    return text if isinstance(text, str) else text[0]


def to_po(catalogue: Catalog) -> bytes:
    """The content of the .po file."""
    text = io.BytesIO()
    write_po(text, catalogue, width=120)
    return text.getvalue()


def to_mo(catalogue: Catalog) -> bytes:
    """The content of the .mo file."""
    data = io.BytesIO()
    write_mo(data, catalogue)
    return data.getvalue()


def untranslated(catalogue: Catalog) -> list[Message]:
    """The texts without a translation, or without one of their plural forms."""
    return [message for message in catalogue if message.id and not _is_complete(message.string)]


def _is_complete(translation: str | list[str] | tuple[str, ...] | None) -> bool:
    return all(translation) if isinstance(translation, list | tuple) and translation else bool(translation)


if __name__ == "__main__":
    sys.exit(main())
