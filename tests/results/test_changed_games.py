"""Grades are not made from games that were changed after the results were saved."""

import json
import sqlite3

import pytest

from grader import workflow
from grader.results.verify import verify
from grader.store import Store, StoreError
from tests.command import grader
from tests.results.tampering import execute, tamper_with_note

CHANGED = "1 game was changed, added or removed after the results were saved (ana, random #1). Run `grader verify`"


@pytest.fixture
def tampered(results):
    """Results in which ana has another result in one game against random."""
    with sqlite3.connect(results / "results.sqlite") as connection:
        rows = connection.execute("SELECT key, record FROM matches").fetchall()
        records = {key: json.loads(text) for key, text in rows}
        with Store.open_read_only(results) as store:
            fixtures = store.read_note("competition")["fixtures"]
        key = next(each["key"] for each in fixtures if {*each["players"]} == {"ana", "reference/random"})
        records[key]["winner"] = 1 - records[key]["winner"]
        connection.execute("UPDATE matches SET record = ? WHERE key = ?", (json.dumps(records[key]), key))
    connection.close()
    return results


def test_reports_and_exports_are_refused_and_nothing_is_written(tampered, tmp_path):
    before = {file: file.read_bytes() for file in tampered.iterdir() if file.suffix in (".csv", ".html", ".json")}

    reported = grader("report", tampered)
    exported = grader("export", "junit", tampered, "-o", tmp_path / "junit.xml")

    assert (reported.returncode, exported.returncode) == (1, 1)
    assert CHANGED in reported.stderr and CHANGED in exported.stderr
    assert reported.stdout == "" and not (tmp_path / "junit.xml").exists()
    assert all(file.read_bytes() == content for file, content in before.items())


def test_show_and_replay_warn_about_changed_games_of_that_submission(tampered):
    shown, replayed = grader("show", tampered, "ana"), grader("replay", tampered, "ana")
    other = grader("show", tampered, "crasher")

    assert (shown.returncode, replayed.returncode, other.returncode) == (0, 0, 0)
    assert f"Warning: {CHANGED}" in shown.stderr and f"Warning: {CHANGED}" in replayed.stderr
    assert other.stderr == ""


def test_verify_says_that_the_seal_does_not_match_and_gives_a_verdict(tampered):
    with Store.open_read_only(tampered) as store:
        seal = verify(store, tampered).seal

    verified = grader("verify", tampered, "--seal", seal)
    lines = verified.stdout.splitlines()

    assert verified.returncode == 1
    assert "✗ ana, random #1: the record was changed afterwards" in lines
    assert "grades.csv: does not match the games; restore the folder from a backup" in verified.stdout
    assert "`grader report` regenerates it" not in verified.stdout
    assert lines[-2] == "The seal does not match: these results have changed since it was made."
    assert lines[-1] == f"{verified.stdout.count('✗')} problems found: do not use these results."


def test_verify_says_that_the_seal_matches_if_only_a_report_was_changed(results):
    with Store.open_read_only(results) as store:
        seal = verify(store, results).seal
    (results / "grades.csv").unlink()

    verified = grader("verify", results, "--seal", seal, "--lang", "es")

    assert verified.returncode == 1
    assert "`grader report`" in verified.stdout
    assert verified.stdout.splitlines()[-2:] == [
        "El sello coincide: las partidas no han cambiado desde que se creó.",
        "Se encontró 1 problema: no uses estos resultados.",
    ]


def test_verify_says_that_the_seal_does_not_match_if_the_sealed_data_is_gone(results):
    execute(results, "DELETE FROM notes")

    with Store.open_read_only(results) as store:
        assert verify(store, results, "0" * 64).seal_matches is False
        assert verify(store, results).seal_matches is None


def test_many_changed_and_removed_games_are_counted_and_the_first_are_named(results, tournament):
    execute(results, "UPDATE matches SET finished = finished + 1")
    execute(tournament, "DELETE FROM matches")

    with pytest.raises(StoreError, match=r"^\d+ games were changed.*\(ana, random #1; .*; …\)\. Run"):
        workflow.report(results)
    with pytest.raises(StoreError, match=r"^6 games were changed, added or removed .*ana – luis #1; "):
        workflow.report(tournament)


def test_a_game_added_by_a_resumed_run_is_not_a_forgery(results):
    def forget_a_game(note):
        note["games"].popitem()

    tamper_with_note(results, forget_a_game)
    with pytest.raises(StoreError, match="1 game was changed, added or removed"):
        workflow.report(results)

    with Store(results) as store:
        store.note({"plan": store.read_note("competition")})
    workflow.report(results)
