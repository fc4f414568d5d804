"""What was handed out is known only when the whole class has been read; then the players are chosen again."""

from pathlib import Path

from grader.competition.prepare import prepare
from grader.inspection.inspect_code import CodeRules, inspect_code
from grader.reading.tasks import ClassReading
from grader.workflow import make_request
from tests.intake.folders import make, player, plays

SAMPLE = "def play(game, player):\n    return (0, 0)\n"
OWN = "def play(game, player):\n    return (1, {number})\n"
ENVIRONMENT = "from environment import Environment\nfrom player import Player\n"


def make_class(at: Path, size: int) -> Path:
    """A class in which every submission has the same sample player, and one of its own."""
    for number in range(size):
        make(at / "class", {"rush.py": f"# {number}\n{SAMPLE}", "ia.py": OWN.format(number=number)}, f"s{number}")
    return at / "class"


def read_entries(path: Path, staging: Path) -> dict[str, str | None]:
    with ClassReading(path, staging, [CodeRules(game="hex")]) as reading:
        found = reading.submissions()
    return {submission.id: str(inspection.entry.file) if inspection.entry else None for submission, inspection in found}


def test_code_that_three_submissions_share_does_not_play(tmp_path):
    path = make_class(tmp_path, 3)

    assert read_entries(path, tmp_path / "staging") == {"s0": "ia.py", "s1": "ia.py", "s2": "ia.py"}


def test_code_that_a_pair_shares_decides_nothing(tmp_path):
    path = make_class(tmp_path, 2)

    assert read_entries(path, tmp_path / "staging") == {"s0": None, "s1": None}


def test_only_changes_no_choice(tmp_path):
    request = make_request(make_class(tmp_path, 3), tmp_path / "out", only=("s1",))

    (entrant,) = prepare(request, tmp_path / "staging").entrants

    assert entrant.entry is not None and entrant.entry.file.name == "ia.py"
    assert [str(candidate.why) for candidate in entrant.candidates] == [
        "in another file; a function; at the top",
        "handed out: several submissions contain it; in another file; a function; at the top",
    ]


def test_a_submission_that_the_rule_cannot_decide_gets_the_rules_of_the_game_it_is_asked_for(tmp_path):
    files = {f"{name}/solution.py": plays(f"return {name!r}", before=ENVIRONMENT, takes="env") for name in "ab"}
    rules = [CodeRules(game="hex", entry="a/solution.py"), CodeRules(game="desconecta4")]

    found = inspect_code(make(tmp_path, files), rules)

    assert found.entry is not None and found.entry.file.as_posix() == "a/solution.py"
    assert rules[found.rules].game == "desconecta4"


def test_an_override_beats_the_entry_of_the_assignment(tmp_path):
    root = make(tmp_path, {"solution.py": player(), "mine.py": player("Mine")}, "ana")
    rules = [CodeRules(game="hex", entry="solution.py", entries={"ana": "mine.py:Mine"})]

    entries = [inspect_code(root, rules, id_).entry for id_ in ("ana", "ben")]

    assert [entry.name for entry in entries if entry is not None] == ["Mine", "SmartPlayer"]
