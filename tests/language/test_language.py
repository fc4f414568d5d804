"""Messages: how they are made, kept and spoken."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games.endings import ending_label, explain_ending
from grader.games.hex import Hex
from grader.language import LANGUAGES, Message, from_json, language, say, system_language, to_json, verbatim
from grader.records import Ending, Fault, Finding, as_json, read_fault, read_finding

english, spanish = language("en"), language("es")


def test_a_message_is_its_english_and_knows_its_spanish():
    message = say("{count} moves", count=12)

    assert (message, english(message), spanish(message)) == ("12 moves", "12 moves", "12 jugadas")


def test_a_message_inside_another_is_spoken_too():
    message = say("A draw after {moves}: {why}.", moves=say("{count} moves", count=9), why=say("the board is full"))

    assert spanish(message) == "Empate después de 9 jugadas: el tablero está lleno."


@given(st.text())
def test_what_a_student_wrote_is_left_as_it_is(text):
    assert spanish(text) == text
    assert spanish(say("{who}: {said}", who="1", said=text)) == f"1: {text}"
    assert verbatim(text) == text


values = st.recursive(
    st.text() | st.integers() | st.floats(allow_nan=False),
    lambda inner: st.builds(lambda value: say("not {gap}", gap=value), inner),
    max_leaves=4,
)


@given(values)
def test_a_message_is_the_same_after_it_was_kept(value):
    message = say("{count}: {value}", count=1, value=value)

    for kept in (from_json(json.loads(json.dumps(to_json(message)))), pickle.loads(pickle.dumps(message))):
        assert isinstance(kept, Message)
        assert (kept, kept.template) == (message, message.template)
        assert spanish(kept) == spanish(message)


def test_findings_and_faults_of_before_there_were_messages_still_load():
    plain = {"code": "x", "text": "It prints.", "help": "Do not.", "file": None, "line": None}

    assert spanish(read_finding(plain).text) == "It prints."
    assert read_fault({"ending": "crash", "text": "a", "help": "b", "where": None, "trace": ""}).text == "a"


def test_findings_and_faults_that_were_kept_are_spoken_in_any_language():
    fault = Fault(ending=Ending.CRASH, text=say("The player raised {what}.", what="KeyError"), help=say("Submit one."))
    finding = Finding(code="x", text=say("It has no options."), help="{as it was written}")

    assert spanish(read_fault(as_json(fault)).text) == "El jugador lanzó KeyError."
    assert read_finding(as_json(finding)) == finding


@pytest.mark.parametrize("template", ["{a.__class__}", "{a[0]}", "{a!r}", "{a:>999999999}", "{a:{b}}", "{0}", "{"])
def test_a_message_with_other_gaps_than_names_is_refused(template):
    with pytest.raises(ValueError, match="gaps"):
        from_json([template, {"a": "x", "b": 3}])


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({}, "en"),
        ({"LANG": "es_CU.UTF-8"}, "es"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "es_ES"}, "es"),
        ({"LANGUAGE": "es:en", "LANG": "en_US"}, "es"),
        ({"LANGUAGE": "fr:es", "LANG": "en_US"}, "es"),
        ({"LANGUAGE": "", "LANG": "es_MX"}, "es"),
    ],
)
def test_the_locale_says_which_language(environment, name):
    assert system_language(environment) == name


@pytest.mark.parametrize("ending", Ending, ids=str)
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_every_ending_has_words(ending, spoken):
    speak = language(spoken)

    assert speak(ending_label(ending, Hex())) == speak(ending_label(str(ending), Hex()))
    assert all(speak(explain_ending(ending, Hex(), won=won)).endswith(".") for won in (True, False))
