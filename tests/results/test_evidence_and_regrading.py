"""The evidence for a grade can be shown, verified without the student's code, and played again."""

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


def test_show_prints_all_the_evidence_for_a_grade(results):
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


def test_show_prints_the_assignment_with_its_defaults_and_the_lateness(results):
    def late(note):
        note["assignments"] = [f"{text}\nlate: {{due: 2026-05-31 23:59}}\n" for text in note["assignments"]]
        note["entrants"][0]["submission"]["late_seconds"] = 217_015_500

    tamper_with_note(results, late)
    shown = grader("show", results, "ana")

    assert shown.returncode == 0, shown.stderr
    assert "late by               2512 days (217015500 s)" in shown.stdout
    for part in (
        "percent_per_day: 10.0",
        "at_most: 50.0",
        "grace: 0.25",
        "memory_mb: 1024",
        "linear: {from: 0.0, to: 1.0}",
    ):
        assert part in shown.stdout, part


def test_an_ambiguous_name_is_reported_with_the_ids(results):
    def namesakes(note):
        for entrant in note["entrants"]:
            entrant["submission"]["name"] = "Ana Sol"

    tamper_with_note(results, namesakes)
    shown = grader("show", results, "ana sol")

    assert shown.returncode == 2
    assert "ana sol: that name is ambiguous; use one of the ids ana, " in shown.stderr


def test_show_and_regrade_handle_a_submission_that_cannot_be_loaded(tmp_path):
    source = folder(tmp_path / "submissions", dora="def (")
    assert grader("run", source, "-o", tmp_path / "results").returncode == 0

    shown, again = grader("show", tmp_path / "results", "dora"), grader("regrade", tmp_path / "results")

    assert re.search(r"graded with +grader \d\S*, Python \d", shown.stdout)
    assert "No games were played, before or now." in again.stdout


def test_show_with_moves_prints_each_move_and_its_time(results):
    shown = grader("show", results, "ana", "--moves")

    moves = r"1\. [a-d][1-4] \d\.\d{3}   2\. [a-d][1-4] \d\.\d{3}"
    assert re.search(rf"Game 1 against random, moving (first|second): \w+ \(connected\)\n{moves}", shown.stdout)


def test_show_with_moves_ends_with_the_answer_that_failed(results):
    shown = grader("show", results, "crasher", "--moves").stdout

    assert re.search(r"moving first: lost \(exception\)\n1\. ✗ exception \(", shown)
    assert re.search(r"moving second: lost \(exception\)\n1\. [a-d][1-4] \d\.\d{3}   2\. ✗ exception \(", shown)


def test_the_times_of_all_moves_include_the_answer_that_failed(results):
    timings = json.loads((results / "timings.json").read_bytes())["submissions"]["crasher"]

    assert [len(game["charged"]) for game in timings] == [1, 1, 1, 1]


def test_show_lists_the_submissions_for_an_unknown_name(results):
    shown = grader("show", results, "missing")

    assert shown.returncode == 2
    assert "missing" in shown.stderr and "ana" in shown.stderr


def test_moves_and_their_times_stay_on_the_same_line(results):
    shown = grader("show", results, "ana", "--moves").stdout.partition("Game 1 against")[2]

    lines = [line for line in shown.splitlines() if re.match(r"\d+\. ", line)]
    assert any("10. " in line for line in lines)
    assert all(re.fullmatch(r"\d+\. [a-d][1-4] \d\.\d{3}", part) for line in lines for part in line.split("   "))


@pytest.mark.parametrize("name", ["Ana", "ana pe\N{LATIN SMALL LETTER N WITH TILDE}a", "Ana Pen\N{COMBINING TILDE}a"])
def test_a_submission_is_also_found_by_name_ignoring_case_and_accent_encoding(results, name):
    roster = [{"id": "ana", "name": "Ana Peña"}, {"id": "luis", "name": "Luis"}]
    tamper_with_note(results, lambda note: note.update(roster=roster))

    assert "submission            ana\n" in grader("show", results, name).stdout
    absent = grader("show", results, "luis")
    assert absent.returncode == 2 and "nothing was submitted" in absent.stderr


def test_show_does_not_change_any_file(results):
    before = {path: path.stat().st_mtime_ns for path in results.rglob("*")}

    shown = grader("show", results, "crasher")

    assert shown.returncode == 0, shown.stderr
    assert {path: path.stat().st_mtime_ns for path in results.rglob("*")} == before


@pytest.mark.parametrize("command", [("show", "ana"), ("verify",), ("regrade", "--only", "ana")])
def test_a_folder_without_results_is_rejected(command, tmp_path):
    refused = grader(command[0], tmp_path, *command[1:])

    assert refused.returncode == 2
    assert "grader run" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_unchanged_run_is_verified(results):
    verified = grader("verify", results)

    assert verified.returncode == 0, verified.stdout
    assert "Checked 2 submissions" in verified.stdout


