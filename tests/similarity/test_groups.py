"""Submissions that all share code are one group."""

from tests.similarity.classes import MINIMAX, SHORTEST_PATH, TREE, compared
from tests.similarity.disguises import padded, renamed
from tests.similarity.test_compare import program


def groups(comparison) -> list[list[str]]:
    return [sorted(document.id for document in group.members) for group in comparison.groups]


def test_four_people_with_the_same_code_are_one_group(tmp_path):
    found = compared(tmp_path, {**dict.fromkeys("abcd", SHORTEST_PATH), "e": MINIMAX})

    assert groups(found) == [["a", "b", "c", "d"]]
    assert found.groups[0].is_copy and found.groups[0].has_same_code
    assert len(found.pairs) == 6 and len(found.groups[0].pairs) == 3


def test_whole_file_copies_come_before_disguised_ones(tmp_path):
    found = compared(tmp_path, {"a": MINIMAX, "b": renamed(MINIMAX), "y": TREE, "z": padded(TREE)})
    copied = compared(tmp_path / "copy", {"a": MINIMAX, "b": renamed(MINIMAX), "y": TREE, "z": TREE})

    assert groups(found) == [["a", "b"], ["y", "z"]]
    assert groups(copied) == [["y", "z"], ["a", "b"]]


def test_a_copied_file_next_to_other_files_is_a_whole_file_copy(tmp_path):
    (tmp_path / "class/b").mkdir(parents=True)
    (tmp_path / "class/b/other.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "class/b/engine.py").write_text(TREE, encoding="utf-8")

    (group,) = compared(tmp_path, {"a": TREE, "c": MINIMAX}).groups

    assert group.is_copy and group.pairs[0].remarks == ("identical file: solution.py",)


def test_a_chain_of_weak_similarities_is_not_one_group(tmp_path):
    part = [program(number, 60) for number in range(4)]

    found = compared(tmp_path, {"a": part[0] + part[1], "b": part[1] + part[2], "c": part[2] + part[3]})

    assert sorted(groups(found)) == [["a", "b"], ["b", "c"]]


def test_the_shares_of_a_group_say_how_much_of_each_the_others_have(tmp_path):
    (group,) = compared(tmp_path, {"a": MINIMAX, "b": padded(renamed(MINIMAX)), "c": renamed(MINIMAX)}).groups
    ids = [document.id for document in group.members]
    a, b = ids.index("a"), ids.index("b")

    assert group.shares[a][b] > group.shares[b][a] > 0.3
    assert group.share_of(a) == 1
