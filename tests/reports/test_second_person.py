"""Students read "your player" about their own player only."""

import pytest

from grader.language import language, say
from grader.reports.second_person import SECOND_PERSON, WRAPPERS, to_student
from tests.language.sources import messages

ENGLISH, SPANISH = to_student(language("en")), to_student(language("es"))
RAISED = say("The player raised {what}.", what="KeyError")


def test_every_replaced_sentence_is_one_that_the_grader_records():
    recorded = set(messages())

    assert set(SECOND_PERSON) <= recorded
    assert recorded >= WRAPPERS


@pytest.mark.parametrize(
    ("text", "english"),
    [
        (RAISED, "Your player raised KeyError."),
        (
            say("{text} This happened at {where}.", text=RAISED, where="a.py:1"),
            "Your player raised KeyError. This happened at a.py:1.",
        ),
        (
            say("The course's opponent {name} failed. {text}", name="ninja", text=RAISED),
            "The course's opponent ninja failed. The player raised KeyError.",
        ),
        ("The player raised {what}.", "The player raised {what}."),
    ],
)
def test_only_a_fault_of_the_student_is_put_in_the_second_person(text, english):
    assert ENGLISH(text) == english


def test_it_is_said_in_the_language_of_the_reports():
    assert SPANISH(RAISED) == "Tu jugador lanzó KeyError."
    assert language("es")(RAISED) == "El jugador lanzó KeyError."
