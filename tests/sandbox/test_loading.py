"""Patterns of real submissions, each loaded and played against the random reference player."""

import inspect
from dataclasses import replace

import pytest

from grader.engine.match import prepare_match, run_match
from grader.games.hex import Hex
from grader.inspection.entry import find_entry
from grader.inspection.players import ResolvedPlayer
from grader.reading.players import resolve_player
from grader.records import Ending
from grader.sandbox.adapter import Fit, Misfit
from grader.sandbox.explain import misfit_fault
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits
from tests.inspection.matches import TIMES, play_random
from tests.inspection.patterns import HABITS, MODULES, PATTERNS, PLACES
from tests.inspection.signatures import FILLED, KEPT, SIGNATURES
from tests.intake.folders import FIRST_MOVE, PLAYER, Files, make, plays
from tests.sandbox.seats import levels


def with_player_id(files: Files, player_id: int) -> Files:
    """The same files with the player's number, which they check."""
    return {
        path: text.replace("== ID", f"== {player_id}").replace("- ID", f"- {player_id}").replace("(ID,)", f"({player_id},)")
        if isinstance(text, str)
        else text
        for path, text in files.items()
    }  # fmt: skip


@pytest.mark.parametrize("pattern", [*PATTERNS, *SIGNATURES])
def test_a_pattern_of_real_submissions_loads_and_plays(tmp_path, pattern):
    player_id = 1 + sum(map(ord, pattern)) % 2

    record = play_random(tmp_path, with_player_id({**PATTERNS, **SIGNATURES}[pattern], player_id), first=player_id == 1)

    assert record.fault is None, f"{record.fault.text}\n{record.fault.trace}"
    assert record.ending == "connected"


GIVEN = {
    "limit": 5,
    "milliseconds": 5000,
    "seed": 7,
    "id": 2,
    "other": 1,
    "name": "player 2",
    "size": 3,
    "board": "board",
}


def arguments_for(parameters: str, wanted: tuple[str, ...]) -> dict[str, object]:
    """The arguments with which a function with these parameters is called."""
    function = eval(f"lambda {parameters}: locals()")
    fit = Fit(inspect.signature(function).parameters.values(), what="it", wanted=wanted, given=GIVEN, game="hex")
    arguments: dict[str, object] = fit.call(function, GIVEN)
    return arguments


@pytest.mark.parametrize("parameter", KEPT)
def test_an_unknown_parameter_keeps_its_default(parameter):
    name, _, default = parameter.partition("=")

    for first, wanted in (("player_id", ("id",)), ("board", ("board", "id"))):
        expected = eval(default)
        arguments = arguments_for(f"{first}, {parameter}", wanted)
        assert (arguments[name], type(arguments[name])) == (expected, type(expected))
        assert arguments[first] == GIVEN[wanted[0]]
    assert arguments_for(parameter, ("id",))[name] == eval(default)


@pytest.mark.parametrize("name", FILLED)
@pytest.mark.parametrize("default", ["2", "None"])
def test_a_known_parameter_gets_a_value_even_if_it_has_a_default(name, default):
    assert arguments_for(f"*, {name}={default}", ("id",))[name] == GIVEN[FILLED[name]]


def test_an_unknown_required_parameter_is_a_misfit():
    for name in ("start_time", "time_margin", "use_time"):
        with pytest.raises(Misfit) as caught:
            arguments_for(f"board, {name}", ("board", "id"))
        assert f"requires '{name}', which the grader does not pass" in misfit_fault(caught.value.details).text


@pytest.mark.parametrize(
    "details", [None, 3, {}, {"misfit": ["requires"]}, {"misfit": "requires", "name": "\x1b[2J{name.__class__}"}]
)
def test_a_misfit_report_forged_by_a_player_is_harmless(details):
    assert "\x1b" not in misfit_fault(details).text
    assert misfit_fault(details).text.startswith("The player could not be created: ")


@pytest.mark.parametrize("pattern", [*list(PLACES)[:2], *list(MODULES)[:5], *list(HABITS)[:2]])
@pytest.mark.parametrize("level", [Level.NONE, Level.BASIC], ids=str)
def test_patterns_also_load_at_lower_isolation_levels(tmp_path, pattern, level):
    record = play_random(tmp_path, PATTERNS[pattern], level=level)

    assert record.fault is None, f"{record.fault.text}\n{record.fault.trace}"
    assert record.ending == "connected"


