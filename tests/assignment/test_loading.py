"""A file becomes assignments, or a list of everything that is wrong with it."""

import pickle
import time
from pathlib import Path

import pytest

from grader.assignment import Assignment, AssignmentError, builtin_assignment, load_assignments
from grader.errors import GraderError, OptionError
from grader.games import installed_games


def load(tmp_path: Path, text: str | bytes, **more):
    file = tmp_path / "a.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_assignments(file, **more)


def problems(tmp_path: Path, text: str | bytes) -> list[str]:
    """The problems of a file, without its folder."""
    with pytest.raises(AssignmentError) as caught:
        load(tmp_path, text)
    return [line.removeprefix(f"{tmp_path / 'a.yaml'}:") for line in str(caught.value).splitlines()]


def test_the_name_of_a_game_is_enough(tmp_path):
    for game in installed_games():
        assert load(tmp_path, f"game: {game}\n") == (builtin_assignment(game),)


def test_one_file_may_hold_an_assignment_for_each_game(tmp_path):
    one, two = load(tmp_path, "game: hex\nseed: 1\n---\ngame: desconecta4\nseed: 2\n---\n")

    assert (one.game, one.seed, two.game, two.seed) == ("hex", 1, "desconecta4", 2)


def test_a_second_assignment_for_the_same_game_is_an_error(tmp_path):
    assert problems(tmp_path, "game: hex\n---\ntitle: Again\ngame: hex\n") == [
        "4:7: game: this file already has an assignment for hex: write one per game"
    ]


def test_the_options_of_the_game_are_completed(tmp_path):
    (assignment,) = load(tmp_path, "game: hex\noptions: {size: 5}\n")

    assert assignment.options == {"size": 5, "adjacency": "axial"}


def test_a_field_without_a_value_counts_as_left_out(tmp_path):
    text = "game: hex\nlimits:\n  # memory_mb: 512\noptions:\nopponents:\nlate:\n"

    assert load(tmp_path, text) == (builtin_assignment("hex"),)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: b"\xef\xbb\xbf" + text, id="a byte order mark"),
        pytest.param(lambda text: text.replace(b"\n", b"\r\n"), id="the lines of Windows"),
        pytest.param(lambda text: b"%YAML 1.2\n---\n" + text + b"...\n", id="marks of documents"),
        pytest.param(lambda text: text.rstrip(), id="no newline at the end"),
    ],
)
def test_editors_leave_traces_that_change_nothing(tmp_path, change):
    (assignment,) = load(tmp_path, change("title: Práctica 3\ngame: hex\n".encode()))

    assert (assignment.title, assignment.game) == ("Práctica 3", "hex")


def test_unusual_words_are_read_as_texts(tmp_path):
    for word in ("no", "on", "1:30", "2026-01-31", "1_000", "0x10", ".nan", "5 s", "9" * 40):
        (assignment,) = load(tmp_path, f"title: {word}\ngame: hex\n")
        assert assignment.title == word


def test_every_error_is_reported_with_its_place(tmp_path):
    text = """\
title: ""
game: hex
options: {size: 99, adjecency: axial}
time:
  move: -3
  moves: 4
opponents:
  - player: random
    points: lots
  - points: 3
    games: 5000
overrun: forfiet
seed: true
Limits: {}
"""
    assert problems(tmp_path, text) == [
        "1:8: title: must be text of 1 to 200 characters, not ''",
        "3:17: options.size: must be a whole number from 1 to 26, not 99",
        "3:32: options.adjecency: hex has no option 'adjecency': did you mean 'adjacency'? Choose from size, adjacency.",
        "5:9: time.move: must be a number from 0.01 to 86400, not -3",
        "6:3: time.moves: unknown field: did you mean 'move'? Choose from move, bank, increment, load, grace, reference_speed, machine_speed",
        "9:13: opponents[0].points: must be a number from 0 to 1000000, not 'lots'",
        "10:5: opponents[1].player: required: the name of a reference player (see `grader list`), or your own: ./staff/ninja.py, ./staff/ninja.py:Class or a folder",
        "11:12: opponents[1].games: must be a whole number from 1 to 1000, not 5000",
        "12:10: overrun: unknown value 'forfiet': did you mean 'forfeit'? Choose from forfeit, disqualify, random-move",
        "13:7: seed: must be a whole number from 0 to 340282366920938463463374607431768211455, not true",
        f"14:1: Limits: unknown field: did you mean 'limits'? Choose from {', '.join(info.alias or name for name, info in Assignment.model_fields.items())}",
    ]


