"""`grader replay` without a terminal: what it prints, and how it treats invalid files."""

import copy
import json
import re
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.cli.replay import _full_name
from grader.competition.replay import replay_record
from grader.errors import GraderError
from grader.games import make_game
from grader.language import language
from grader.records import Turn, as_json, read_record
from grader.reports.replay import frame, listing
from grader.store import Store
from tests.cli.games import desconecta4_match, hex_match, random_match, save_record
from tests.command import grader
from tests.workflow.folders import FIRST, folder

ENGLISH = language("en")


def test_without_a_terminal_the_moves_the_last_board_and_the_result_are_printed(tmp_path):
    record = replace(hex_match(), attempts=("The machine was busy.",))
    shown = grader("replay", save_record(record, tmp_path / "match.json"))

    assert shown.returncode == 0
    assert " ".join(f"{ply}. {turn.move}" for ply, turn in enumerate(record.turns, start=1)) in " ".join(
        shown.stdout.split()
    )
    assert "Hex: ana (player 1) vs luis (player 2)" in shown.stdout
    assert f"Move {len(record.turns)} of {len(record.turns)}" in shown.stdout
    assert shown.stdout.count("a b c d") == 1
    assert shown.stdout.count("[") == 1, "the last move is marked, and no colour is used"
    assert "wins: " in shown.stdout
    assert "An earlier attempt at this game did not count: The machine was busy." in shown.stdout
    assert "\x1b" not in shown.stdout


def test_all_prints_the_board_after_every_move(tmp_path):
    record = desconecta4_match()
    shown = grader("replay", save_record(record, tmp_path / "match.json"), "--all").stdout

    assert [line for line in shown.splitlines() if line.startswith("Move ")] == [
        f"Move {ply} of {len(record.turns)}: player {2 - ply % 2} plays {turn.move} (0.10 s)"
        for ply, turn in enumerate(record.turns, start=1)
    ]
    assert shown.count(" 1 2 3 4 5 6 7") == len(record.turns) + 1


def test_notations_are_printed_or_written(tmp_path):
    hexes, drops = (
        save_record(hex_match(), tmp_path / "hex.json"),
        save_record(desconecta4_match(), tmp_path / "drops.json"),
    )

    assert grader("replay", hexes, "--sgf", "-").stdout.startswith("(;FF[4]GM[11]")
    assert grader("replay", hexes, "--hexworld").stdout.startswith("https://hexworld.org/board/#4c1,")
    assert grader("replay", drops, "--columns").stdout.strip() == "".join(
        turn.move for turn in desconecta4_match().turns
    )
    assert grader("replay", hexes, "--sgf", tmp_path / "match.sgf").returncode == 0
    assert (tmp_path / "match.sgf").read_text(encoding="utf-8").endswith(")\n")
    assert "choose another file with --sgf" in grader("replay", hexes, "--sgf", tmp_path / "no" / "match.sgf").stderr


def test_a_notation_that_the_game_does_not_have_exits_with_2(tmp_path):
    refused = grader("replay", save_record(hex_match(adjacency="even-r"), tmp_path / "match.json"), "--sgf", "-")

    assert refused.returncode == 2
    assert "played with even-r" in refused.stderr
    assert refused.stdout == ""


GOOD = as_json(hex_match())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "is not a JSON file", id="empty"),
        pytest.param(b"\xff\xfe\x00", "is not a JSON file", id="not text"),
        pytest.param(json.dumps(GOOD).encode()[:-20], "is not a JSON file", id="cut off"),
        pytest.param(b"[" * 100_000, "is not a JSON file", id="nested too deep"),
        pytest.param(b"9" * 10_000, "is not a JSON file", id="a number without end"),
        pytest.param(b"[]", "not a valid game record", id="a list"),
        pytest.param(b"{}", "not a valid game record: 'seats' is missing", id="nothing in it"),
        pytest.param(json.dumps({**GOOD, "game": "chess"}).encode(), "unknown game 'chess'", id="another game"),
        pytest.param(json.dumps({**GOOD, "options": {"size": 10**9}}).encode(), "1 to 26", id="a giant board"),
        pytest.param(json.dumps({**GOOD, "winner": 7}).encode(), "not a valid game record", id="a third player"),
        pytest.param(
            json.dumps({**GOOD, "turns": GOOD["turns"] * 5000}).encode(), "at most 10000 can be shown", id="endless"
        ),
    ],
)
def test_a_file_that_is_not_a_record_is_refused_with_exit_2(content, message, tmp_path):
    file = tmp_path / "match.json"
    file.write_bytes(content)
    refused = grader("replay", file)

    assert refused.returncode == 2
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_page_without_games_is_refused(tmp_path):
    (tmp_path / "page.html").write_text("<p>hello</p>", encoding="utf-8")
    refused = grader("replay", tmp_path / "page.html")

    assert refused.returncode == 2 and "the page contains no games that can be replayed" in refused.stderr