def test_the_output_of_a_player_is_recorded(tmp_path):
    record = play_random(tmp_path, HABITS["prints"])

    assert "pensando…" in record.seats[0].output and "ay" in record.seats[0].output


def test_a_single_file_plays_like_a_folder(tmp_path):
    root = make(tmp_path, {"mi jugador.py": PLAYER, "other.py": "def ("})
    game, seatings = prepare_match(
        (resolve_player(str(root / "mi jugador.py")), resolve_player("random")), "hex", {"size": 3}, 7
    )

    record = run_match(game, seatings, Limits(time=TIMES), seed=7)

    assert record.ending == "connected" and record.seats[0].findings == ()


@pytest.mark.parametrize(
    "own", ["", "class Environment:\n    def clone(self):\n        pass\n"], ids=["ours", "a stub"]
)
def test_desconecta4_players_get_an_environment(tmp_path, own):
    before = f"from player import Player\n{own or 'from entorno import Environment'}\n"
    body = "assert isinstance(env, Environment)\nreturn env.possible_actions()[0]"
    entry, _ = find_entry(make(tmp_path, {"solution.py": plays(body, before=before, takes="env")}))
    game, seatings = prepare_match((ResolvedPlayer(name="mine", entry=entry), resolve_player("random")), None, {}, 7)

    record = run_match(game, seatings, Limits(time=TIMES), seed=7)

    assert record.game == "desconecta4"
    assert record.fault is None


def test_a_function_of_the_2022_edition_is_refused_in_another_game(tmp_path):
    entry, _ = find_entry(make(tmp_path, {"mia.py": "def play(game, player):\n    return (0, 0)\n"}))
    game, seatings = prepare_match(
        (ResolvedPlayer(name="mine", entry=entry), resolve_player("random")), "desconecta4", {}, 7
    )

    record = run_match(game, seatings, Limits(time=TIMES), seed=7)

    assert record.fault is not None and record.fault.ending is Ending.LOAD_ERROR
    assert "Desconecta-4 BOOM cannot be played by a function" in record.fault.text


@pytest.mark.parametrize("adjacency", ["axial", "even-r"])
def test_a_board_that_a_student_builds_has_the_adjacency_of_the_assignment(tmp_path, adjacency):
    before = "from player import Player\nfrom board import HexBoard\n"
    entry, _ = find_entry(
        make(tmp_path, {"s.py": plays(f"assert HexBoard(3).adjacency == {adjacency!r}\n{FIRST_MOVE}", before=before)})
    )
    options = {"size": 3, "adjacency": adjacency}
    game, seatings = prepare_match(
        (ResolvedPlayer(name="mine", entry=entry), resolve_player("random")), "hex", options, 7
    )

    record = run_match(game, seatings, Limits(time=TIMES), seed=7)

    assert record.fault is None


EXTENDED = """
assert sorted(board.get_neighbors(0, 0)) == [(0, 1), (1, 0)] == sorted(board._neighbors((0, 0)))
assert board.get_empty_cells() == board.get_possible_moves()
return board.get_possible_center_moves()[0]
"""


@pytest.mark.parametrize("extended", [True, False])
def test_the_extended_board_is_available_only_if_requested(tmp_path, extended):
    entry, _ = find_entry(make(tmp_path, {"solution.py": plays(EXTENDED)}))
    game, (mine, random) = prepare_match(
        (ResolvedPlayer(name="mine", entry=entry), resolve_player("random")), "hex", {"size": 3}, 7
    )

    record = run_match(game, (replace(mine, extended=extended), random), Limits(time=TIMES), seed=7)

    assert (record.fault is None) is extended
    if record.fault is not None:
        assert "'HexBoard' object has no attribute 'get_neighbors'" in record.fault.text
        assert record.fault.where == "solution.py:7"