def test_a_wrong_value_does_not_hide_the_problems_between_other_fields(tmp_path):
    def check(assignment):
        yield ("opponents", 0, "player"), f"unknown player {assignment.opponents[0].player!r}"

    text = """\
game: hex
time: {move: -1, increment: 3}
opponents:
  - {player: rando, points: ten, games: 3}
  - {player: mcts, points: 3, games: 5000, scoring: {threshold: {wins: 10}}}
"""
    with pytest.raises(AssignmentError) as caught:
        load(tmp_path, text, check=check)

    assert [(problem.line, problem.field) for problem in caught.value.problems] == [
        (2, "time.move"),
        (2, "time.increment"),
        (4, "opponents[0].player"),
        (4, "opponents[0].points"),
        (4, "opponents[0].games"),
        (5, "opponents[1].games"),
    ]


def test_a_pass_mark_that_cannot_be_reached_is_reported_with_all_other_problems(tmp_path):
    text = "game: hex\npass: 12\nround: 0\nmaximum: 10\nspeed_share: 7\n"

    assert problems(tmp_path, text) == [
        "2:7: pass: must be at most the maximum score (10), not 12",
        "3:8: round: must be a number from 0.001 to 1000000, not 0",
        "5:14: speed_share: must be a number from 0 to 1, not 7",
    ]


def test_points_that_cannot_be_scaled_are_reported(tmp_path):
    text = "game: hex\nmaximum: 10\nopponents: [{player: random, points: 0}]\n"

    assert problems(tmp_path, text) == ["2:10: maximum: nothing to scale: all opponents have 0 points"]


