"""The player that an assignment names, in every form that is allowed."""

import pytest

from grader.inspection.entry import find_entry
from tests.intake.folders import PLAYER, make, player

MANY = {
    "player.py": player("A") + player("B"),
    "src/solution.py": PLAYER + player("Other"),
    "Name/src/solution.py": player("Deep") + "Made = type('Made', (Deep,), {})\n",
    "outer.py": f"class Outer:\n{''.join(f'    {line}' for line in player('Inner').splitlines(True))}",
    "mia.py": "def play(game, player):\n    return (0, 0)\n",
}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("player.py:B", "player.py:B"),
        ("solution.py", "src/solution.py:SmartPlayer"),
        ("solution.py:Other", "src/solution.py:Other"),
        ("src/solution.py:Deep", "Name/src/solution.py:Deep"),
        ("solution.py:Made", "Name/src/solution.py:Made"),
        ("SRC/Solution.py", "src/solution.py:SmartPlayer"),
        ("outer.py:Outer.Inner", "outer.py:Outer.Inner"),
        ("mia.py:play", "mia.py:play"),
        ("mia.py", "mia.py:play"),
    ],
)
def test_the_entry_that_an_assignment_names_is_used(tmp_path, wanted, expected):
    entry, _ = find_entry(make(tmp_path, MANY), wanted)

    assert entry is not None and f"{entry.file.as_posix()}:{entry.name}" == expected


@pytest.mark.parametrize("wanted", ["solution.py:Missing", "other.py", "", ":", "../solution.py", "lution.py"])
def test_a_missing_entry_is_the_first_finding(tmp_path, wanted):
    entry, findings = find_entry(make(tmp_path, {"solution.py": PLAYER, "bad.py": "def"}), wanted)

    assert entry is None
    assert findings[0].code == "no_player" and f"requires the player {wanted}," in findings[0].text


def test_an_entry_with_a_syntax_error_is_reported_as_such(tmp_path):
    entry, findings = find_entry(make(tmp_path, {"a.py": player(), "solution.py": "\n\ndef play(:\n"}), "solution.py:X")

    assert entry is None
    assert [(finding.code, finding.file, finding.line) for finding in findings] == [("syntax_error", "solution.py", 3)]


def test_the_class_that_an_assignment_names_is_used_in_a_single_file_with_any_name(tmp_path):
    root = make(tmp_path, {"ana.py": player("A") + player("B")})

    entry, _ = find_entry(root / "ana.py", "solution.py:B")

    assert entry is not None and (entry.file.name, entry.name) == ("ana.py", "B")
