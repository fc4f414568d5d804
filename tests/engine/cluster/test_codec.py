"""The answers of workers, encoded and decoded."""

import pytest

from grader.engine.base import WorkersLost
from grader.engine.cluster import codec
from grader.engine.jobs import Trial, UnitResult
from grader.errors import RecordError
from grader.language import Message, say
from grader.records import Ending, Fault


@pytest.mark.parametrize(
    "outcome",
    [
        Trial(fault=None, seconds=0.5),
        Trial(fault=None, error=say("{name} could not be started", name="ana")),
        Trial(fault=Fault(ending=Ending.LOAD_ERROR, text=say("No {what}.", what="player"), help="Write one.")),
        UnitResult(fault=say("the machine is too busy"), busy=True),
        UnitResult(fault=say("an opponent failed")),
    ],
)
def test_an_outcome_is_decoded_as_it_was_encoded(outcome):
    assert codec.decode_answer(codec.encode_answer(outcome)) == outcome


def test_a_decoded_message_can_still_be_translated():
    read = codec.decode_answer(codec.encode_answer(UnitResult(fault=say("{seconds} s", seconds=3))))

    assert isinstance(read, UnitResult) and isinstance(read.fault, Message)
    assert read.fault.values == {"seconds": 3}


@pytest.mark.parametrize(
    "text", ["", "[]", "null", '{"kind": "trial"}', '{"kind": "played", "records": [{}], "fault": ""}', "[" * 100_000]
)
def test_an_invalid_answer_is_a_record_error(text):
    with pytest.raises(RecordError, match="not a valid"):
        codec.decode_answer(text)


def test_answers_without_an_outcome_survive_encoding():
    lost = codec.decode_answer(codec.encode_answer(WorkersLost("it died")))

    assert isinstance(lost, WorkersLost) and str(lost) == "it died"
    assert codec.decode_answer(codec.encode_answer(codec.UnknownRun("tcp://a:1"))) == codec.UnknownRun("tcp://a:1")
    assert codec.decode_answer(
        codec.encode_answer(codec.MissingPackages("tcp://a:1", ("a", "b")))
    ) == codec.MissingPackages("tcp://a:1", ("a", "b"))
    assert codec.decode_answer(codec.encode_answer(codec.WorkerFailure("tcp://a:1", "no room"))) == codec.WorkerFailure(
        "tcp://a:1", "no room"
    )