def test_errors_in_every_document_are_reported(tmp_path):
    assert problems(tmp_path, "game: hax\n---\ntitle: [\n") == [
        "1:7: game: unknown game 'hax': did you mean 'hex'? Choose from hex, desconecta4.",
        "4:1: YAML syntax error: expected the node content, but found '<stream end>'; check the indentation, quotes and brackets here and just above",
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("time: {move: 5, bank: 300}", "2:23: time.bank: give either move (seconds per move) or bank"),
        ("time: {move: 5, increment: 3}", "2:28: time.increment: only allowed with bank"),
        ("time: 5", "2:7: time: must contain fields ('name: value'), indented below"),
        ("time: {move: .inf}", "2:14: time.move: must be a number from 0.01 to 86400, not '.inf'"),
        ("time: {move: 1e999}", "2:14: time.move: must be a number from 0.01 to 86400, not inf"),
        ("limits: {memory_mb: 1.5}", "2:21: limits.memory_mb: must be a whole number from 64 to 1000000, not 1.5"),
        ("isolation: null", "2:12: isolation: unknown value null: choose from none, basic, good, strong"),
        ("forbidden: network", "2:12: forbidden: must be a list"),
        ("forbidden: [netwrok]", "2:13: forbidden[0]: unknown value 'netwrok': did you mean 'network'?"),
        ("forbidden_imports: [a b]", "2:21: forbidden_imports[0]: must be the name of a module"),
        ("entry: ../solution.py", "2:8: entry: must be a file such as solution.py"),
        ("entry: solution", "2:8: entry: must be a file such as solution.py"),
        ("entry: /solution.py", "2:8: entry: must be a file such as solution.py"),
        (
            "late: {due: 2026-02-31 23:59}",
            "2:13: late.due: must be a valid date and time, not '2026-02-31 23:59'",
        ),
        ("late: {due: soon}", "2:13: late.due: must be a date and time, e.g. 2026-05-31 23:59"),
        ("late: {percent_per_day: 110}", "2:25: late.percent_per_day: must be a number from 0 to 100, not 110"),
        ("extended_board: yes", "2:17: extended_board: must be true or false, not 'yes'"),
        ("language: fr", "2:11: language: unknown value 'fr'"),
        ("options: [size]", "2:10: options: must contain fields ('name: value'), indented below"),
        ("options: {size: [1]}", "2:17: options.size: must be a number, text, true, false or null, not [1]"),
        ("options: {'a b': 1}", "2:18: options['a b']: must be the name of an option"),
        ("options: {'[key]': 1}", "2:20: options['[key]']: must be the name of an option"),
        ("'[key]': 1", "2:1: ['[key]']: unknown field: choose from title"),
        ('"\\e[31m": 1', "2:1: ['\\x1b[31m']: unknown field"),
        ("opponents: []", "2:12: opponents: must have at least one opponent"),
        ("opponents: {player: random}", "2:12: opponents: must be a list"),
        ("opponents: [random]", "2:13: opponents[0]: must contain fields ('name: value'), indented below"),
        ("title: |\n  two\n  lines", "2:8: title: must be on one line"),
        ('title: "\\ud800"', "2:8: title: must be on one line, without control characters"),
        ("title: a\ntitle: b", "3:1: title: given twice, first on line 2"),
        ("time: {move: 1, move: 2}", "2:17: time.move: given twice, first on line 2"),
        ("? [a]\n: b", "2:3: a field name must be a single word"),
        ("speed_share: 25", "2:14: speed_share: must be a number from 0 to 1, not 25"),
        ("round: 0", "2:8: round: must be a number from 0.001 to 1000000, not 0"),
        ("round: tenths", "2:8: round: must be a number from 0.001 to 1000000, not 'tenths'"),
        ("round: 101", "2:8: round: must be at most the maximum score (100), not 101"),
        ("maximum: -1", "2:10: maximum: must be a number from 0.01 to 1000000, not -1"),
        ("pass: true", "2:7: pass: must be a number from 0.01 to 1000000, not true"),
        ("pass_mark: 5", "2:1: pass_mark: unknown field"),
    ],
)
def test_an_error_says_what_is_allowed(tmp_path, line, problem):
    (found,) = problems(tmp_path, f"game: hex\n{line}\n")

    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("opponent", "problem"),
    [
        ("games: 5", "4:13: opponents[0].games: 5 is odd"),
        ("scoring: {threshold: {wins: 5}}", "4:34: opponents[0].scoring.threshold.wins: must be at most the number of"),
        ("scoring: {threshold: {}}", "4:27: opponents[0].scoring.threshold.wins: required"),
        ("scoring: {linear: {from: 1, to: 0.5}}", "4:38: opponents[0].scoring.linear.to: must be greater than from"),
        (
            "scoring: {linear: {form: 1}}",
            "4:25: opponents[0].scoring.linear.form: unknown field: did you mean",
        ),
        ("scoring: {linear: {}, threshold: {wins: 2}}", "4:39: opponents[0].scoring.threshold: give either"),
        ("name: random", "5:5: opponents[1].name: another opponent is also called 'random'"),
    ],
)
def test_contradictory_fields_of_an_opponent_are_reported(tmp_path, opponent, problem):
    lines = [
        "game: hex",
        "opponents:",
        "  - {player: mcts, points: 1,",
        f"     {opponent}}}",
        "  - {player: random, points: 1}",
    ]
    (found,) = problems(tmp_path, "\n".join(lines))

    assert found.startswith(problem)


def test_a_threshold_may_have_an_odd_number_of_games(tmp_path):
    (assignment,) = load(
        tmp_path, "game: hex\nopponents: [{player: random, points: 1, games: 5, scoring: {threshold: {wins: 3}}}]"
    )

    assert (assignment.opponents[0].games, assignment.opponents[0].threshold) == (5, 3)


