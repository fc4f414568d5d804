"""The recorded moves of reference players are recomputed."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.competition.records import Competition
from grader.fixtures import REFERENCE, Fixture
from grader.inspection.players import reference_player
from grader.records import MatchRecord, Turn, as_json
from grader.results import recheck, saved
from grader.results.verify import verify
from grader.store import Store
from tests.command import grader
from tests.results.tampering import execute


def forge_a_win(results: Path) -> str:
    """Turn a game into a win against a weak reference player, with the grader's own functions. Returns where it is."""
    with Store(results) as store:
        competition = saved.load(store)
        fixture = next(fixture for fixture in competition.fixtures if fixture.players == ("ana", f"{REFERENCE}random"))
        record = won_game(competition, fixture)
    text = json.dumps(as_json(record)).replace("'", "''")
    execute(results, f"UPDATE matches SET record = '{text}' WHERE key = '{fixture.key}'")
    with Store(results) as store:
        note = store.read_note(saved.NOTE)
        note["games"][fixture.key] = store.digest(fixture.key)
        saved.save_note(store, note)
    assert grader("report", results).returncode == 0
    return "ana, random #1" if competition.pairing is None else "ana – random #1"


def won_game(competition: Competition, fixture: Fixture) -> MatchRecord:
    """The game in which the first player takes the first free cell, as it does, and the second one the last."""
    record, game = competition.results[fixture.key], competition.setup.assignment(fixture).rules
    position, turns = game.start(), list[Turn]()
    while (outcome := game.outcome(position)) is None:
        move = game.legal_moves(position)[-(len(turns) % 2)]
        turns.append(replace(record.turns[0], move=game.move_text(move)))
        position = game.apply(position, move)
    assert outcome.winner == 0
    return replace(record, turns=tuple(turns), ending=outcome.ending, winner=0)


@pytest.mark.parametrize("kind", ["results", "tournament"])
def test_a_consistent_forgery_is_detected_by_the_moves_of_the_reference_player(kind, request):
    results = request.getfixturevalue(kind)
    where = forge_a_win(results)
    with Store.open_read_only(results) as store:
        without = verify(store, results, seconds=0)
    verified = grader("verify", results, "--all")

    assert not without.doubts and without.recheck.all_moves > without.recheck.moves == 0
    assert verified.returncode == 1
    assert re.search(rf"{where}: move \d: \w+ is recorded for random, which plays \w+ in", verified.stdout)
    assert verified.stdout.count("✗") == 1, "the other games are as they were played"


def test_games_with_other_versions_of_the_reference_players_are_reported_instead_of_doubted(results, monkeypatch):
    monkeypatch.setattr(recheck, "reference_digest", lambda: "another")
    with Store.open_read_only(results) as store:
        checked = verify(store, results)

    assert not checked.doubts
    assert [str(line) for line in checked.recheck.summary()] == [
        "Not recomputed in 6 games: played with another version of the reference players or rules."
    ]


def test_a_player_that_uses_the_clock_is_not_expected_to_play_the_same_moves():
    assert reference_player("mcts(seconds=1)").is_timed
    assert not reference_player("mcts(simulations=10)").is_timed
