"""Encode and decode the answers of workers as JSON, so that nothing a player made is ever unpickled.

Dask itself unpickles what workers send (this text, and what they report about themselves): workers are trusted, players are
not.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

from grader.engine.base import WorkersLost
from grader.engine.jobs import Trial, UnitResult
from grader.errors import RecordError
from grader.language import from_json, say, to_json
from grader.records import as_json, read_fault, read_record
from grader.sandbox.protocol import clean

JobOutcome = Trial | UnitResult | WorkersLost
"""The result of a job, or that it was lost."""


@dataclass(frozen=True, slots=True)
class UnknownRun:
    """The answer of a worker that has no session for this run: it is new, or was restarted."""

    worker: str


@dataclass(frozen=True, slots=True)
class MissingPackages:
    """The answer of a worker that needs packages before it can do the job."""

    worker: str
    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorkerFailure:
    """The answer of a worker on which the grader's own code failed, and would fail again."""

    worker: str
    why: str


WorkerAnswer = UnknownRun | MissingPackages | WorkerFailure | JobOutcome
"""All that a worker can answer when it is given a job."""

_KINDS = {UnknownRun: "unknown run", MissingPackages: "missing packages", WorkerFailure: "failed"}


def encode_answer(answer: WorkerAnswer) -> str:
    """The text of a worker's answer."""
    if isinstance(answer, WorkersLost):
        return json.dumps({"kind": "lost", "why": to_json(str(answer))})
    if isinstance(answer, Trial):
        return json.dumps({"kind": "trial", **answer.as_json(), "error": to_json(answer.error)})
    if isinstance(answer, UnitResult):
        records = as_json(answer.records)
        return json.dumps({"kind": "played", "records": records, "fault": to_json(answer.fault), "busy": answer.busy})
    return json.dumps({"kind": _KINDS[type(answer)], **asdict(answer)})


def decode_answer(text: str) -> WorkerAnswer:
    """The answer in a text. Raises `RecordError` for anything else: the other end may not be our worker."""
    try:
        return _decode(json.loads(text))
    except RecordError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise RecordError(say("not a valid response from a worker ({problem})", problem=repr(error)[:200])) from error


def _decode(data: dict[str, Any]) -> WorkerAnswer:
    kind = data["kind"]
    if kind == "unknown run":
        return UnknownRun(str(data["worker"]))
    if kind == "missing packages":
        return MissingPackages(str(data["worker"]), tuple(str(digest) for digest in data["digests"]))
    if kind == "failed":
        return WorkerFailure(str(data["worker"]), clean(data["why"]))
    if kind == "lost":
        return WorkersLost(_decode_text(data["why"]))
    if kind == "trial":
        fault = data["fault"] and read_fault(data["fault"])
        return Trial(fault=fault, seconds=float(data["seconds"]), error=_decode_text(data["error"]))
    records = tuple(read_record(record) for record in data["records"])
    return UnitResult(records=records, fault=_decode_text(data["fault"]), busy=data["busy"] is True)


def _decode_text(data: Any) -> str:
    return from_json(data) if isinstance(data, list) else str(data)