def test_one_of_several_games_in_a_file_is_chosen_by_its_player(tmp_path):
    game = make_game("hex", {"size": 3})
    records = [random_match(game, 1, ("ana", "luis")), random_match(game, 2, ("eva", "ana"))]
    file = tmp_path / "games.json"
    file.write_text(json.dumps(as_json(records)), encoding="utf-8")

    assert "Hex: eva (player 1) vs ana (player 2)" in grader("replay", file, "--opponent", "eva").stdout
    unknown = grader("replay", file, "--opponent", "foo")
    assert unknown.returncode == 2 and "no game against foo: choose from ana, eva, luis" in unknown.stderr


def test_an_illegal_move_is_reported_after_the_legal_ones(tmp_path):
    record = hex_match()
    twice = replace(record, turns=(*record.turns[:3], record.turns[1], *record.turns[3:]))
    shown = grader("replay", save_record(twice, tmp_path / "match.json"))

    assert shown.returncode == 2
    assert "Move 3 of 3" in shown.stdout
    assert "Move 4 of this record cannot be played" in shown.stderr
    assert "already taken" in shown.stderr


def test_control_sequences_never_reach_the_terminal(tmp_path):
    data = copy.deepcopy(GOOD)
    evil = "\x1b[2J\x1b]0;owned\x07 \u202egnol\r\x9b31m"
    for seat in data["seats"]:
        seat.update(
            name=evil,
            isolation=evil,
            output=f"{evil}\n{evil}",
            load={"wall": 1, "cpu": 1, "waited": 0, "charged": 1},
            findings=[
                {"code": "x", "text": evil, "help": evil, "file": evil, "line": 1, "said": {"text": [evil, {}]}},
            ],
        )
    data["turns"][2]["move"] = evil
    file = tmp_path / "match.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    shown = grader("replay", file, "--all")

    assert "Move 3 of this record cannot be played" in shown.stderr
    for output in (shown.stdout, shown.stderr):
        assert not {letter for letter in output if not letter.isprintable()} - {"\n"}


def test_a_message_in_a_record_can_only_have_gaps_for_its_values():
    for template in ("{a:9999999999}", "{a.__class__}", "{0}", "{a!r:>{a}}", "{"):
        data = copy.deepcopy(GOOD)
        data["seats"][0]["findings"] = [{"code": "x", "text": "", "help": "", "said": {"text": [template, {"a": 1}]}}]
        with pytest.raises(GraderError):
            read_record(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
def test_a_damaged_record_is_refused_or_shown_but_never_crashes(data):
    changed = copy.deepcopy(GOOD)
    place: Any = changed
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
        else:
            break
    place[key] = data.draw(json_values)
    try:
        text = listing(replay_record(read_record(changed)), ENGLISH, every=True)
    except GraderError:
        return
    assert not {letter for letter in text if not letter.isprintable()} - {"\n"}


def test_a_very_long_game_is_replayed_without_keeping_its_past():
    game = make_game("desconecta4", {"repetitions": 10**9, "ply_limit": 10**9})
    record = random_match(make_game("desconecta4"), 1)
    replay = replay_record(replace(record, options={"repetitions": 10**9, "ply_limit": 10**9}))

    assert replay.game == game
    assert {position.earlier for position in replay.positions} == {()}


def test_moves_are_shown_as_the_game_writes_them():
    record = hex_match()
    untidy = tuple(Turn(move=f" {turn.move.upper()}\n", charge=turn.charge) for turn in record.turns)

    assert replay_record(replace(record, turns=untidy)).moves == tuple(turn.move for turn in record.turns)


def test_colour_marks_pieces_and_the_last_move_and_changes_no_text():
    replay = replay_record(desconecta4_match())
    for ply in range(len(replay.moves) + 1):
        plain, coloured = (frame(replay, ply, ENGLISH, colour=colour) for colour in (False, True))
        letters = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()]

        assert letters == [line.replace("[", " ").replace("]", " ").rstrip() for line in plain.splitlines()]
        assert ("\x1b[7m" in coloured) == (ply > 0)


ASSIGNMENT = """
title: Small
game: hex
seed: 0
options: {size: 3}
opponents:
  - {player: random, points: 1, games: 2}
  - {player: minimax, points: 1, games: 2}
"""


