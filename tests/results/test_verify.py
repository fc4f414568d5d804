"""Whatever was changed in kept results is found."""

import json
import shutil
from pathlib import Path

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


def too_slow(record):
    for turn in record["turns"]:
        turn["charge"]["charged"] = 99.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(swap_winner, "with that winner", id="another winner"),
        pytest.param(illegal_move, "is not legal", id="an illegal move"),
        pytest.param(other_seed, "with the seed", id="another seed"),
        pytest.param(other_rules, "other rules", id="other rules"),
        pytest.param(cut_short, "do not lead to", id="a move less"),
        pytest.param(too_slow, "s are allowed", id="too much time"),
    ],
)
def test_a_game_that_was_tampered_with_does_not_hold(results, change, said):
    tamper(results, change)

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert said in verified.stdout


def test_a_game_that_cannot_even_be_read_is_named_with_whose_it_is_and_the_others_are_looked_at(results):
    def without_seats(record):
        if record["seats"][0]["name"] == "crasher":
            record.pop("seats")

    tamper(results, without_seats)
    tamper(results, swap_winner_of_ana)

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "crasher, random #1: its record cannot be read: this is no record of a match" in verified.stdout
    assert "ana, random #1: its moves do not lead to the ending connected with that winner" in verified.stdout
    assert verified.stderr == ""


@pytest.mark.parametrize("record", ["x'ff00'", "cast(x'7bff' AS TEXT)", "5", f"'{'[' * 100_000}'"])
def test_whatever_stands_where_a_record_should_is_told_with_its_place(results, record):
    execute(results, f"UPDATE matches SET record = {record}")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "ana, random #1: its record cannot be read" in verified.stdout
    assert verified.stderr == ""


@pytest.mark.parametrize("finished", ["'abc'", "1e300", "-1e11", "x'00'"])
def test_a_time_that_is_none_is_told_in_a_sentence(results, finished):
    execute(results, f"UPDATE matches SET finished = {finished}")

    shown, verified = grader("show", results, "ana"), grader("verify", results)

    assert (shown.returncode, verified.returncode) == (1, 1)
    assert "it holds something that the grader did not write" in shown.stderr and "Traceback" not in shown.stderr
    assert "ana, random #1: its record was changed afterwards" in verified.stdout


@pytest.mark.parametrize("table", ["matches", "notes"])
def test_a_database_without_one_of_its_tables_is_damaged_and_that_is_said(results, table):
    execute(results, f"DROP TABLE {table}")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert f"no such table: {table}. Take the folder from a backup" in verified.stderr


def test_grades_whose_run_was_deleted_do_not_hold(results):
    execute(results, "DELETE FROM notes")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.sqlite: it no longer holds what results.json was made from" in verified.stdout


def test_a_grade_that_was_raised_by_hand_does_not_hold(results):
    file = results / "results.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["submissions"][0]["score"] = 10.0
    file.write_text(json.dumps(content), encoding="utf-8")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "ana" in verified.stdout and "score" in verified.stdout


def another_legal_move(record):
    """Two moves of the loser in the other order: all is legal, and the ending is the same."""
    if record["fault"] is None:
        own = record["turns"][1 - record["winner"] :: 2]
        own[0]["move"], own[1]["move"] = own[1]["move"], own[0]["move"]


def a_little_faster(record):
    for turn in record["turns"]:
        turn["charge"]["charged"] = 0.001


def another_machine(record):
    record["machine"] = "elsewhere"


@pytest.mark.parametrize("change", [another_legal_move, a_little_faster, another_machine])
def test_a_change_that_the_rules_allow_is_found_all_the_same(results, change):
    tamper(results, change)

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "ana, random #1: its record was changed afterwards" in verified.stdout


