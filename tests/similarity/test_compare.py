"""Copies are found despite disguises, and independent code is not reported."""

import ast
import random
from dataclasses import replace
from pathlib import Path

import pytest

from grader.similarity import SMALL_CLASS, compare
from grader.similarity.documents import MAX_TOKENS, reference_documents
from grader.similarity.fingerprints import GRAM, WINDOW, fingerprints
from tests.intake.collected import documents as read_documents
from tests.similarity.classes import MINIMAX, ROOT, SHORTEST_PATH, TREE, compared, documents, pairs
from tests.similarity.disguises import DISGUISES, all_at_once, padded, renamed

OTHER = MINIMAX


@pytest.mark.parametrize("source", [SHORTEST_PATH, MINIMAX, TREE], ids=["shortest path", "minimax", "tree search"])
@pytest.mark.parametrize("disguise", DISGUISES, ids=lambda disguise: disguise.__name__)
def test_a_disguised_copy_is_found(tmp_path, source, disguise):
    found = compared(tmp_path, {"original": source, "copy": disguise(source)})

    (match,) = found.pairs
    assert match.share_of_second > 0.6, "of the original"
    assert match.share_of_first > 0.4, "of the copy, including the dead code"


def test_only_the_copy_is_found_among_other_submissions(tmp_path):
    found = compared(
        tmp_path, {"ana": SHORTEST_PATH, "berta": MINIMAX, "carla": TREE, "dora": all_at_once(SHORTEST_PATH)}
    )

    assert pairs(found) == [("ana", "dora")]


def test_the_examples_have_nothing_in_common(tmp_path):
    examples = read_documents(ROOT / "submissions", tmp_path / "staging")

    found = compare(examples, references=reference_documents(), at_least=0.15)

    assert not found.pairs
    assert not found.references


def test_a_copy_inside_a_larger_program_shows_in_one_of_the_shares(tmp_path):
    found = compared(tmp_path, {"small": SHORTEST_PATH, "large": TREE + "\n" + renamed(SHORTEST_PATH)})

    (match,) = found.pairs
    assert match.second.id == "small" and match.share_of_second > 0.9
    assert match.share_of_first < 0.4


def test_a_program_in_several_files_is_compared_as_a_whole(tmp_path):
    tree = ast.parse(SHORTEST_PATH)
    functions = ast.unparse(ast.Module([node for node in tree.body if not isinstance(node, ast.ClassDef)], []))
    classes = ast.unparse(ast.Module([node for node in tree.body if isinstance(node, ast.ClassDef)], []))
    copy = tmp_path / "class" / "copy"
    copy.mkdir(parents=True)
    (copy / "geometry.py").write_text(renamed(functions), encoding="utf-8")
    (copy / "solution.py").write_text(renamed(classes), encoding="utf-8")

    found = compared(tmp_path, {"original": SHORTEST_PATH})

    (match,) = found.pairs
    assert match.share > 0.8
    assert {passage.first.file for passage in match.passages} == {"geometry.py", "solution.py"}


def test_the_handout_is_ignored(tmp_path):
    found = compared(tmp_path, {"ana": TREE + SHORTEST_PATH, "berta": TREE + MINIMAX}, handout=renamed(TREE))

    assert not found.pairs


def test_a_submission_equal_to_the_handout_is_too_short_to_be_compared(tmp_path):
    found = compared(tmp_path, {"ana": TREE, "berta": SHORTEST_PATH}, handout=TREE)

    assert found.short == ("ana",)


@pytest.mark.parametrize("name", ["alphabeta", "coolcow", "mcts", "minimax", "ultrapro"])
def test_a_copy_of_a_reference_player_is_found(tmp_path, name):
    source = (ROOT / f"reference_players/{name}.py").read_text(encoding="utf-8")

    found = compared(tmp_path, {"ana": padded(renamed(source)), "berta": OTHER}, known=True)

    assert [(match.first.id, match.second.id) for match in found.references] == [("ana", name)]
    assert found.references[0].share_of_first > 0.5


