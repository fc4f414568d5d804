"""What a worker answers when it has played, as text: JSON of our own records, so that nothing of a player's is ever unpickled.

Dask itself unpickles what workers send, which is this text, and what they say of themselves: workers are trusted, players not.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from grader.engine.base import WorkersLost
from grader.engine.jobs import Trial, UnitResult
from grader.errors import RecordError
from grader.language import Message, from_json, say, to_json
from grader.records import as_json, read_fault, read_record
from grader.sandbox.protocol import clean

Outcome = Trial | UnitResult | WorkersLost


@dataclass(frozen=True, slots=True)
class Stranger:
    """The worker does not know of this run: it is new, or has been started again."""

    worker: str


@dataclass(frozen=True, slots=True)
class Lacks:
    """The worker has not got these parcels."""

    worker: str
    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """Something of ours went wrong on the worker, and will again."""

    worker: str
    why: str


def stranger(worker: str) -> str:
    """The answer of a worker that does not know of the run."""
    return json.dumps({"kind": "stranger", "worker": worker})


def lacks(worker: str, digests: Iterable[str]) -> str:
    """The answer of a worker that has to be sent something first."""
    return json.dumps({"kind": "lacks", "worker": worker, "digests": sorted(digests)})


def failed(worker: str, why: str) -> str:
    """The answer of a worker on which something of ours went wrong."""
    return json.dumps({"kind": "failed", "worker": worker, "why": why})


def outcome(came_of_it: Outcome) -> str:
    """The answer of a worker that has done its job."""
    if isinstance(came_of_it, WorkersLost):
        return json.dumps({"kind": "lost", "why": _text(str(came_of_it))})
    if isinstance(came_of_it, Trial):
        trial = {"fault": as_json(came_of_it.fault), "seconds": came_of_it.seconds, "error": _text(came_of_it.error)}
        return json.dumps({"kind": "trial", **trial})
    return json.dumps({"kind": "played", "records": as_json(came_of_it.records), "fault": _text(came_of_it.fault)})


def read(letter: str) -> Stranger | Lacks | Failed | Outcome:
    """What an answer says. Raises `RecordError` if it is none: whatever is there may not be the worker that it was."""
    try:
        return _read(json.loads(letter))
    except RecordError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise RecordError(say("this is no answer of a worker ({problem})", problem=repr(error)[:200])) from error


def _read(data: dict[str, Any]) -> Stranger | Lacks | Failed | Outcome:
    kind = data["kind"]
    if kind == "stranger":
        return Stranger(str(data["worker"]))
    if kind == "lacks":
        return Lacks(str(data["worker"]), tuple(str(digest) for digest in data["digests"]))
    if kind == "failed":
        return Failed(str(data["worker"]), clean(data["why"]))
    if kind == "lost":
        return WorkersLost(_read_text(data["why"]))
    if kind == "trial":
        fault = data["fault"] and read_fault(data["fault"])
        return Trial(fault=fault, seconds=float(data["seconds"]), error=_read_text(data["error"]))
    records = tuple(read_record(record) for record in data["records"])
    return UnitResult(records=records, fault=_read_text(data["fault"]))


def _text(text: str) -> Any:
    return to_json(text) if isinstance(text, Message) else text


def _read_text(data: Any) -> str:
    return from_json(data) if isinstance(data, list) else str(data)
