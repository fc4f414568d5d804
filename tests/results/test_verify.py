"""Any change to saved results is detected."""

import json
import re

import pytest

from grader.results import saved
from grader.store import Store
from tests.command import grader
from tests.results.tampering import execute, tamper, tamper_with_note
from tests.workflow.folders import FIRST, LAST, folder


def swap_winner(record):
    if record["fault"] is None:
        record["winner"] = 1 - record["winner"]


def swap_winner_of_ana(record):
    if "seats" in record:
        swap_winner(record)


def illegal_move(record):
    if len(record["turns"]) > 1:
        record["turns"][1]["move"] = record["turns"][0]["move"]


def other_seed(record):
    record["seed"] += 1


def other_rules(record):
    record["options"]["size"] = 5


def cut_short(record):
    record["turns"] = record["turns"][:-1]


def late_for_no_reason(record):
    for turn in record["turns"]:
        turn["late"] = True


def too_slow(record):
    for turn in record["turns"]:
        turn["charge"]["charged"] = 99.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(swap_winner, "and winner", id="another winner"),
        pytest.param(illegal_move, "is not legal", id="an illegal move"),
        pytest.param(other_seed, "with seed", id="another seed"),
        pytest.param(other_rules, "rules other than the assignment's", id="other rules"),
        pytest.param(cut_short, "do not lead to the recorded ending", id="a missing move"),
        pytest.param(late_for_no_reason, "is not the random move for a late player", id="a late player"),
        pytest.param(too_slow, "s allowed) but did not lose on time", id="too much time"),
    ],
)
def test_a_changed_game_is_detected(results, change, message):
    tamper(results, change)

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert message in verified.stdout


def test_an_unreadable_game_is_reported_and_the_others_are_still_checked(results):
    def without_seats(record):
        if record["seats"][0]["name"] == "crasher":
            record.pop("seats")

    tamper(results, without_seats)
    tamper(results, swap_winner_of_ana)

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "crasher, random #1: the record cannot be read: not a valid game record" in verified.stdout
    assert "ana, random #1: the moves do not lead to the recorded ending (connected) and winner" in verified.stdout
    assert verified.stderr == ""


@pytest.mark.parametrize("record", ["x'ff00'", "cast(x'7bff' AS TEXT)", "5", f"'{'[' * 100_000}'"])
def test_invalid_content_instead_of_a_record_is_reported_with_its_game(results, record):
    execute(results, f"UPDATE matches SET record = {record}")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "ana, random #1: the record cannot be read" in verified.stdout
    assert verified.stderr == ""


@pytest.mark.parametrize("finished", ["'abc'", "1e300", "-1e11", "x'00'"])
def test_an_invalid_time_is_reported_without_a_traceback(results, finished):
    execute(results, f"UPDATE matches SET finished = {finished}")

    shown, verified = grader("show", results, "ana"), grader("verify", results)

    assert (shown.returncode, verified.returncode) == (1, 1)
    assert "contains data that the grader did not write" in shown.stderr and "Traceback" not in shown.stderr
    assert "ana, random #1: the record was changed afterwards" in verified.stdout


@pytest.mark.parametrize("table", ["matches", "notes"])
def test_a_database_with_a_missing_table_is_reported_as_damaged(results, table):
    execute(results, f"DROP TABLE {table}")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert f"no such table: {table}. Restore the folder from a backup" in verified.stderr


def test_grades_whose_run_was_deleted_do_not_hold(results):
    execute(results, "DELETE FROM notes")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.sqlite: the data behind results.json is missing" in verified.stdout


def test_a_raised_grade_is_detected(results):
    file = results / "results.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["submissions"][1]["score"] = 10.0
    file.write_text(json.dumps(content), encoding="utf-8")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "crasher" in verified.stdout and "score" in verified.stdout


def another_legal_move(record):
    """Swap two moves of the loser: everything is still legal, and the ending is the same."""
    if record["fault"] is None:
        own = record["turns"][1 - record["winner"] :: 2]
        own[0]["move"], own[1]["move"] = own[1]["move"], own[0]["move"]


def a_little_faster(record):
    for turn in record["turns"]:
        turn["charge"]["charged"] = 0.001


def another_machine(record):
    record["machine"] = "elsewhere"


@pytest.mark.parametrize("change", [another_legal_move, a_little_faster, another_machine])
def test_a_change_that_the_rules_allow_is_detected(results, change):
    tamper(results, change)

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "ana, random #1: the record was changed afterwards" in verified.stdout


def test_a_win_by_a_fault_of_the_reference_player_is_detected(results):
    def reference_fails(record):
        if record["fault"] is None and record["seats"][1]["name"] == "random":
            fault = {"ending": "crash", "text": "", "help": "", "where": None, "trace": ""}
            record.update(turns=record["turns"][:1], ending="crash", fault=fault, at_fault=1, winner=0)

    tamper(results, reference_fails)

    assert "a fault of the reference player is recorded" in grader("verify", results).stdout