def test_a_copy_of_a_reference_player_inside_a_larger_program_is_found(tmp_path):
    source = (ROOT / "reference_players/coolcow.py").read_text(encoding="utf-8")
    rest = "".join(program(number, 60) for number in range(12))

    (match,) = compared(tmp_path, {"ana": source + rest, "berta": rest}, known=True).references

    assert (match.first.id, match.second.id) == ("ana", "coolcow")
    assert match.share_of_first < 0.3 and match.share_of_second > 0.9


def test_code_of_a_reference_player_does_not_count_between_two_submissions(tmp_path):
    found = compared(tmp_path, {"ana": TREE + SHORTEST_PATH, "berta": renamed(TREE) + MINIMAX}, known=True)

    assert not found.pairs
    assert {match.first.id for match in found.references} == {"ana", "berta"}


def test_code_common_to_most_of_a_class_is_ignored(tmp_path):
    size = 2 * SMALL_CLASS + 2
    submissions = {f"s{number:02}": SHORTEST_PATH + program(number, 8) for number in range(size)}

    found = compared(tmp_path, submissions)

    assert not found.pairs
    assert found.common


def test_copies_by_most_of_a_small_class_are_found(tmp_path):
    found = compared(tmp_path, {name: SHORTEST_PATH + program(at, 8) for at, name in enumerate("abc")})

    assert len(found.pairs) == 3
    assert not found.common


def test_a_ring_of_copies_does_not_count_as_most_of_the_class(tmp_path):
    ring = {f"r{number:02}": renamed(SHORTEST_PATH) + "\n" * number for number in range(SMALL_CLASS + 4)}
    others = {f"s{number}": program(number) for number in range(4)}

    found = compared(tmp_path, {**ring, **others}, most=5)

    assert [match.share for match in found.pairs] == [1.0] * 5
    assert found.more == len(ring) * (len(ring) - 1) // 2 - 5


def test_identical_files_are_reported_even_if_all_their_code_is_ignored(tmp_path):
    found = compared(tmp_path, {"ana": TREE, "berta": TREE}, handout=TREE)

    (match,) = found.pairs
    assert match.remarks == ("identical files",)
    assert match.share == 0 and not match.passages


def test_an_identical_file_with_another_name_is_reported(tmp_path):
    (tmp_path / "class").mkdir()
    for name in ("ana", "berta"):
        (tmp_path / "class" / f"{name}.py").write_text(TREE, encoding="utf-8")

    found = compare(read_documents(tmp_path / "class", tmp_path / "staging"))

    (match,) = found.pairs
    assert match.remarks == ("identical files",)


def test_passages_are_the_lines_that_both_have(tmp_path):
    found = compared(tmp_path, {"ana": "x = 1\n" * 3 + SHORTEST_PATH, "berta": MINIMAX + "\n\n" + SHORTEST_PATH})

    passage = max(found.pairs[0].passages, key=lambda passage: passage.symbols)
    ana, berta = found.pairs[0].first.files[0].lines, found.pairs[0].second.files[0].lines
    shared = ana[passage.first.first - 1 : passage.first.last], berta[passage.second.first - 1 : passage.second.last]
    assert shared[0] == shared[1]
    assert len(shared[0]) > 30


def test_passages_do_not_overlap(tmp_path):
    found = compared(tmp_path, {"ana": padded(TREE), "berta": TREE + padded(TREE)})

    total = sum(passage.symbols for passage in found.pairs[0].passages)
    assert total <= len(found.pairs[0].first.codes)


