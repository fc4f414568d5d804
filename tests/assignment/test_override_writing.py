"""Decisions are written into an assignment file, and everything else in it stays."""

import pytest

from grader.assignment import AssignmentError, read_assignments
from grader.assignment.override_writing import write_entries

ENTRY = "Ana Núñez/solution.py:SmartPlayer"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("game: hex  # ours", 'game: hex  # ours\noverrides:\n  "ana": {entry: NEW}\n'),
        ("game: hex\n\n# the end\n", 'game: hex\n\n# the end\noverrides:\n  "ana": {entry: NEW}\n'),
        ("{game: hex}", '{overrides: {"ana": {entry: NEW}}, game: hex}'),
        ("game: hex\noverrides:  # none\nseed: 1\n", 'game: hex\noverrides: {"ana": {entry: NEW}}  # none\nseed: 1\n'),
        ("game: hex\noverrides: {}\n", 'game: hex\noverrides: {"ana": {entry: NEW}}\n'),
        ("game: hex\noverrides: {eva: {}, }\n", 'game: hex\noverrides: {"ana": {entry: NEW}, eva: {}, }\n'),
        (
            "game: hex\noverrides:\n    # ill\n    eva: {extension: 2d}\nseed: 1\n",
            'game: hex\noverrides:\n    # ill\n    "ana": {entry: NEW}\n    eva: {extension: 2d}\nseed: 1\n',
        ),
        (
            "game: hex\noverrides:\n  ana: {extension: 2d}\n",
            "game: hex\noverrides:\n  ana: {entry: NEW, extension: 2d}\n",
        ),
        (
            "game: hex\noverrides:\n  ana:\n    note: ill\n",
            "game: hex\noverrides:\n  ana:\n    entry: NEW\n    note: ill\n",
        ),
        ("game: hex\noverrides:\n  ana:\n", "game: hex\noverrides:\n  ana: {entry: NEW}\n"),
        ("game: hex\r\nseed: 1\r\n", 'game: hex\r\nseed: 1\r\noverrides:\r\n  "ana": {entry: NEW}\r\n'),
        (
            "game: hex\r\noverrides:\r\n  eva: {}\r\n",
            'game: hex\r\noverrides:\r\n  "ana": {entry: NEW}\r\n  eva: {}\r\n',
        ),
        ("game: hex\noverrides: {ana: {entry: old.py}}\n", "game: hex\noverrides: {ana: {entry: NEW}}\n"),
    ],
)
def test_an_entry_is_added_to_any_file(before, after):
    written = write_entries(before, "a.yaml", {"ana": ("hex", ENTRY)})

    assert written == after.replace("NEW", f'"{ENTRY}"')
    assert read_assignments(written.encode(), "a.yaml")[0].overrides["ana"].entry == ENTRY


def test_an_entry_is_added_to_the_document_of_its_game():
    before = "game: hex\n---\ngame: desconecta4\n---\n"

    written = write_entries(before, "a.yaml", {"7": ("hex", "a.py:A"), "ana": ("desconecta4", "b.py:B")})

    hex_, other = read_assignments(written.encode(), "a.yaml")
    assert [list(hex_.overrides), list(other.overrides)] == [["7"], ["ana"]]


def test_a_file_without_the_game_is_an_error():
    with pytest.raises(AssignmentError, match="no assignment for desconecta4"):
        write_entries("game: hex\n", "a.yaml", {"ana": ("desconecta4", "b.py:B")})