def test_a_ladder_needs_even_games_and_allows_no_scoring_per_opponent(tmp_path):
    text = "game: hex\nscoring: ladder\nopponents: [{player: random, points: 1, games: 5, scoring: {threshold: {wins: 3}}}]"

    games, scoring = problems(tmp_path, text)

    assert games.startswith("3:48: opponents[0].games: 5 is odd")
    assert scoring.startswith("3:60: opponents[0].scoring: not allowed with a ladder")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"", "1:1: this file is empty: write at least 'game: hex'", id="empty"),
        pytest.param(b"# later\n---\n", "1:1: this file is empty: write at least 'game: hex'", id="only a comment"),
        pytest.param(b"- game: hex\n", "1:1: expected fields such as 'game: hex', found a list", id="list"),
        pytest.param(b"hex\n", "1:1: expected fields such as 'game: hex', found a single value", id="word"),
        pytest.param(
            b"title: x\n",
            "1:1: game: required: the name of an installed game (see `grader list`), or your own: ./connect4.py",
            id="no game",
        ),
        pytest.param(
            "game: hex\ntitle: Práctica".encode("latin-1"),
            "2:10: this file is not in UTF-8: save it as UTF-8",
            id="Latin 1",
        ),
        pytest.param("game: hex".encode("utf-16"), "1:1: this file is in UTF-16: save it as UTF-8", id="UTF-16"),
        pytest.param(b"\xef\xbb\xbfgame: hex\na: \0", "2:4: the character U+0000 is not allowed here", id="NUL"),
        pytest.param(
            b"game: hex\ntime:\n\tmove: 5\n",
            "3:1: YAML does not allow tabs here: indent with spaces",
            id="tab",
        ),
        pytest.param(b"game: hex\ntitle: a: b\n", "2:9: a second colon on this line", id="colon"),
        pytest.param(b"game: hex\ntitle: 'a\n", "3:1: YAML syntax error: found unexpected end of stream", id="quote"),
        pytest.param(b"game: !!str hex\n", "1:7: tags ('tag:yaml.org,2002:str') are not allowed", id="tag"),
        pytest.param(b"a: !!python/object/apply:os.system [ls]", "1:4: tags ('tag:yaml.org,2002:python", id="evil"),
        pytest.param(b"a: &a [*a]\n", "1:8: aliases ('a') are not allowed: write the value again", id="endless"),
        pytest.param(
            b"a: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]\n", "2:8: aliases ('a') are not allowed", id="billion laughs"
        ),
        pytest.param(b"a: " + b"[" * 45_000, "1:15: nested more than 12 levels deep", id="deep"),
        pytest.param(b"- " * 20_000, "1:25: nested more than 12 levels deep", id="deep lists"),
        pytest.param(b"--- 1\n" * 8_000, "1:5: expected fields", id="many documents"),
        pytest.param(b"#" * 10_000_000, "1:1: this file is too large for an assignment (at most 50 kB)", id="10 MB"),
        pytest.param(b"\n".join(b"k%d: 1" % n for n in range(4_000)), "1:1: ", id="many fields"),
        pytest.param(b'a: "\\0"\n' * 5_000, "1:1: ", id="many times the same field"),
        pytest.param(b"\n".join(b'k%d: "\\0"' % n for n in range(3_500)), "1:1: ", id="many control characters"),
        pytest.param(b"opponents: [" + b"{}," * 15_000 + b"]", "1:1: ", id="many opponents"),
        pytest.param(
            b"game: " + b"9" * 45_000,
            "1:7: game: must be the name of a game, or a file such as ./connect4.py, not '9999",
            id="a long number",
        ),
    ],
)
def test_a_file_that_is_not_an_assignment_is_refused_quickly(tmp_path, content, problem):
    start = time.process_time()

    found = problems(tmp_path, content)

    assert found[0].startswith(problem)
    assert len(found) <= 21
    assert time.process_time() - start < 4  # a second; these machines are noisy


def test_a_folder_or_missing_file_is_reported(tmp_path):
    for path, reason in ((tmp_path, "this is not a file"), (tmp_path / "no.yaml", "this file does not exist")):
        with pytest.raises(AssignmentError) as caught:
            load_assignments(path)
        assert str(caught.value) == f"{path}:1:1: {reason}"


def test_a_caller_can_add_problems(tmp_path):
    def check(assignment):
        yield ("opponents", 0, "player"), f"there is no player {assignment.opponents[0].player!r}"

    text = "game: hex\nopponents:\n  - points: 3\n    player: nobody\n---\ngame: chess\n"
    with pytest.raises(AssignmentError) as caught:
        load(tmp_path, text, check=check)

    first, second = caught.value.problems
    assert (first.line, first.column, first.text) == (4, 13, "there is no player 'nobody'")
    assert second.field == "game"


def test_an_assignment_error_is_a_grader_error_and_can_be_pickled(tmp_path):
    with pytest.raises(AssignmentError) as caught:
        load(tmp_path, "game: chess")

    assert isinstance(caught.value, GraderError) and isinstance(caught.value, ValueError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_an_unknown_game_has_no_built_in_assignment():
    with pytest.raises(OptionError, match="unknown game 'chess'"):
        builtin_assignment("chess")
