"""Read Gradescope's files: the export of an assignment, and the folder that its autograder gets for one submission.

The export has `submission_<id>/` folders and a YAML file with their submitters, written by Ruby: keys are symbols
(`:submitters:`), and some values have Ruby's tags. An autograder gets `submission/` and a JSON file next to it.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import yaml

from grader.intake.ambiguity import ambiguous_download
from grader.intake.file_tree import FileNode, virtual_folder
from grader.intake.names import printable
from grader.intake.submission import IntakeError
from grader.intake.upload import Upload, latest_attempt_finding
from grader.language import say
from grader.records import Finding

METADATA = "submission_metadata.yml"
AUTOGRADER_METADATA = "submission_metadata.json"
_MAX_METADATA = 100_000_000


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One submission as the metadata describe it."""

    folder: str
    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """The number or the address of each person: never the name, which students choose."""
    addresses: tuple[str, ...] = ()
    """The address of each person with an id, or an empty text."""
    members: tuple[str, ...] = ()
    """The people of a group: the id of each, else the name."""
    created: datetime | None = None


def gradescope_uploads(nodes: Sequence[FileNode]) -> list[Upload]:
    """The latest upload of each submitter or group. Raises `IntakeError` if different people have the same id."""
    metadata = _metadata(next(node for node in nodes if node.name == METADATA))
    folders = {node.name: node for node in nodes if node.name.startswith("submission_") and node.name != METADATA}
    attempts = [_attempt(name, metadata.get(name)) for name in sorted({*folders, *metadata})]
    by_people: dict[tuple[str, ...], list[_Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_people[tuple(sorted(attempt.ids)) or (attempt.folder,)].append(attempt)
    _check_people(attempts)
    return [_latest_upload(several, folders) for several in by_people.values()]


def _check_people(attempts: Sequence[_Attempt]) -> None:
    """Raise `IntakeError` if an id belongs to people with different addresses."""
    addresses: dict[str, dict[str, str]] = defaultdict(dict)
    for attempt in attempts:
        for id_, address in zip(attempt.ids, attempt.addresses, strict=True):
            if address:
                addresses[id_].setdefault(address.casefold(), attempt.folder)
    lines = [
        f"{printable(id_)}: {', '.join(f'{printable(address)} ({folder})' for address, folder in several.items())}"
        for id_, several in addresses.items()
        if len(several) > 1
    ]
    if lines:
        raise ambiguous_download(
            say("{n} id belongs to several students:", "{n} ids belong to several students:", n=len(lines)), lines
        )


def autograder_uploads(nodes: Sequence[FileNode]) -> list[Upload]:
    """The single submission that an autograder has to grade."""
    metadata = next(node for node in nodes if node.name == AUTOGRADER_METADATA)
    folder = next(node for node in nodes if node.name == "submission" and node.is_folder)
    fields, findings = _read_fields(metadata)
    people = [person for person in _as_list(fields.get("users")) if isinstance(person, dict)]
    ids = [str(person.get("email") or person.get("id")) for person in people if person.get("email") or person.get("id")]
    due, extended = _deadline(fields, people)
    return [
        Upload(
            id=ids[0] if len(ids) == 1 else f"submission_{fields.get('id', '')}",
            name=", ".join(str(person["name"]) for person in people if person.get("name")),
            content=virtual_folder("", [folder]),
            source=folder.name,
            platform="gradescope",
            members=tuple(ids) if len(ids) > 1 else (),
            submitted_at=_time(fields.get("created_at")),
            due=due,
            extended=extended,
            findings=findings,
        )
    ]


def _read_fields(node: FileNode) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """Gradescope's metadata of a submission, or a finding if they cannot be read."""
    try:
        fields = json.loads(_content(node).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        fields = None
    if isinstance(fields, dict):
        return fields, ()
    text = say(
        "Gradescope's {file} cannot be read, so the student and the submission time are unknown.", file=node.name
    )
    help_ = say("It is graded anyway. If it is marked as late, or not listed as yours, tell your instructor.")
    return {}, (Finding(code="unreadable", text=text, help=help_),)


def _deadline(fields: Mapping[str, Any], people: Sequence[Mapping[str, Any]]) -> tuple[datetime | None, bool]:
    """The deadline (for a group, the latest of its members), and whether it is later than the usual one."""
    usual = _due_date(fields)
    own = [date for person in people if (date := _due_date(person) or usual) is not None]
    due = max(own, default=usual)
    return due, due is not None and usual is not None and due > usual


def _due_date(fields: Mapping[str, Any]) -> datetime | None:
    assignment = fields.get("assignment")
    return _time(assignment.get("due_date")) if isinstance(assignment, dict) else None


def _latest_upload(attempts: list[_Attempt], folders: Mapping[str, FileNode]) -> Upload:
    first = datetime.min.replace(tzinfo=timezone.utc)
    *earlier, latest = sorted(
        attempts, key=lambda attempt: (attempt.created or first, len(attempt.folder), attempt.folder)
    )
    folder = folders.get(latest.folder)
    return Upload(
        id=latest.ids[0] if len(latest.ids) == 1 else latest.folder,
        name=", ".join(latest.names) or latest.folder,
        content=virtual_folder("", [folder] if folder is not None else []),
        source=latest.folder,
        platform="gradescope",
        members=latest.members if len(latest.members) > 1 else (),
        submitted_at=latest.created,
        attempts=len(attempts),
        findings=(latest_attempt_finding(latest.folder, [attempt.folder for attempt in earlier]),) if earlier else (),
    )


def _attempt(folder: str, value: Any) -> _Attempt:
    fields = _fields(value)
    people = [_fields(person) for person in _as_list(fields.get("submitters"))]
    people = [person for person in people if any(person.get(key) for key in ("sid", "email", "name"))]
    known = [person for person in people if person.get("sid") or person.get("email")]
    if len(known) < len(people):
        known = []  # the others cannot be distinguished, so this is not joined with another attempt
    return _Attempt(
        folder,
        names=tuple(str(person.get("name") or person.get("email") or person.get("sid")) for person in people),
        ids=tuple(str(person.get("sid") or person["email"]) for person in known),
        addresses=tuple(str(person.get("email") or "") for person in known),
        members=tuple(str(person.get("sid") or person.get("email") or person.get("name")) for person in people),
        created=_time(fields.get("created_at")),
    )


def _fields(value: Any) -> dict[str, Any]:
    """A mapping with Ruby's symbols as plain keys, without colons."""
    return {str(key).lstrip(":"): item for key, item in value.items()} if isinstance(value, dict) else {}


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _time(value: Any) -> datetime | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo is not None else value.replace(tzinfo=timezone.utc)


def _metadata(node: FileNode) -> dict[str, Any]:
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Reads Ruby's tagged objects as plain mappings, lists or texts."""

    def construct_plain(loader: Any, _: str, value: Any) -> Any:
        if isinstance(value, yaml.MappingNode):
            return loader.construct_mapping(value, deep=True)
        if isinstance(value, yaml.SequenceNode):
            return loader.construct_sequence(value, deep=True)
        return loader.construct_scalar(value)

    Loader.add_multi_constructor("!ruby", construct_plain)
    try:
        metadata = yaml.load(_content(node).decode("utf-8-sig"), Loader)  # noqa: S506  derived from the safe one
    except UnicodeDecodeError as error:
        raise IntakeError(say("{name} is not in UTF-8. Export it from Gradescope again.", name=node.name)) from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{node.name}:{mark.line + 1}:{mark.column + 1}" if mark else node.name
        why = getattr(error, "problem", None) or str(error)
        raise IntakeError(
            say(
                "{where}: YAML syntax error: {why}. Export it from Gradescope again.",
                where=str(where),
                why=why,
            )
        ) from error
    return {str(key): value for key, value in metadata.items()} if isinstance(metadata, dict) else {}


def _content(node: FileNode) -> bytes:
    if node.read is None or node.size > _MAX_METADATA:
        raise IntakeError(
            say(
                "{name} is not a regular file, or is larger than {size} MB. Export it from Gradescope again.",
                name=node.name,
                size=_MAX_METADATA // 1_000_000,
            )
        )
    with node.read() as file:
        return file.read()