def test_the_same_class_gives_the_same_comparison(tmp_path):
    sources = {"ana": TREE, "berta": padded(TREE), "carla": SHORTEST_PATH}

    first, second = (compared(tmp_path / again, sources, known=True) for again in ("one", "two"))

    assert (first.pairs, first.references) == (second.pairs, second.references)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff\xfe" + "x = 1\n".encode("utf-16-le"), id="UTF-16"),
        pytest.param(SHORTEST_PATH.encode() + b"\n# \xf1and\xfa\n", id="Latin-1"),
        pytest.param(b"\0" * 3_000_000, id="NUL"),
        pytest.param(b"(" * 3_000_000, id="deep"),
        pytest.param(b"a," * 5_000_000, id="a line of 10 MB"),
    ],
)
def test_a_hostile_file_does_not_prevent_others_from_being_compared(tmp_path, data):
    hostile = tmp_path / "class" / "hostile"
    hostile.mkdir(parents=True)
    (hostile / "solution.py").write_bytes(data)

    found = compared(tmp_path, {"ana": MINIMAX, "berta": renamed(MINIMAX)})

    assert pairs(found) == [("ana", "berta")]
    if len(data) > 2_000_000:
        (document,) = (entry for entry in found.submissions if entry.id == "hostile")
        assert document.remarks == ("solution.py is too large: only the beginning was read.",)


def test_a_submission_with_very_many_files_is_read_up_to_a_limit(tmp_path):
    hostile = tmp_path / "class" / "hostile"
    hostile.mkdir(parents=True)
    for number in range(300):
        (hostile / f"part{number}.py").write_text("x = [1, 2]\n" * 100, encoding="utf-8")

    (document,) = documents(tmp_path, {})

    assert MAX_TOKENS * 0.99 < len(document.codes) <= MAX_TOKENS + 1
    assert len(document.remarks) == 1


def test_members_of_the_same_group_get_a_remark(tmp_path):
    ana, berta, carla = documents(tmp_path, {"ana": MINIMAX, "berta": renamed(MINIMAX), "carla": padded(MINIMAX)})
    group = [replace(ana, members=("a@x", "b@x")), replace(berta, members=("b@x",)), carla]

    remarks = {(match.first.id, match.second.id): match.remarks for match in compare(group).pairs}

    assert remarks == {("ana", "berta"): ("members of the same team",), ("ana", "carla"): (), ("berta", "carla"): ()}


def test_a_long_enough_sequence_of_shared_symbols_gives_a_shared_fingerprint():
    choose = random.Random(3)
    shared = bytes(choose.randrange(1, 200) for _ in range(GRAM + WINDOW - 1))
    for _ in range(50):
        first, second = (
            bytes(choose.randrange(1, 200) for _ in range(choose.randrange(60)))
            + shared
            + bytes([choose.randrange(1, 9)])
            for _ in range(2)
        )
        assert set(fingerprints(first).values()) & set(fingerprints(second).values())


def test_winnowing_keeps_the_expected_share_of_fingerprints():
    choose = random.Random(4)
    codes = bytes(choose.randrange(1, 200) for _ in range(20_000))

    assert len(fingerprints(codes)) / len(codes) == pytest.approx(2 / (WINDOW + 1), rel=0.05)


def program(number: int, lines: int = 30) -> str:
    """A random program, different in every line for each number."""
    choose = random.Random(number)
    expressions = [
        "a + b",
        "not a",
        "a[b]",
        "a ** b",
        "a if b else c",
        "[a for b in c]",
        "(a, b)",
        "{a: b}",
        "a.b",
        "a < b",
        "len(a)",
    ]
    heads = ["if {}:", "while {}:", "for x in {}:", "with {} as x:", "def f(x={}):"]
    statements = [
        f"{choose.choice(heads).format(choose.choice(expressions))}\n    {'return' if at % 2 else 'x ='} "
        + f" {choose.choice(['or', 'and', '+', '-', '*', '<', 'in', 'is'])} ".join(choose.choices(expressions, k=4))
        for at in range(lines)
    ]
    return "\n" + "\n".join(statements) + "\n"


def test_different_random_programs_are_not_similar(tmp_path):
    found = compare(documents(tmp_path, {f"s{number}": program(number) for number in range(5)}), at_least=0.1)

    assert not found.pairs


def test_reference_documents_include_imported_files():
    files = {document.id: {file.name for file in document.files} for document in reference_documents()}

    assert {"alphabeta", "coolcow", "mcts", "minimax", "random", "ultrapro"} <= set(files)
    assert str(Path("reference_players/search/tree.py")) in files["mcts"]
    assert str(Path("reference_players/search/tree.py")) not in files["minimax"]