def swap_two_students(note):
    one, other = (entrant["submission"] for entrant in note["entrants"])
    one["id"], other["id"] = other["id"], one["id"]
    swapped = {one["id"]: other["id"], other["id"]: one["id"]}
    for fixture in note["fixtures"]:
        fixture["players"] = [swapped.get(player, player) for player in fixture["players"]]


def more_points(note):
    note["assignments"] = [text.replace("points: 10", "points: 90") for text in note["assignments"]]


def other_files(note):
    note["entrants"][0]["submission"]["digest"] = "0" * 64


def late(note):
    note["entrants"][0]["submission"]["late_seconds"] = 99


@pytest.mark.parametrize("change", [swap_two_students, more_points, other_files, late])
def test_a_changed_run_is_detected_even_if_its_reports_were_regenerated(results, change):
    tamper_with_note(results, change)
    assert grader("report", results).returncode == 0

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.sqlite: the data about submissions, assignment or games was changed afterwards" in verified.stdout


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda note: note.clear(), id="empty"),
        pytest.param(lambda note: note.update(level="absolute"), id="an unknown level"),
        pytest.param(lambda note: note.update(assignments=[]), id="no assignment"),
        pytest.param(lambda note: note["entrants"][0].update(assignment=7), id="another assignment"),
        pytest.param(lambda note: note["fixtures"][0].update(players=["ana", "stranger"]), id="another opponent"),
        pytest.param(lambda note: note["fixtures"][0].update(bonus=7), id="an extra field"),
        pytest.param(lambda note: note["fixtures"][0].update(number="x"), id="an invalid number"),
        pytest.param(lambda note: note["entrants"][0].update(identity="x"), id="an invalid identity"),
        pytest.param(lambda note: note["entrants"][0]["submission"].update(late_seconds="x"), id="lateness as text"),
        pytest.param(lambda note: note.update(games="x"), id="invalid hashes"),
        pytest.param(lambda note: note.update(roster=[{"id": 1, "name": 2}]), id="a roster of numbers"),
    ],
)
def test_an_unreadable_run_is_reported_without_a_traceback(results, change):
    tamper_with_note(results, change)

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.sqlite contains data that the grader did not write" in verified.stderr
    assert "Traceback" not in verified.stderr


def test_a_tournament_of_a_game_that_is_not_installed_is_rejected(tournament):
    tamper_with_note(tournament, lambda note: note["rules"][0].__setitem__(0, "chess"))

    verified = grader("verify", tournament)

    assert verified.returncode == 2 and "unknown game 'chess'" in verified.stderr


def test_a_file_that_is_not_a_database_is_not_called_resumable(results):
    (results / "results.sqlite").write_text("hello")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "backup" in verified.stderr and "Finished games are saved" not in verified.stderr


@pytest.mark.parametrize("value", ['{"a": 1}', "[]", '"x"'])
def test_a_run_does_not_resume_from_data_that_the_grader_did_not_write(results, value):
    execute(results, f"UPDATE notes SET value = '{value}' WHERE name NOT LIKE '%run'")

    again = grader("run", results.parent / "submissions", "-o", results)

    assert again.returncode == 1
    assert "results.sqlite contains data that the grader did not write" in again.stderr
    assert "Traceback" not in again.stderr


def test_a_duplicate_entry_in_the_grades_is_detected(results):
    file = results / "results.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["submissions"].insert(0, {**content["submissions"][0], "score": 10.0})
    file.write_text(json.dumps(content), encoding="utf-8")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.json: contains more than the grader wrote" in verified.stdout


def test_a_duplicate_score_is_detected(results):
    file = results / "results.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"score":', '"score": 10.0, "score":', 1), encoding="utf-8")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.json: the file cannot be read" in verified.stdout


def test_a_complete_forgery_is_detected_by_a_seal_kept_elsewhere(results):
    def forge(store):
        note = store.read_note(saved.NOTE)
        late(note)
        saved.save_note(store, note)

    seal = grader("verify", results).stdout.partition("Seal: ")[2][:64]
    assert grader("verify", results, "--seal", seal).returncode == 0
    with Store(results) as store:
        forge(store)

    assert grader("verify", results).returncode == 0
    verified = grader("verify", results, "--seal", seal)
    assert verified.returncode == 1
    assert "the results have changed since that seal was made" in verified.stdout


def test_an_unchanged_tournament_is_verified(tournament):
    verified = grader("verify", tournament)

    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert "Checked 2 submissions, 6 games" in verified.stdout
    assert re.search(r"Recomputed all \d+ reference-player moves, in 4 games: all match\.", verified.stdout)


@pytest.mark.parametrize("change", [swap_winner, illegal_move, other_seed, other_rules, a_little_faster])
def test_a_changed_game_of_a_tournament_is_detected(tournament, change):
    tamper(tournament, change)

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "ana – luis #1: " in verified.stdout


