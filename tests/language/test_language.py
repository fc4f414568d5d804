"""Messages: creating, storing and translating them."""

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


def test_a_message_is_its_english_text_and_has_a_spanish_translation():
    message = say("{n} move", "{n} moves", n=12)

    assert (message, english(message), spanish(message)) == ("12 moves", "12 moves", "12 jugadas")


def test_a_message_inside_another_is_translated_too():
    message = say("Draw: {how} ({moves}).", moves=say("{n} move", "{n} moves", n=9), how=say("the board is full"))

    assert spanish(message) == "Empate: el tablero está lleno (9 jugadas)."


@pytest.mark.parametrize(
    ("n", "starts"), [(1, ("1 game to", "Queda 1 partida")), (64, ("64 games", "Quedan 64 partidas"))]
)
def test_a_count_chooses_singular_or_plural_in_both_languages(n, starts):
    message = say(
        "{n} game to play: about {expected} (estimated from the trial moves), at most {worst}.",
        "{n} games to play: about {expected} (estimated from the trial moves), at most {worst}.",
        n=n,
        expected="1",
        worst="2",
    )

    for copy in (message, from_json(json.loads(json.dumps(to_json(message)))), pickle.loads(pickle.dumps(message))):
        assert (english(copy)[: len(starts[0])], spanish(copy)[: len(starts[1])]) == starts


def test_numbers_are_written_as_the_language_writes_them():
    message = say("{name}: {score:g}, {share:.0%}", name="v1.2", score=5.75, share=0.5)

    assert (message, spanish(message)) == ("v1.2: 5.75, 50 %", "v1.2: 5,75, 50 %")
    assert (english.number(5.75), spanish.number(5.75), spanish.number(0.125, ".1%")) == ("5.75", "5,75", "12,5 %")
    assert english.number(-89) == "−89"


@given(st.text())
def test_text_that_is_not_a_message_is_left_unchanged(text):
    assert spanish(text) == text
    assert spanish(say("{who}: {text}", who="1", text=text)) == f"1: {text}"
    assert verbatim(text) == text


values = st.recursive(
    st.text() | st.integers() | st.floats(allow_nan=False),
    lambda inner: st.builds(lambda value: say("not {gap}", gap=value), inner),
    max_leaves=4,
)


@given(values)
def test_a_message_survives_storing_and_loading(value):
    message = say("{count}: {value}", count=1, value=value)

    for copy in (from_json(json.loads(json.dumps(to_json(message)))), pickle.loads(pickle.dumps(message))):
        assert isinstance(copy, Message)
        assert (copy, copy.template) == (message, message.template)
        assert spanish(copy) == spanish(message)


def test_findings_and_faults_stored_as_plain_text_still_load():
    plain = {"code": "x", "text": "It prints.", "help": "Do not.", "file": None, "line": None}

    assert spanish(read_finding(plain).text) == "It prints."
    assert read_fault({"ending": "crash", "text": "a", "help": "b", "where": None, "trace": ""}).text == "a"


def test_stored_findings_and_faults_can_be_translated():
    fault = Fault(ending=Ending.CRASH, text=say("The player raised {what}.", what="KeyError"), help=say("Submit one."))
    finding = Finding(code="x", text=say("It has no options."), help="{not a gap}")

    assert spanish(read_fault(as_json(fault)).text) == "El jugador lanzó KeyError."
    assert read_finding(as_json(finding)) == finding


@pytest.mark.parametrize("template", ["{a.__class__}", "{a[0]}", "{a!r}", "{a:>999999999}", "{a:{b}}", "{0}", "{"])
def test_a_message_with_gaps_that_are_not_plain_names_is_rejected(template):
    with pytest.raises(ValueError, match="gaps"):
        from_json([template, {"a": "x", "b": 3}])
    with pytest.raises(ValueError, match="gaps"):
        from_json(["{n}", {"a": "x", "b": 3, "n": 1}, template])


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
def test_the_locale_chooses_the_language(environment, name):
    assert system_language(environment) == name


@pytest.mark.parametrize("ending", Ending, ids=str)
@pytest.mark.parametrize("language_name", LANGUAGES)
def test_every_ending_has_a_label_and_an_explanation(ending, language_name):
    speak = language(language_name)

    assert speak(ending_label(ending, Hex())) == speak(ending_label(str(ending), Hex()))
    assert all(speak(explain_ending(ending, Hex(), won=won)).endswith(".") for won in (True, False))