def test_a_win_by_a_fault_of_the_reference_player_does_not_hold(results):
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
def test_a_run_that_was_tampered_with_does_not_hold_though_its_reports_were_written_again(results, change):
    tamper_with_note(results, change)
    assert grader("report", results).returncode == 0

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.sqlite: what it says" in verified.stdout


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda note: note.clear(), id="nothing left"),
        pytest.param(lambda note: note.update(level="absolute"), id="a level that there is not"),
        pytest.param(lambda note: note.update(assignments=[]), id="no assignment"),
        pytest.param(lambda note: note["entrants"][0].update(assignment=7), id="another assignment"),
        pytest.param(lambda note: note["fixtures"][0].update(players=["ana", "nobody"]), id="another opponent"),
        pytest.param(lambda note: note["fixtures"][0].update(bonus=7), id="a field too many"),
        pytest.param(lambda note: note["fixtures"][0].update(number="x"), id="a number that is none"),
        pytest.param(lambda note: note["entrants"][0].update(identity="x"), id="an identity that is none"),
        pytest.param(lambda note: note["entrants"][0]["submission"].update(late_seconds="x"), id="late by a text"),
        pytest.param(lambda note: note.update(games="x"), id="hashes that are none"),
        pytest.param(lambda note: note.update(roster=[{"id": 1, "name": 2}]), id="a roster of numbers"),
    ],
)
def test_a_run_that_cannot_be_read_is_told_in_a_sentence(results, change):
    tamper_with_note(results, change)

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.sqlite: it holds something that the grader did not write" in verified.stderr
    assert "Traceback" not in verified.stderr


def test_a_tournament_of_a_game_that_is_not_installed_here_says_so(tournament):
    tamper_with_note(tournament, lambda note: note["rules"][0].__setitem__(0, "chess"))

    verified = grader("verify", tournament)

    assert verified.returncode == 2 and "unknown game 'chess'" in verified.stderr


def test_a_file_that_is_no_database_is_not_said_to_be_resumable(results):
    (results / "results.sqlite").write_text("hello")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "backup" in verified.stderr and "Nothing that was finished" not in verified.stderr


@pytest.mark.parametrize("value", ['{"a": 1}', "[]", '"x"'])
def test_a_run_goes_on_from_nothing_that_the_grader_did_not_write(results, value):
    execute(results, f"UPDATE notes SET value = '{value}' WHERE name NOT LIKE '%run'")

    again = grader("run", results.parent / "submissions", "-o", results)

    assert again.returncode == 1
    assert "results.sqlite: it holds something that the grader did not write" in again.stderr
    assert "Traceback" not in again.stderr


def test_a_second_entry_of_somebody_in_the_grades_does_not_hold(results):
    file = results / "results.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["submissions"].insert(0, {**content["submissions"][0], "score": 10.0})
    file.write_text(json.dumps(content), encoding="utf-8")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.json: there is more in it" in verified.stdout


def test_a_score_that_stands_there_twice_does_not_hold(results):
    file = results / "results.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"score":', '"score": 10.0, "score":', 1), encoding="utf-8")

    verified = grader("verify", results)

    assert verified.returncode == 1
    assert "results.json: the file cannot be read" in verified.stdout


def test_who_forges_everything_is_found_by_the_seal_that_was_kept_elsewhere(results):
    def forged(store):
        note = store.read_note(saved.NOTE)
        late(note)
        saved.save_note(store, note)

    seal = grader("verify", results).stdout.partition("Seal: ")[2][:64]
    assert grader("verify", results, "--seal", seal).returncode == 0
    with Store(results) as store:
        forged(store)

    assert grader("verify", results).returncode == 0
    verified = grader("verify", results, "--seal", seal)
    assert verified.returncode == 1
    assert "not the one that was given" in verified.stdout


@pytest.fixture(scope="module")
def tournament_once(tmp_path_factory):
    at = tmp_path_factory.mktemp("tournament")
    folder(at / "submissions", ana=FIRST, luis=LAST)
    done = grader("tournament", "submissions", "--anchor", "random", cwd=at)
    assert done.returncode == 0, done.stderr
    return at / "tournament"


@pytest.fixture
def tournament(tournament_once, tmp_path):
    return Path(shutil.copytree(tournament_once, tmp_path / "tournament"))


def test_a_tournament_holds_and_its_standings_follow_from_its_games(tournament):
    verified = grader("verify", tournament)

    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert "Checked 2 submissions, 6 games" in verified.stdout


@pytest.mark.parametrize("change", [swap_winner, illegal_move, other_seed, other_rules, a_little_faster])
def test_a_tournament_that_was_tampered_with_does_not_hold(tournament, change):
    tamper(tournament, change)

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "ana – luis #1: " in verified.stdout


def test_standings_that_were_changed_by_hand_do_not_hold(tournament):
    file = tournament / "standings.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"won": ', '"won": 1'), encoding="utf-8")

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "standings.json: for hex it has another players" in verified.stdout