@pytest.mark.parametrize(
    ("given", "known", "found"),
    [
        ("minimax", ["minimax(depth=1)", "random"], "minimax(depth=1)"),
        ("minimax", ["minimax", "minimax(depth=1)"], "minimax"),
        ("minimax", ["minimax(depth=1)", "minimax(depth=2)"], "minimax"),
        (None, ["random"], None),
    ],
)
def test_an_opponent_can_be_named_without_its_options_if_only_one_fits(given, known, found):
    assert _full_name(given, known) == found


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A results folder with four games of one submission."""
    at = tmp_path_factory.mktemp("class")
    run = grader("run", folder(at / "in", ASSIGNMENT, ana=FIRST), "-o", at / "out", "-j", "1")
    assert run.returncode == 0, run.stderr
    return at / "out"


def test_the_games_of_a_submission_are_listed_and_one_is_chosen(results):
    listed = grader("replay", results, "ana")
    chosen = grader("replay", results, "ana", "--opponent", "minimax", "--game", "2", "--moves")

    assert listed.returncode == 0
    assert listed.stdout.count("minimax") == listed.stdout.count("random") == 2
    assert "Choose a game with --opponent and --game." in listed.stdout
    assert chosen.returncode == 0
    assert "Hex: minimax (player 1) vs ana (player 2)" in chosen.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Which student? Choose one of ana."),
        (("luis",), "luis: unknown submission. Choose from ana."),
        (("ana", "--opponent", "mcts"), "ana has no game against mcts. Choose one of minimax, random."),
        (("ana", "--game", "9"), "ana has no game with that number: choose 1 or 2 with --game."),
    ],
)
def test_an_unknown_game_is_refused_with_exit_2(results, arguments, message):
    refused = grader("replay", results, *arguments)

    assert refused.returncode == 2
    assert message in refused.stderr


def test_the_games_of_an_unfinished_tournament_are_found_by_the_names_of_its_players(tmp_path):
    with Store(tmp_path) as store:
        for key, names in enumerate([("ana", "luis"), ("eva", "luis"), ("luis", "ana")]):
            store.add([(str(key), random_match(make_game("hex", {"size": 3}), key, names=names))])
    listed = grader("replay", tmp_path, "luis")
    chosen = grader("replay", tmp_path, "luis", "--opponent", "ana", "--game", "2")

    assert [line.split()[:3] for line in listed.stdout.splitlines()[2:5]] == [
        ["ana", "1", "2"],
        ["ana", "2", "1"],
        ["eva", "1", "2"],
    ]
    assert "Hex: luis (player 1) vs ana (player 2)" in chosen.stdout
    assert "Add the ID of a submission." in grader("replay", tmp_path).stderr
    assert "nobody has no recorded games." in grader("replay", tmp_path, "nobody").stderr


def test_a_tournament_game_that_identical_submissions_share_is_listed_for_each_of_them(tmp_path):
    source = folder(tmp_path / "in", ASSIGNMENT, ana=FIRST, luis=FIRST, eva=FIRST, dora="def (")
    played = grader("tournament", source, "-o", tmp_path / "out", "--anchor", "random")
    assert played.returncode == 0, played.stderr
    listed = {name: grader("replay", tmp_path / "out", name).stdout.splitlines() for name in ("ana", "luis", "eva")}
    chosen = grader("replay", tmp_path / "out", "eva", "--opponent", "luis", "--game", "2")

    for name, lines in listed.items():
        others = sorted({"ana", "luis", "eva", "random"} - {name})
        assert [line.split()[:2] for line in lines[2:8]] == [[other, number] for other in others for number in "12"]
    assert (
        sum(line.endswith("not played again (same as an earlier game)") for lines in listed.values() for line in lines)
        == 2 * 5 + 2 * 2
    )
    assert any(
        heading in chosen.stdout
        for heading in ("Hex: luis (player 1) vs eva (player 2)", "Hex: eva (player 1) vs luis (player 2)")
    )
    assert grader("replay", tmp_path / "out", "random", "--opponent", "ana").returncode == 0
    assert "Add the ID of a player in this tournament." in grader("replay", tmp_path / "out").stderr
    assert (
        "nobody: unknown player. Choose from random, ana, eva, luis."
        in grader("replay", tmp_path / "out", "nobody").stderr
    )
    assert "dora: did not play. Syntax error in solution.py:" in grader("replay", tmp_path / "out", "dora").stderr


def test_a_submission_without_games_is_pointed_to_show(tmp_path):
    source = folder(tmp_path / "in", ASSIGNMENT, dora="def (")
    assert grader("run", source, "-o", tmp_path / "out").returncode == 0

    refused = grader("replay", tmp_path / "out", "dora")

    assert refused.returncode == 2
    assert (
        f"dora: none of its games have been played. `grader show {tmp_path / 'out'} dora` explains why."
        in refused.stderr
    )


def test_an_id_is_only_allowed_with_a_results_folder(tmp_path):
    assert grader("replay", save_record(hex_match(), tmp_path / "match.json"), "ana").returncode == 2
    assert "no results" in grader("replay", tmp_path, "ana").stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_an_unreadable_file_is_reported(tmp_path):
    shown = grader("replay", "/proc/self/mem" if sys.platform == "linux" else tmp_path / "gone.json")

    assert shown.returncode == 2
    assert "Traceback" not in shown.stderr