def test_a_run_in_which_a_time_bank_was_exceeded_is_verified(tmp_path):
    rules = "game: hex\noptions: {size: 3}\noverrun: random-move\ntime: {bank: 1, grace: 0.3, load: 9}\n"
    rules += "opponents:\n  - {player: random, points: 10, games: 2}\n"
    nap = "import time; time.sleep({1: 1.2}.get(len(board.get_possible_moves()) % 4, 0.2)); return"
    grader("run", folder(tmp_path / "in", rules, naps=FIRST.replace("return", nap)), "-o", tmp_path / "out")
    verified = grader("verify", tmp_path / "out")

    with Store(tmp_path / "out") as store:
        records = [record for record in map(store.get, store.keys()) if record is not None]
    assert any(turn.late for record in records for turn in record.turns)
    assert verified.returncode == 0 and "Everything checks out" in verified.stdout, verified.stdout


def test_verifying_does_not_need_the_submissions(results):
    shutil.rmtree(results.parent / "submissions")

    assert grader("verify", results).returncode == 0


def test_regrading_a_deterministic_player_gives_the_same_moves_and_keeps_the_old_results(results):
    before = (results / "results.json").read_bytes()

    again = grader("regrade", results, "--only", "ana", "--from", results.parent / "submissions")

    assert again.returncode == 0, again.stderr
    assert "unchanged" in again.stdout and "4 of 4 games are identical" in again.stdout
    assert "Same files, reference players, machine and isolation level." in again.stdout
    assert (results / "results.json").read_bytes() == before
    assert [entry["id"] for entry in json.loads((results / "regraded/1/results.json").read_text())["submissions"]] == [
        "ana"
    ]


def test_regrading_a_changed_submission_reports_the_changed_files_and_moves(results):
    folder(results.parent / "submissions", "", ana=LAST)

    again = grader("regrade", results, "--only", "ana", "--from", results.parent / "submissions")

    assert again.returncode == 0, again.stderr
    assert "Its files have changed." in again.stdout
    assert "first different move" in again.stdout


def test_regrading_counts_only_the_games_that_were_played(results):
    ladder = """
game: hex
seed: 0
title: A ladder
options: {size: 4}
scoring: ladder
opponents: [{player: mcts, points: 10, games: 2}, {player: coolcow, points: 10, games: 4}]
"""
    source = folder(results.parent / "climbers", ladder, ana=FIRST)
    assert grader("run", source, "-o", results.parent / "ladder").returncode == 0

    again = grader("regrade", results.parent / "ladder")

    assert re.search(r"(1 of 1 game is|2 of 2 games are) identical, move for move", again.stdout)
    assert re.search(r"[45] games were not played, before or now\.", again.stdout)


def test_regrading_asks_for_the_location_of_submissions_that_have_moved(results):
    tamper_with_note(results, lambda note: note.update(path=str(results / "gone")))

    again = grader("regrade", results, "--only", "ana")

    assert again.returncode == 2
    assert "--from" in again.stderr


def test_regrading_all_skips_and_reports_missing_submissions(results):
    shutil.rmtree(results.parent / "submissions/crasher")

    again = grader("regrade", results, "--from", results.parent / "submissions")

    assert again.returncode == 1
    assert "ana: " in again.stdout
    assert "Not graded, no longer among the submissions: crasher." in again.stderr and "--only" not in again.stderr


def test_regrading_reports_changed_conditions(results):
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
    assert "! It was played with another machine, and now with grader" in again.stdout
    assert "! The reference players have changed." in again.stdout
    if best_level() is not Level.NONE:
        assert "! The isolation level was none, and is now" in again.stdout


def test_an_unfinished_regrading_is_resumed_and_a_finished_one_is_kept(results):
    submissions = results.parent / "submissions"
    (results.parent / "empty").mkdir()
    assert grader("regrade", results, "--only", "ana", "--from", results.parent / "empty").returncode == 2
    Store(results / "regraded/1").close()  # the state after an interruption

    first = grader("regrade", results, "--only", "ana", "--from", submissions)
    second = grader("regrade", results, "--only", "crasher", "--from", submissions)

    assert "regraded/1." in first.stdout and "regraded/2." in second.stdout
    assert sorted(path.name for path in (results / "regraded").iterdir()) == ["1", "2"]


def test_regrading_uses_the_assignment_of_the_original_grade(tmp_path):
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    out = tmp_path / "out"
    assert grader("run", source, "-o", out).returncode == 0
    assert grader("run", source, "-o", out, "--only", "ana", "--seed", "5").returncode == 0

    again = grader("regrade", out)

    assert again.returncode == 0, again.stderr
    assert again.stdout.count("4 of 4 games are identical, move for move.") == 2
