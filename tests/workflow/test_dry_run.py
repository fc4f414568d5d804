"""`--dry-run` shows who was found with which player, and how long the games may take. It plays and writes nothing."""

from tests.command import grader
from tests.intake.folders import player
from tests.intake.notebooks import notebook
from tests.intake.zips import put
from tests.workflow.folders import ASSIGNMENT, FIRST, LAST, folder

ROSTER = "id,name\nana,Ana María de los Ángeles Fernández Rodríguez\nzoe,Zoé Quirós\n"
EXCUSED = ASSIGNMENT + "overrides: {eva: {excused: true}}\n"


def test_each_student_is_listed_with_the_player_that_was_found_or_the_reason(tmp_path):
    source = folder(tmp_path / "in", EXCUSED, ana=FIRST, eva=LAST, no="class SmartPlayer:\n    size = 3\n")
    put(source, {"nb/hex.ipynb": notebook(FIRST), "two/a.py": player("A"), "two/b.py": player("B")})
    put(source, {"up/solution.py": LAST, "up/solution (1).py": FIRST})
    (source / "empty").mkdir()
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")

    done = grader("run", source, "-o", tmp_path / "out", "--roster", tmp_path / "roster.csv", "--dry-run", "-j", "1")

    assert done.returncode == 0, done.stderr
    table, _, summary = done.stdout.partition("\n\n")
    assert [" ".join(line.split()) for line in table.splitlines()[2:]] == [
        "Ana María de los Ángeles Fernández Rodríguez (ana) solution.py:SmartPlayer 4",
        "empty empty submission: The submission contains no files. –",
        "eva excused –",
        "nb hex.ipynb:SmartPlayer 4",
        "no no player: The class SmartPlayer has no play() method. (solution.py:1) –",
        "two needs your decision: Found several players and cannot tell which one to use: a.py:A, b.py:B. –",
        "up solution.py:SmartPlayer 4",
        "Graded solution (1).py instead of solution.py: it is probably the newer upload, judging by its name.",
        "Zoé Quirós (zoe) nothing submitted –",
    ]
    assert summary.startswith("7 submissions, 12 games, 1 in parallel: about ")
    assert summary.endswith(
        "1 submission needs your decision.\n2 submissions have no player.\n1 student submitted nothing.\n"
    )
    assert "at most" in summary
    assert not (tmp_path / "out").exists()


def test_a_roster_with_ids_of_another_kind_is_an_error_that_shows_both(tmp_path):
    source = folder(tmp_path / "in", ana=FIRST, luis=LAST)
    (tmp_path / "roster.csv").write_text("id,name\n1-2345-678,Ana\n8-7654-321,Luis\n", encoding="utf-8")
    refused = grader("run", source, "-o", tmp_path / "out", "--roster", tmp_path / "roster.csv")

    assert refused.returncode == 2
    assert "The roster has '1-2345-678', for example, and the submissions have 'ana'." in refused.stderr
    assert not (tmp_path / "out").exists()


def test_all_games_are_only_listed_on_request(tmp_path):
    source = folder(tmp_path / "in", first=FIRST, last=LAST)
    done = grader("run", source, "-o", tmp_path / "out", "--dry-run", "--fixtures")
    alone = grader("run", source, "-o", tmp_path / "out", "--fixtures")

    assert done.stdout.count("random") == 8 and done.stdout.count("second") == 4
    assert "2 submissions, 8 games" in done.stdout
    assert (alone.returncode, "--fixtures lists the games of a --dry-run" in alone.stderr) == (2, True)
    assert not (tmp_path / "out").exists()
