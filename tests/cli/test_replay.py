"""`grader replay` without a terminal: what it prints, and what it makes of files that are no records."""

import copy
import json
import re
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.competition.replay import replay_record
from grader.errors import GraderError
from grader.games import make_game
from grader.language import language
from grader.records import Turn, as_json, read_record
from grader.reports.replay import frame, listing
from grader.store import Store
from tests.cli.games import desconecta4_match, hex_match, random_match, saved
from tests.command import grader
from tests.workflow.folders import FIRST, folder

ENGLISH = language("en")


def test_without_a_terminal_the_moves_the_last_board_and_the_result_are_printed(tmp_path):
    record = hex_match()
    shown = grader("replay", saved(record, tmp_path / "match.json"))

    assert shown.returncode == 0
    assert " ".join(f"{ply}. {turn.move}" for ply, turn in enumerate(record.turns, start=1)) in " ".join(
        shown.stdout.split()
    )
    assert "Hex: 1 ana – 2 luis" in shown.stdout
    assert f"Move {len(record.turns)} of {len(record.turns)}" in shown.stdout
    assert shown.stdout.count("a b c d") == 1
    assert shown.stdout.count("[") == 1, "the last move is marked, and no colour is used"
    assert "wins after" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_all_prints_the_board_after_every_move(tmp_path):
    record = desconecta4_match()
    shown = grader("replay", saved(record, tmp_path / "match.json"), "--all").stdout

    assert [line for line in shown.splitlines() if line.startswith("Move ")] == [
        f"Move {ply} of {len(record.turns)}: {2 - ply % 2} plays {turn.move} (0.10 s)"
        for ply, turn in enumerate(record.turns, start=1)
    ]
    assert shown.count(" 1 2 3 4 5 6 7") == len(record.turns) + 1


def test_notations_are_printed_or_written(tmp_path):
    hexes, drops = saved(hex_match(), tmp_path / "hex.json"), saved(desconecta4_match(), tmp_path / "drops.json")

    assert grader("replay", hexes, "--sgf", "-").stdout.startswith("(;FF[4]GM[11]")
    assert grader("replay", hexes, "--hexworld").stdout.startswith("https://hexworld.org/board/#4c1,")
    assert grader("replay", drops, "--columns").stdout.strip() == "".join(
        turn.move for turn in desconecta4_match().turns
    )
    assert grader("replay", hexes, "--sgf", tmp_path / "match.sgf").returncode == 0
    assert (tmp_path / "match.sgf").read_text(encoding="utf-8").endswith(")\n")
    assert "name another file with --sgf" in grader("replay", hexes, "--sgf", tmp_path / "no" / "match.sgf").stderr


def test_a_notation_that_the_game_does_not_have_exits_with_2(tmp_path):
    refused = grader("replay", saved(hex_match(adjacency="even-r"), tmp_path / "match.json"), "--sgf", "-")

    assert refused.returncode == 2
    assert "played on even-r" in refused.stderr
    assert refused.stdout == ""


GOOD = as_json(hex_match())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "this is no JSON", id="empty"),
        pytest.param(b"\xff\xfe\x00", "this is no JSON", id="no text"),
        pytest.param(json.dumps(GOOD).encode()[:-20], "this is no JSON", id="cut off"),
        pytest.param(b"[" * 100_000, "this is no JSON", id="nested too deep"),
        pytest.param(b"9" * 10_000, "this is no JSON", id="a number without end"),
        pytest.param(b"[]", "no record of a match", id="a list"),
        pytest.param(b"{}", "no record of a match: it has no 'seats'", id="nothing in it"),
        pytest.param(json.dumps({**GOOD, "game": "chess"}).encode(), "unknown game 'chess'", id="another game"),
        pytest.param(json.dumps({**GOOD, "options": {"size": 10**9}}).encode(), "1 to 26", id="a giant board"),
        pytest.param(json.dumps({**GOOD, "winner": 7}).encode(), "no record of a match", id="a third player"),
        pytest.param(json.dumps({**GOOD, "turns": GOOD["turns"] * 5000}).encode(), "is too long", id="endless"),
    ],
)
def test_a_file_that_is_no_record_is_told_so_with_exit_2(content, said, tmp_path):
    file = tmp_path / "match.json"
    file.write_bytes(content)
    refused = grader("replay", file)

    assert refused.returncode == 2
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_illegal_move_is_told_with_its_number_after_what_could_be_played(tmp_path):
    record = hex_match()
    twice = replace(record, turns=(*record.turns[:3], record.turns[1], *record.turns[3:]))
    shown = grader("replay", saved(twice, tmp_path / "match.json"))

    assert shown.returncode == 2
    assert "Move 3 of 3" in shown.stdout
    assert "Move 4 of this record cannot be played" in shown.stderr
    assert "already taken" in shown.stderr


