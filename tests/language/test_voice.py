"""Everything that is shipped is written in plain English: none of the phrases in `voice.HABITS` occurs in it."""

import pytest

from tests.language.voice import HABITS, find_hits

EXAMPLES = {
    "name": "text",
    "mend": "Nothing to mend.",
    "is no X": "this is no YAML",
    "there is no X here": "there is no 'chess' here",
    "walled in": "how well players are walled in",
    "to be had": "that level is not to be had",
    "is told, is said, is looked at": "a mistake in it is told with its line",
    "whoever": "the language of whoever runs it",
    "Who … (as a subject)": "Who cannot be loaded is listed.",
    "as 8h; as in:": "An option of the game, as size=7.",
    "in place of": "in place of the assignment's",
    "beside": "a list, beside the page",
    "by the first moves": "about 27 seconds by the first moves",
    "otherwise (differently)": "A later object plays otherwise",
    "any more": "they are not there any more.",
    "go on": "The same command goes on from here.",
    "hand on, hand in": "so not handed on:",
    "brought to": "Points are brought to the maximum",
    "9 s a move": "a limit of 9 s a move",
    "nobody, somebody": "it waits for somebody to type",
    "so many": "List at most so many pairs.",
    "lest": "lest the page grow too large",
    "that there is": "the submissions that there are.",
    "participles as function names": "    def told(self):",
}


@pytest.fixture(scope="module")
def hits():
    return list(find_hits())


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.name)
def test_an_odd_phrase_is_not_used(hits, habit):
    found = [str(hit) for hit in hits if hit.habit == habit]

    assert not found, f"write {habit.instead}:\n" + "\n".join(found)


def names(text: str) -> list[str]:
    """The habits that a text has."""
    return [habit.name for habit in HABITS if habit.expression.search(text)]


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.name)
def test_every_habit_is_recognised(habit):
    assert names(EXAMPLES[habit.name]) == [habit.name]


@pytest.mark.parametrize(
    "text",
    [
        "it is no longer there",
        "There is no default.",
        "at most 0.5 s of wall-clock time",
        "Who can read the results?",
        "Are there any more games?",
        "The option goes on the command line.",
        "there are so many that they do not fit",
        "9 s per move",
        "about 27 s (judging by the first moves)",
        "the seconds that a player used",
    ],
)
def test_idiomatic_phrases_are_not_reported(text):
    assert names(text) == []


@pytest.mark.parametrize(
    "text",
    ["in place\nof it", "    # in place\n    # of it", 'say("in place "\n    "of it")', "in\tplace of it"],
    ids=["paragraph", "comment", "string", "tab"],
)
def test_a_phrase_is_found_across_line_breaks(text):
    assert names(text) == ["in place of"]


def test_hits_have_their_file_line_and_replacement(tmp_path):
    (tmp_path / "README.md").write_text("# Title\n\nNothing\nto mend, as nobody can type.\n", encoding="utf-8")
    (tmp_path / "grader").mkdir()
    (tmp_path / "grader/es.md").write_text("mend", encoding="utf-8")

    assert [str(hit) for hit in find_hits(tmp_path)] == ["README.md:4: 'mend': write fix"]


def test_translated_texts_are_searched_in_english_only(tmp_path):
    (tmp_path / "grader").mkdir()
    po = 'msgid ""\nmsgstr ""\n\nmsgid "To "\n"mend."\nmsgstr "lest"\n'
    (tmp_path / "grader/grader.po").write_text(po, encoding="utf-8")

    assert [str(hit) for hit in find_hits(tmp_path)] == ["grader/grader.po:4: 'mend': write fix"]