@pytest.mark.parametrize("name", ["standings.csv", "crosstable.csv"])
def test_tables_of_a_tournament_that_were_changed_or_taken_away_do_not_hold(tournament, name):
    file = tournament / name
    file.write_text(file.read_text(encoding="utf-8").replace("ana", "luis", 1), encoding="utf-8")
    changed = grader("verify", tournament)
    file.unlink()
    gone = grader("verify", tournament)

    assert (changed.returncode, gone.returncode) == (1, 1)
    assert f"{name}: it does not say what the games lead to: `grader report`" in changed.stdout
    assert f"{name}: the file is not there: `grader report`" in gone.stdout


def test_tables_hold_in_whatever_language_they_were_written(tmp_path):
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST, dora="def (")
    assert grader("tournament", source, "-o", tmp_path / "out", "--lang", "es").returncode == 0

    verified = grader("verify", tmp_path / "out")

    assert verified.returncode == 0, verified.stdout
    assert "no es Python" in (tmp_path / "out/standings.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda note: note.update(pairing=7), id="a pairing that is none"),
        pytest.param(lambda note: note["pairing"].update(games="x"), id="games that are none"),
        pytest.param(lambda note: note["fixtures"][0].update(players=["nobody", "ana"]), id="somebody else"),
        pytest.param(lambda note: note["fixtures"][0].update(number="x"), id="a number that is none"),
    ],
)
def test_a_tournament_that_cannot_be_read_is_told_in_a_sentence(tournament, change):
    tamper_with_note(tournament, change)

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "results.sqlite: it holds something that the grader did not write" in verified.stderr
    assert "Traceback" not in verified.stderr


def test_there_are_no_grades_behind_a_tournament_to_be_shown(tournament):
    shown = grader("show", tournament, "ana")

    assert shown.returncode == 2
    assert "tournament" in shown.stderr and "grader replay" in shown.stderr


def test_a_tournament_with_other_fixtures_than_its_seed_draws_up_does_not_hold(tournament):
    with Store(tournament) as store:
        note = store.read_note(saved.NOTE)
        for fixture in note["fixtures"]:
            fixture["players"] = fixture["players"][::-1]
        saved.save_note(store, note)

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "hex: its games are not those that the assignment and the seed lead to" in verified.stdout


def test_the_reports_of_a_tournament_can_be_written_again(tournament):
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
def test_results_of_version_0_1_are_refused_with_a_sentence(tmp_path, name, command):
    with Store(tmp_path / "results") as store:
        store.note({name: {"games": {}}})
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    words = (source, "-o", tmp_path / "results") if command in ("run", "tournament") else (tmp_path / "results", "ana")

    done = grader(command, *words[: None if command in ("run", "tournament", "replay") else 1])

    assert done.returncode == 2
    assert "these results were written by grader 0.1" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_tournament_that_lacks_its_last_games_does_not_hold(tournament):
    with Store(tournament) as store:
        note = store.read_note(saved.NOTE)
        note["fixtures"] = note["fixtures"][:4]
        saved.save_note(store, note)
    assert grader("report", tournament).returncode == 0

    verified = grader("verify", tournament)

    assert verified.returncode == 1
    assert "its games are not those that the assignment and the seed lead to" in verified.stdout


def test_a_tournament_of_some_does_not_replace_one_of_all(tournament):
    source = folder(tournament.parent / "submissions", ana=FIRST, luis=LAST)

    done = grader("tournament", source, "-o", tournament, "--anchor", "random", "--only", "ana")

    assert done.returncode == 2
    assert "a tournament with more players" in done.stderr and "luis" in done.stderr


@pytest.mark.parametrize(("kind", "other"), [("run", "tournament"), ("tournament", "run")])
def test_a_folder_belongs_to_what_was_begun_in_it(tmp_path, kind, other):
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    with Store(tmp_path / "out") as store:
        saved.begin(store, tournament=kind == "tournament", entrants=["ana"], only=False)

    refused = grader(other, source, "-o", tmp_path / "out")
    told = grader("verify", tmp_path / "out")

    assert refused.returncode == 2 and f"these are the results of a {kind}" in refused.stderr
    assert told.returncode == 2 and f"this {kind} is incomplete" in told.stderr
