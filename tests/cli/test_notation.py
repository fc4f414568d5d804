"""Other programs' notations describe the same game: read back, they give the same moves and winner."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.competition.replay import replay_record
from grader.errors import OptionError
from grader.games import make_game
from grader.games.hex import Hex
from grader.language import language
from grader.records import Ending, Fault, MatchRecord
from grader.reports.replay import notation_input
from tests.cli.games import desconecta4_match, hex_match, random_match

ENGLISH = language("en")


def notation(name: str, record: MatchRecord) -> str:
    """A game in the notation of that name."""
    match = replay_record(record)
    return next(found for found in match.game.notations() if found.name == name).write(notation_input(match), ENGLISH)


seeds = st.integers(0, 2**32)


def sgf_nodes(text: str) -> list[dict[str, str]]:
    """The properties of each node of an SGF file: a value ends at the first bracket that is not escaped."""
    nodes: list[dict[str, str]] = []
    at = 1
    assert text[0] == "(" and text.rstrip()[-1] == ")"
    while (match := re.compile(r"\s*(;)|\s*([A-Z]+)\[((?:[^\]\\]|\\.)*)\]").match(text, at)) is not None:
        if match[1]:
            nodes.append({})
        else:
            nodes[-1][match[2]] = match[3]
        at = match.end()
    assert text[at:].strip() == ")"
    return nodes


def cells(texts: list[str]) -> list[tuple[int, int]]:
    """Column letter and row number as row and column from 0."""
    return [(int(cell[1:]) - 1, ord(cell[0]) - ord("a")) for cell in texts]


def own_moves(record: MatchRecord) -> list[tuple[int, int]]:
    return cells([turn.move for turn in record.turns])


@given(st.integers(1, 19), seeds)
def test_an_sgf_has_all_moves_with_rows_and_columns_exchanged(size, seed):
    record = hex_match(size, seed)
    root, *moves = sgf_nodes(notation("sgf", record))

    assert (root["FF"], root["GM"], root["SZ"]) == ("4", "11", str(size))
    assert (root["PB"], root["PW"]) == ("ana", "luis")
    assert [next(iter(move)) for move in moves] == ["BW"[ply % 2] for ply in range(len(moves))]
    assert [(col, row) for row, col in cells([next(iter(move.values())) for move in moves])] == own_moves(record)


@given(st.integers(1, 8), seeds)
def test_in_the_sgf_black_wins_by_connecting_top_and_bottom(size, seed):
    record = hex_match(size, seed)
    root, *moves = sgf_nodes(notation("sgf", record))
    grid = Hex(size).grid
    stones = {"B": 0, "W": 0}
    for move in moves:
        (colour, cell), *_ = move.items()
        ((row, col),) = cells([cell])
        stones[colour] |= grid.bits[row][col]

    assert grid.connects(stones["B"], 2) == (root["RE"] == "B+") == (record.winner == 0)
    assert grid.connects(stones["W"], 1) == (root["RE"] == "W+") == (record.winner == 1)


@given(st.integers(1, 26), seeds)
def test_a_hexworld_link_holds_every_move(size, seed):
    record = hex_match(size, seed)
    link = re.fullmatch(r"https://hexworld\.org/board/#(\d+)c1,((?:[a-z]\d+)*)", notation("hexworld", record))

    assert link is not None
    assert int(link[1]) == size
    assert [(col, row) for row, col in cells(re.findall(r"[a-z]\d+", link[2]))] == own_moves(record)


@given(seeds)
def test_a_string_of_columns_leads_to_the_same_position(seed):
    record = desconecta4_match(seed)
    replay = replay_record(record)
    game = make_game("desconecta4")
    position = game.start()
    for sign in notation("columns", record):
        position = game.play(position, 7 if sign == "B" else int(sign) - 1)

    assert position == replay.positions[-1]
    assert game.outcome(position) is not None


@given(st.text(max_size=40))
def test_no_name_breaks_out_of_an_sgf(name):
    record = random_match(Hex(2), 1, names=(name, "](;B[a1])\\"))
    nodes = sgf_nodes(notation("sgf", record))

    assert len(nodes) == 1 + len(record.turns)
    assert nodes[0].keys() == {"FF", "GM", "CA", "SZ", "AP", "PB", "PW", "RE", "C"}
    assert not set("[]\\\x1b\n\r") & set(nodes[0]["PB"] + nodes[0]["PW"])


@pytest.mark.parametrize(("ending", "result"), [(Ending.TIMEOUT, "W+T"), (Ending.ILLEGAL_MOVE, "W+F")])
def test_a_fault_is_in_the_result_and_in_the_comment(ending, result):
    fault = Fault(ending=ending, text="It answered (9, 9].", help="")
    record = replace(hex_match(), ending=ending, fault=fault, at_fault=0, winner=1)
    root = sgf_nodes(notation("sgf", record))[0]

    assert root["RE"] == result
    assert "It answered (9, 9)." in root["C"]


@pytest.mark.parametrize(
    ("name", "record", "why"),
    [
        ("sgf", hex_match(adjacency="even-r"), "supports only axial adjacency"),
        ("hexworld", hex_match(adjacency="even-r"), "supports only axial adjacency"),
        ("sgf", hex_match(20), "up to 19×19"),
    ],
)
def test_a_board_without_such_a_notation_is_refused_with_the_reason(name, record, why):
    with pytest.raises(OptionError, match=why):
        notation(name, record)


def test_a_game_offers_only_its_own_notations():
    assert [notation.name for notation in make_game("hex").notations()] == ["sgf", "hexworld"]
    assert [notation.name for notation in make_game("desconecta4").notations()] == ["columns"]
