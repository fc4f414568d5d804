"""What a worker answers, encoded and decoded."""

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
        UnitResult(fault=say("the machine is too busy")),
    ],
)
def test_an_outcome_is_read_as_it_was_written(outcome):
    assert codec.decode_answer(codec.encode_answer(outcome)) == outcome


def test_a_message_comes_over_as_one_that_can_be_said_in_another_language():
    read = codec.decode_answer(codec.encode_answer(UnitResult(fault=say("{seconds} s", seconds=3))))

    assert isinstance(read, UnitResult) and isinstance(read.fault, Message)
    assert read.fault.values == {"seconds": 3}


@pytest.mark.parametrize(
    "letter", ["", "[]", "null", '{"kind": "trial"}', '{"kind": "played", "records": [{}], "fault": ""}', "[" * 100_000]
)
def test_what_is_no_answer_of_a_worker_is_said_to_be_none(letter):
    with pytest.raises(RecordError, match="this is no"):
        codec.decode_answer(letter)


def test_what_is_no_outcome_is_told_apart():
    lost = codec.decode_answer(codec.encode_answer(WorkersLost("it died")))

    assert isinstance(lost, WorkersLost) and str(lost) == "it died"
    assert codec.decode_answer(codec.encode_answer(codec.UnknownRun("tcp://a:1"))) == codec.UnknownRun("tcp://a:1")
    assert codec.decode_answer(
        codec.encode_answer(codec.MissingPackages("tcp://a:1", ("a", "b")))
    ) == codec.MissingPackages("tcp://a:1", ("a", "b"))
    assert codec.decode_answer(codec.encode_answer(codec.WorkerFailure("tcp://a:1", "no room"))) == codec.WorkerFailure(
        "tcp://a:1", "no room"
    )
