"""`grader match` and `grader play`: the assignment near the player, names, and several games."""

import json
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.competition.match_terms import match_terms
from grader.engine.match import prepare_match
from grader.language import language
from grader.reading.players import resolve_player
from grader.records import Turn, read_record
from grader.reports import series
from grader.sandbox.process import Seating
from tests.cli.games import hex_match
from tests.command import PROJECT, grader

SMALL = "title: Small\ngame: hex\noptions: {size: 4}\ntime: {move: 5}\nopponents:\n  - {player: random, points: 1, games: 2}\n"
PLAYER = PROJECT / "submissions" / "hex_centre" / "solution.py"


def place(file: Path) -> Path:
    """A copy of a player in a new folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(PLAYER, file)
    return file


def test_several_games_alternate_give_a_score_and_can_be_replayed(tmp_path):
    mine, friend = place(tmp_path / "mine" / "solution.py"), place(tmp_path / "friend" / "solution.py")
    (tmp_path / "mine" / "assignment.yaml").write_text(SMALL, encoding="utf-8")

    played = grader("match", mine, friend, "--games", "3", "-o", "all.json", cwd=tmp_path)
    listed = grader("replay", "all.json", cwd=tmp_path)
    second = grader("replay", "all.json", "--game", "2", cwd=tmp_path)
    none = grader("replay", "all.json", "--game", "4", cwd=tmp_path)

    assert played.returncode == 0, played.stderr
    first, *games = played.stdout.splitlines()
    file = Path("mine", "assignment.yaml")
    assert first == f"Assignment: {file} (“Small”; size 4, adjacency axial; 5 s per move)"
    assert [line.partition(":")[0] for line in games[:3]] == [
        "Game 1 of 3, mine first",
        "Game 2 of 3, friend first",
        "Game 3 of 3, mine first",
    ]
    assert " after 3 games.\nWin rate of mine: " in played.stdout and " (95 % CI " in played.stdout
    assert "\n  moving first: " in played.stdout and "\n  moving second: " in played.stdout
    records = [read_record(data) for data in json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))]
    assert [record.seats[0].name for record in records] == ["mine", "friend", "mine"]
    assert "Choose a game with --game." in listed.stdout and listed.stdout.count("friend") >= 3
    assert "Hex: friend (player 1) vs mine (player 2)" in second.stdout
    assert none.returncode == 2 and "the file contains 3 games" in none.stderr


def test_each_player_has_its_own_seed_in_each_game_and_the_same_one_again():
    player = resolve_player("random")

    def seeds(seed: int) -> list[int]:
        _, seatings = prepare_match((player, player), "hex", {"size": 3}, seed)
        return [seating.seed for seating in seatings if isinstance(seating, Seating)]

    assert len({*seeds(0), *seeds(1)}) == 4
    assert seeds(0) == seeds(0)


def test_an_interrupted_series_keeps_and_counts_what_was_played(tmp_path):
    command = [sys.executable, "-m", "grader", "match", "random", "random", "--option", "size=3", "--games", "1000"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert any(line.startswith("Game 1 ") for line in iter(process.stdout.readline, ""))
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=120)

    assert process.returncode == 130, errors
    assert "Win rate of random: " in rest and "Saved as match.json." in rest
    assert json.loads((tmp_path / "match.json").read_text(encoding="utf-8"))


def scored(*winners: int | None) -> str:
    """The score of games in which these seats won, all of them different."""
    turns = hex_match().turns
    records = [replace(hex_match(), winner=winner, turns=turns[: at + 1]) for at, winner in enumerate(winners)]
    return series.render(records, ("ana", "luis"), language("en"))


def test_the_score_is_that_of_the_first_player_whichever_moves_first():
    shown = scored(0, 1, 1, None)

    assert "ana 2.5, luis 1.5 after 4 games." in shown
    assert "Win rate of ana: 62 % (95 % CI " in shown
    assert "moving first: 1 of 2" in shown and "moving second: 1.5 of 2" in shown
    assert "different" not in shown


def test_repeated_games_do_not_narrow_the_interval():
    once = series.render([hex_match()] * 2, ("ana", "luis"), language("en"))
    often = series.render([hex_match()] * 20, ("ana", "luis"), language("en"))

    assert "Only 2 of these games are different" in often and "different" not in once
    assert once.partition("CI")[2].partition(")")[0] == often.partition("CI")[2].partition(")")[0]


def test_no_game_is_no_score():
    assert series.render([], ("ana", "luis"), language("en")) == "No game was finished."
    assert isinstance(hex_match().turns[0], Turn)


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("mine/solution.py", "friend/solution.py"), ["mine", "friend"]),
        (("a/x/solution.py", "b/x/solution.py"), ["a/x", "b/x"]),
        (("mine/solution.py", "mine/other.py"), ["solution", "other"]),
        (("mine/solution.py", "mine/solution.py"), ["solution", "solution (2)"]),
        (("mine/random.py", "random"), ["random.py", "random"]),
        (("random", "random"), ["random", "random"]),
    ],
)
def test_players_whose_files_have_the_same_name_are_called_by_their_folders(tmp_path, files, names):
    texts = [str(place(tmp_path / file)) if "/" in file else file for file in files]

    assert [player.name for player in match_terms(texts, None, "hex", {}, None).players] == names


def test_the_assignment_is_found_in_the_same_order_as_for_a_check(tmp_path, monkeypatch):
    player = str(place(tmp_path / "mine" / "solution.py"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def title() -> str | None:
        terms = match_terms((player,), None, None, {}, 3.0)
        assert terms.in_force is None or terms.in_force.time.move == 3
        return None if terms.in_force is None else terms.in_force.title

    assert title() is None
    (tmp_path / "here" / "assignment.yaml").write_text(SMALL, encoding="utf-8")
    assert title() == "Small"
    (tmp_path / "mine" / "assignment.yaml").write_text(SMALL.replace("Small", "Near"), encoding="utf-8")
    assert title() == "Near"
