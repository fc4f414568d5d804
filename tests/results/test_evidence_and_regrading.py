"""What stands behind a grade can be shown, checked without the student's code, and played again."""

import json
import re
import shutil

import pytest

from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from grader.store import Store
from tests.command import grader
from tests.results.tampering import tamper, tamper_with_note
from tests.workflow.folders import FIRST, LAST, folder


def test_show_prints_everything_behind_a_grade(results):
    shown = grader("show", results, "ana")

    assert shown.returncode == 0, shown.stderr
    for part in (
        "ana",
        "SHA-256 of its files",
        "SHA-256 of the reference players",
        "solution.py: SmartPlayer",
        "Python",
        "isolation",
        "seed",
        "random",
        "connected",
        "slowest",
        "key",
        "finished",
    ):
        assert part in shown.stdout, part


def test_show_prints_the_assignment_with_what_was_left_out_and_how_late_it_was(results):
    def late(note):
        note["assignments"] = [f"{text}\nlate: {{due: 2026-05-31 23:59}}\n" for text in note["assignments"]]
        note["entrants"][0]["submission"]["late_seconds"] = 217_015_500

    tamper_with_note(results, late)
    shown = grader("show", results, "ana")

    assert shown.returncode == 0, shown.stderr
    assert "late by               2511.8 days (217015500 s)" in shown.stdout
    for part in (
        "percent_per_day: 10.0",
        "at_most: 50.0",
        "grace: 0.25",
        "memory_mb: 1024",
        "linear: {from: 0.0, to: 1.0}",
    ):
        assert part in shown.stdout, part


def test_where_two_are_called_the_same_it_is_said_who_they_are(results):
    def namesakes(note):
        for entrant in note["entrants"]:
            entrant["submission"]["name"] = "Ana Sol"

    tamper_with_note(results, namesakes)
    shown = grader("show", results, "ana sol")

    assert shown.returncode == 2
    assert "ana sol: several are called so. Name one of ana, " in shown.stderr


def test_of_one_that_cannot_be_loaded_the_machine_is_shown_and_that_nothing_was_played_again(tmp_path):
    source = folder(tmp_path / "submissions", dora="def (")
    assert grader("run", source, "-o", tmp_path / "results").returncode == 0

    shown, again = grader("show", tmp_path / "results", "dora"), grader("regrade", tmp_path / "results")

    assert re.search(r"graded with +grader \d\S*, Python \d", shown.stdout)
    assert "No game was played, neither before nor now." in again.stdout


def test_show_with_moves_prints_each_move_and_its_time(results):
    shown = grader("show", results, "ana", "--moves")

    assert re.search(r"Game 1 against random:\n1\. [a-d][1-4] \d\.\d{3}   2\. [a-d][1-4] \d\.\d{3}", shown.stdout)


def test_show_of_somebody_who_is_not_there_says_who_is(results):
    shown = grader("show", results, "nobody")

    assert shown.returncode == 2
    assert "nobody" in shown.stderr and "ana" in shown.stderr


def test_moves_are_never_parted_from_their_times(results):
    shown = grader("show", results, "ana", "--moves").stdout.partition("Game 1 against")[2]

    lines = [line for line in shown.splitlines() if re.match(r"\d+\. ", line)]
    assert any("10. " in line for line in lines)
    assert all(re.fullmatch(r"\d+\. [a-d][1-4] \d\.\d{3}", part) for line in lines for part in line.split("   "))


@pytest.mark.parametrize("name", ["Ana", "ana pe\N{LATIN SMALL LETTER N WITH TILDE}a", "Ana Pen\N{COMBINING TILDE}a"])
def test_somebody_is_found_by_name_too_however_it_is_written(results, name):
    roster = [{"id": "ana", "name": "Ana Peña"}, {"id": "luis", "name": "Luis"}]
    tamper_with_note(results, lambda note: note.update(roster=roster))

    assert "submission            ana\n" in grader("show", results, name).stdout
    absent = grader("show", results, "luis")
    assert absent.returncode == 2 and "nothing was submitted" in absent.stderr


def test_show_works_on_results_that_were_put_away_read_only(results):
    before = {path: path.stat().st_mtime_ns for path in results.rglob("*")}

    shown = grader("show", results, "crasher")

    assert shown.returncode == 0, shown.stderr
    assert {path: path.stat().st_mtime_ns for path in results.rglob("*")} == before


@pytest.mark.parametrize("command", [("show", "ana"), ("verify",), ("regrade", "--only", "ana")])
def test_a_folder_without_results_is_said_to_be_one(command, tmp_path):
    told = grader(command[0], tmp_path, *command[1:])

    assert told.returncode == 2
    assert "grader run" in told.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_a_run_has_written_holds(results):
    verified = grader("verify", results)

    assert verified.returncode == 0, verified.stdout
    assert "Checked 2 submissions" in verified.stdout