def test_changed_standings_are_detected(tournament):
    file = tournament / "standings.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"won": ', '"won": 1'), encoding="utf-8")

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "standings.json: these values of hex do not match the games: players" in verified.stdout


@pytest.mark.parametrize("name", ["standings.csv", "crosstable.csv"])
def test_changed_and_missing_tables_of_a_tournament_are_detected(tournament, name):
    file = tournament / name
    file.write_text(file.read_text(encoding="utf-8").replace("ana", "luis", 1), encoding="utf-8")
    changed = grader("verify", tournament)
    file.unlink()
    missing = grader("verify", tournament)

    assert (changed.returncode, missing.returncode) == (1, 1)
    assert f"{name}: does not match the games; `grader report` regenerates it" in changed.stdout
    assert f"{name}: the file is missing; `grader report` regenerates it" in missing.stdout


def test_tables_are_verified_in_any_language(tmp_path):
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST, dora="def (")
    assert grader("tournament", source, "-o", tmp_path / "out", "--lang", "es").returncode == 0

    verified = grader("verify", tmp_path / "out")

    assert verified.returncode == 0, verified.stdout
    assert "Error de sintaxis" in (tmp_path / "out/standings.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda note: note.update(pairing=7), id="an invalid pairing"),
        pytest.param(lambda note: note["pairing"].update(games="x"), id="invalid games"),
        pytest.param(lambda note: note["fixtures"][0].update(players=["stranger", "ana"]), id="an unknown player"),
        pytest.param(lambda note: note["fixtures"][0].update(number="x"), id="an invalid number"),
    ],
)
def test_an_unreadable_tournament_is_reported_without_a_traceback(tournament, change):
    tamper_with_note(tournament, change)

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "results.sqlite contains data that the grader did not write" in verified.stderr
    assert "Traceback" not in verified.stderr


def test_a_tournament_has_no_grades_to_show(tournament):
    shown = grader("show", tournament, "ana")

    assert shown.returncode == 2
    assert "tournament" in shown.stderr and "grader replay" in shown.stderr


def test_fixtures_that_do_not_follow_from_the_seed_are_detected(tournament):
    with Store(tournament) as store:
        note = store.read_note(saved.NOTE)
        for fixture in note["fixtures"]:
            fixture["players"] = fixture["players"][::-1]
        saved.save_note(store, note)

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "hex: its games are not the ones that the assignment and the seed produce" in verified.stdout


def test_the_reports_of_a_tournament_can_be_regenerated(tournament):
    files = ("standings.json", "standings.csv", "crosstable.csv", "tournament.html")
    before = {name: (tournament / name).read_bytes() for name in files}
    for name in files:
        (tournament / name).unlink()

    done = grader("report", tournament)

    assert done.returncode == 0, done.stderr
    assert "luis" in done.stdout
    assert {name: (tournament / name).read_bytes() for name in files} == before


@pytest.mark.parametrize("name", ["run", "tournament"])
@pytest.mark.parametrize("command", ["report", "verify", "replay", "run", "tournament"])
def test_results_of_version_0_1_are_rejected(tmp_path, name, command):
    with Store(tmp_path / "results") as store:
        store.note({name: {"games": {}}})
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    arguments = (
        (source, "-o", tmp_path / "results") if command in ("run", "tournament") else (tmp_path / "results", "ana")
    )

    done = grader(command, *arguments[: None if command in ("run", "tournament", "replay") else 1])

    assert done.returncode == 2
    assert "these results were written by grader 0.1" in done.stderr
    assert "Traceback" not in done.stderr


def test_missing_games_of_a_tournament_are_detected(tournament):
    with Store(tournament) as store:
        note = store.read_note(saved.NOTE)
        note["fixtures"] = note["fixtures"][:4]
        saved.save_note(store, note)
    assert grader("report", tournament).returncode == 0

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "its games are not the ones that the assignment and the seed produce" in verified.stdout


def test_a_tournament_of_some_submissions_does_not_replace_one_of_all(tournament):
    source = folder(tournament.parent / "submissions", ana=FIRST, luis=LAST)

    done = grader("tournament", source, "-o", tournament, "--anchor", "random", "--only", "ana")

    assert done.returncode == 2
    assert "a tournament with more players" in done.stderr and "luis" in done.stderr


@pytest.mark.parametrize(("kind", "other"), [("run", "tournament"), ("tournament", "run")])
def test_a_folder_belongs_to_the_first_kind_of_competition_started_in_it(tmp_path, kind, other):
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    with Store(tmp_path / "out") as store:
        saved.begin(store, tournament=kind == "tournament", entrants=["ana"], only=False)

    refused = grader(other, source, "-o", tmp_path / "out")
    incomplete = grader("verify", tmp_path / "out")

    assert refused.returncode == 2 and f"this folder holds the results of a {kind}" in refused.stderr
    assert incomplete.returncode == 2 and f"this {kind} is unfinished" in incomplete.stderr
