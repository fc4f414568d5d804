"""Check that the reports in a results folder match the games."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grader.language import LANGUAGES, Message, language, say
from grader.results.publish import AnyResult, compared_files

REPAIR = say("`grader report` regenerates it")
RESTORE = say("restore the folder from a backup")
"""What to do if the games cannot be trusted, either."""

FileProblem = tuple[str, Message]
"""The name of a file, and what is wrong with it."""


def check_reports(result: AnyResult, folder: Path, hint: Message = REPAIR) -> Iterator[FileProblem]:
    """The problems of the reports in a results folder, which may be in any language, with a hint what to do."""
    versions = [compared_files(result, language(name)) for name in LANGUAGES]
    for name, content in versions[0].items():
        if name.endswith(".json"):
            yield from _check_json_file(folder / name, json.loads(content), hint)
        else:
            yield from _check_table(folder / name, [files[name] for files in versions], hint)


def _check_json_file(file: Path, expected: dict[str, Any], hint: Message) -> Iterator[FileProblem]:
    list_name, id_name = ("submissions", "id") if "submissions" in expected else ("tournaments", "game")
    try:
        found = _read_json(file)
        given = {entry[id_name]: entry for entry in found[list_name]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        yield _unreadable_file(file, error, hint)
        return
    if {**found, "grader": ""} == {**expected, "grader": ""}:  # it may have been written by another version
        return
    more = (file.name, say("contains more than the grader wrote; {hint}", hint=hint))
    yield from list(_differences(file, found, given, expected, list_name, id_name)) or [more]


def _differences(
    file: Path, found: dict[str, Any], given: dict[str, Any], expected: dict[str, Any], list_name: str, id_name: str
) -> Iterator[FileProblem]:
    for entry in expected[list_name]:
        other = given.pop(entry[id_name], None)
        wrong = "" if other is None else ", ".join(name for name in entry if other.get(name) != entry[name])
        if other is None:
            yield (file.name, say("{id} is missing", id=entry[id_name]))
        elif wrong:
            text = say("these values of {id} do not match the games: {names}", id=entry[id_name], names=wrong)
            yield (file.name, text)
    for extra in given:
        yield (file.name, say("{id} is listed but played no game", id=str(extra)[:80]))
    for name in expected:
        if name not in ("grader", list_name) and found.get(name) != expected[name]:
            yield (file.name, say("{name} differs from the run's", name=name))


def _read_json(file: Path) -> Any:
    """The content of a report. Raises `ValueError` for duplicate names, which programs would read differently."""

    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(read := dict(pairs)) < len(pairs):
            raise ValueError("duplicate name")
        return read

    return json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=without_duplicates)


def _check_table(file: Path, expected: Sequence[str | bytes], hint: Message) -> Iterator[FileProblem]:
    try:
        found: str | bytes = file.read_bytes()
        if isinstance(found, bytes) and isinstance(expected[0], str):
            found = found.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        yield _unreadable_file(file, error, hint)
        return
    if found not in expected:
        yield (file.name, say("does not match the games; {hint}", hint=hint))


def _unreadable_file(file: Path, error: Exception, hint: Message) -> FileProblem:
    """The problem of a report that is missing or not readable."""
    if isinstance(error, FileNotFoundError):
        return (file.name, say("the file is missing; {hint}", hint=hint))
    return (file.name, say("the file cannot be read; {hint}", hint=hint))