def test_a_run_in_which_a_bank_was_overdrawn_holds(tmp_path):
    rules = "game: hex\noptions: {size: 3}\noverrun: random-move\ntime: {bank: 1, grace: 0.3, load: 9}\n"
    rules += "opponents:\n  - {player: random, points: 10, games: 2}\n"
    nap = "import time; time.sleep({1: 1.2}.get(len(board.get_possible_moves()) % 4, 0.2)); return"
    grader("run", folder(tmp_path / "in", rules, naps=FIRST.replace("return", nap)), "-o", tmp_path / "out")
    verified = grader("verify", tmp_path / "out")

    with Store(tmp_path / "out") as store:
        records = [record for record in map(store.get, store.keys()) if record is not None]
    assert any(turn.late for record in records for turn in record.turns)
    assert verified.returncode == 0 and "Everything checks out" in verified.stdout, verified.stdout


def test_verifying_needs_no_students_code(results):
    shutil.rmtree(results.parent / "submissions")

    assert grader("verify", results).returncode == 0


def test_a_deterministic_player_is_regraded_to_the_same_moves_and_the_old_result_stays(results):
    before = (results / "results.json").read_bytes()

    again = grader("regrade", results, "--only", "ana", "--from", results.parent / "submissions")

    assert again.returncode == 0, again.stderr
    assert "as before" in again.stdout and "4 of 4 games are the same" in again.stdout
    assert (results / "results.json").read_bytes() == before
    assert [entry["id"] for entry in json.loads((results / "regraded/1/results.json").read_text())["submissions"]] == [
        "ana"
    ]


def test_regrading_a_changed_submission_shows_where_the_games_part_and_that_the_files_differ(results):
    folder(results.parent / "submissions", "", ana=LAST)

    again = grader("regrade", results, "--only", "ana", "--from", results.parent / "submissions")

    assert again.returncode == 0, again.stderr
    assert "not the ones that were graded before" in again.stdout
    assert "first other move" in again.stdout


def test_regrading_counts_the_games_that_were_played(results):
    ladder = """
game: hex
title: A ladder
options: {size: 4}
scoring: ladder
opponents: [{player: mcts, points: 10, games: 2}, {player: coolcow, points: 10, games: 4}]
"""
    source = folder(results.parent / "climbers", ladder, ana=FIRST)
    assert grader("run", source, "-o", results.parent / "ladder").returncode == 0

    again = grader("regrade", results.parent / "ladder")

    assert re.search(r"(The one game is|2 of 2 games are) the same, move by move", again.stdout)
    assert re.search(r"Not played, neither before nor now: [45]\.", again.stdout)


def test_regrading_when_the_submissions_are_gone_asks_where_they_are(results):
    tamper_with_note(results, lambda note: note.update(path=str(results / "gone")))

    again = grader("regrade", results, "--only", "ana")

    assert again.returncode == 2
    assert "--from" in again.stderr


def test_regrading_all_passes_over_who_is_gone_and_says_so(results):
    shutil.rmtree(results.parent / "submissions/crasher")

    again = grader("regrade", results, "--from", results.parent / "submissions")

    assert again.returncode == 1
    assert "ana: " in again.stdout
    assert "not graded: crasher" in again.stderr and "--only" not in again.stderr


def test_regrading_says_what_is_not_as_it_was(results):
    def elsewhere(record):
        record["machine"] = "another machine"

    def other_conditions(note):
        note.update(level="none")
        for entrant in note["entrants"]:
            entrant["identity"]["reference"] = "others"

    tamper(results, elsewhere)
    tamper_with_note(results, other_conditions)

    again = grader("regrade", results, "--only", "ana", "--from", results.parent / "submissions")

    assert again.returncode == 0, again.stderr
    assert "! It was played with another machine before, and with grader" in again.stdout
    assert "! The reference players are not the same as before." in again.stdout
    if best_level() is not Level.NONE:
        assert "! It was played at the isolation level none before" in again.stdout


def test_a_regrading_that_did_not_end_is_gone_on_with_and_a_finished_one_is_kept(results):
    submissions = results.parent / "submissions"
    (results.parent / "empty").mkdir()
    assert grader("regrade", results, "--only", "ana", "--from", results.parent / "empty").returncode == 2
    Store(results / "regraded/1").close()  # as one that was interrupted leaves it

    first = grader("regrade", results, "--only", "ana", "--from", submissions)
    second = grader("regrade", results, "--only", "crasher", "--from", submissions)

    assert "regraded/1;" in first.stdout and "regraded/2;" in second.stdout
    assert sorted(path.name for path in (results / "regraded").iterdir()) == ["1", "2"]


def test_a_submission_is_graded_again_by_the_assignment_that_it_was_graded_by(tmp_path):
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    out = tmp_path / "out"
    assert grader("run", source, "-o", out).returncode == 0
    assert grader("run", source, "-o", out, "--only", "ana", "--seed", "5").returncode == 0

    again = grader("regrade", out)

    assert again.returncode == 0, again.stderr
    assert again.stdout.count("4 of 4 games are the same, move by move.") == 2