def test_what_steers_a_terminal_never_reaches_it(tmp_path):
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
def test_a_record_with_anything_changed_is_refused_or_shown_but_never_breaks(data):
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


def test_colour_marks_pieces_and_the_last_move_and_changes_no_letter():
    replay = replay_record(desconecta4_match())
    for ply in range(len(replay.moves) + 1):
        plain, coloured = (frame(replay, ply, ENGLISH, colour=colour) for colour in (False, True))
        letters = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()]

        assert letters == [line.replace("[", " ").replace("]", " ").rstrip() for line in plain.splitlines()]
        assert ("\x1b[7m" in coloured) == (ply > 0)


ASSIGNMENT = """
title: Small
game: hex
options: {size: 3}
opponents:
  - {player: random, points: 1, games: 2}
  - {player: minimax, points: 1, games: 2}
"""


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
    assert "Choose one of these by --opponent and --game." in listed.stdout
    assert chosen.returncode == 0
    assert "Hex: 1 minimax – 2 ana" in chosen.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "say whose games: name one of ana"),
        (("luis",), "luis: no such submission. There are ana."),
        (("ana", "--opponent", "mcts"), "no such game was played"),
        (("ana", "--game", "9"), "no such game was played"),
    ],
)
def test_a_game_that_is_not_there_is_told_so_with_exit_2(results, arguments, said):
    refused = grader("replay", results, *arguments)

    assert refused.returncode == 2
    assert said in refused.stderr


def test_the_games_of_a_tournament_that_goes_on_are_found_by_the_names_of_its_players(tmp_path):
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
    assert "Hex: 1 luis – 2 ana" in chosen.stdout
    assert "name somebody who has played" in grader("replay", tmp_path).stderr
    assert "no such game was played" in grader("replay", tmp_path, "nobody").stderr


def test_a_game_of_a_tournament_that_identical_submissions_share_is_found_with_each_of_them(tmp_path):
    source = folder(tmp_path / "in", ASSIGNMENT, ana=FIRST, luis=FIRST, eva=FIRST, dora="def (")
    held = grader("tournament", source, "-o", tmp_path / "out", "--anchor", "random")
    assert held.returncode == 0, held.stderr
    listed = {name: grader("replay", tmp_path / "out", name).stdout.splitlines() for name in ("ana", "luis", "eva")}
    chosen = grader("replay", tmp_path / "out", "eva", "--opponent", "luis", "--game", "2")

    for name, lines in listed.items():
        others = sorted({"ana", "luis", "eva", "random"} - {name})
        assert [line.split()[:2] for line in lines[2:8]] == [[other, number] for other in others for number in "12"]
    assert sum(line.endswith("not played: as another") for lines in listed.values() for line in lines) == 2 * 5 + 2 * 2
    assert any(heading in chosen.stdout for heading in ("Hex: 1 luis – 2 eva", "Hex: 1 eva – 2 luis"))
    assert grader("replay", tmp_path / "out", "random", "--opponent", "ana").returncode == 0
    assert "name a player of this tournament" in grader("replay", tmp_path / "out").stderr
    assert (
        "nobody: no such player. There are random, ana, eva, luis."
        in grader("replay", tmp_path / "out", "nobody").stderr
    )
    assert "dora: it did not play. solution.py is no Python" in grader("replay", tmp_path / "out", "dora").stderr


def test_somebody_whose_games_were_not_played_is_told_where_it_says_why(tmp_path):
    source = folder(tmp_path / "in", ASSIGNMENT, dora="def (")
    assert grader("run", source, "-o", tmp_path / "out").returncode == 0

    refused = grader("replay", tmp_path / "out", "dora")

    assert refused.returncode == 2
    assert f"dora: none of its games was played. `grader show {tmp_path / 'out'} dora` says why." in refused.stderr


def test_an_id_goes_with_a_results_folder_only(tmp_path):
    assert grader("replay", saved(hex_match(), tmp_path / "match.json"), "ana").returncode == 2
    assert "no results" in grader("replay", tmp_path, "ana").stderr


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are other ones there")
def test_a_file_that_cannot_be_read_is_told_so(tmp_path):
    shown = grader("replay", "/proc/self/mem" if sys.platform == "linux" else tmp_path / "gone.json")

    assert shown.returncode == 2
    assert "Traceback" not in shown.stderr