def test_modules_with_the_same_name_in_two_submissions_do_not_conflict(tmp_path):
    players = []
    for name in ("a", "b"):
        body = f"assert heuristics.WHOSE == {name!r}\n{FIRST_MOVE}"
        files = {"solution.py": plays(body, before="import heuristics\nfrom player import Player\n")}
        entry, _ = find_entry(make(tmp_path, {**files, "heuristics.py": f"WHOSE = {name!r}\n"}, name))
        players.append(ResolvedPlayer(name=name, entry=entry))
    game, seatings = prepare_match((players[0], players[1]), "hex", {"size": 3}, 7)

    assert run_match(game, seatings, Limits(time=TIMES), seed=7).fault is None


def test_the_game_is_not_affected_by_a_player_that_changes_its_board(tmp_path):
    record = play_random(tmp_path, HABITS["changes its board"])

    position = Hex(3).start()
    for turn in record.turns:
        position = Hex(3).play(position, Hex(3).parse_move(turn.move))
    assert record.ending == "connected" and Hex(3).outcome(position) is not None


NOSY = """
import os
import near
import parts.deep as deep
from pack import WORTH
from pack.inner import MORE

def succeeds(act):
    try:
        return bool(act())
    except OSError:
        return False

class SmartPlayer:
    def __init__(self, player_id):
        assert (near.VALUE, deep.VALUE, WORTH, MORE) == (1, 2, 3, 4)
        seen = [name for name in NAMES if succeeds(lambda: open(name).read())]
        print("reads", *seen)
        print("lists", succeeds(lambda: os.listdir(".")), succeeds(lambda: os.listdir("theirs")))

    def play(self, board):
        return board.get_possible_moves()[0]
"""
AROUND = {
    "near.py": "VALUE = 1\n",
    "parts/deep.py": "VALUE = 2\n",
    "pack/__init__.py": "from .worth import WORTH\n",
    "pack/worth.py": "WORTH = 3\n",
    "pack/inner.py": "MORE = 4\n",
    "data.json": "[]\n",
    "other.py": "x = 1\n",
    ".secret": "x\n",
    "theirs/solution.py": "x = 1\n",
    "parts/beside.py": "x = 1\n",
}
IMPORTED = {"mine.py", "near.py", "parts/deep.py", "pack/__init__.py", "pack/worth.py", "pack/inner.py"}


@pytest.mark.parametrize("level", levels(Level.GOOD))
@pytest.mark.parametrize("single", [True, False], ids=["a file", "a folder"])
def test_a_single_file_can_read_only_itself_and_its_imports_and_a_folder_all_its_files(tmp_path, level, single):
    names = ["mine.py", *AROUND, "../beside.txt"]
    root = make(tmp_path, {"mine.py": f"NAMES = {names}\n{NOSY}", **AROUND})
    (tmp_path / "beside.txt").write_text("x", encoding="utf-8")
    mine = resolve_player(str(root / "mine.py" if single else root))
    game, seatings = prepare_match((mine, resolve_player("random")), "hex", {"size": 3}, 7)

    record = run_match(game, seatings, Limits(time=TIMES, isolation=level, required=level), seed=7)

    assert record.fault is None, f"{record.fault.text}\n{record.fault.trace}"
    reads, lists = record.seats[0].output.splitlines()
    assert set(reads.split()[1:]) == (IMPORTED if single else {"mine.py", *AROUND})
    assert lists == ("lists False False" if single else "lists True True")


@pytest.mark.parametrize("level", levels())
def test_a_single_file_may_import_relatively(tmp_path, level):
    files = {"__init__.py": "", "mine.py": f"from .near import VALUE\n{PLAYER}", "near.py": "VALUE = 1\n"}
    mine = resolve_player(str(make(tmp_path, files) / "mine.py"))
    game, seatings = prepare_match((mine, resolve_player("random")), "hex", {"size": 3}, 7)

    record = run_match(game, seatings, Limits(time=TIMES, isolation=level, required=level), seed=7)

    assert record.fault is None, f"{record.fault.text}\n{record.fault.trace}"


@pytest.mark.parametrize("level", levels(Level.STRONG))
def test_inside_namespaces_a_player_cannot_see_the_machines_name(tmp_path, level):
    record = play_random(tmp_path, {"solution.py": f"import os\nprint(os.uname().nodename)\n{PLAYER}"}, level=level)

    assert record.fault is None and record.seats[0].output == "player\n"


def test_a_reference_player_imports_only_from_the_folder_above_its_package():
    entry = resolve_player("random").entry

    assert entry is not None and entry.as_order()["paths"] == [str(entry.root)]
