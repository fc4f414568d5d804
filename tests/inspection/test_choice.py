"""Which candidate plays, where students leave several: the finer points of the published rule."""

from pathlib import Path

import pytest

from grader.inspection.entry import choose_asked_player, choose_player
from grader.inspection.folder_names import aside_name, is_person
from grader.inspection.handed_out import handed_out_code
from grader.inspection.submission_code import read_code
from tests.intake.folders import FIRST_MOVE, PLAYER, make, player

EMPTY = "class {name}:\n    def play(self, board):\n        pass\n"
STUB = "class {name}:\n    def play(self, board):\n        raise NotImplementedError\n"
FROM_PLAYER = "from player import Player\n"
BETTER = PLAYER.replace("[0]", "[-1]")


def chosen(choice) -> str | None:
    return f"{choice.entry.file.as_posix()}:{choice.entry.name}" if choice.entry else None


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"experimentos/solution.py": BETTER, "ia.py": player("Ia")}, "ia.py:Ia", id="experiments"),
        pytest.param({"old_player.py": player("OldPlayer"), "ia.py": player("Ia")}, "ia.py:Ia", id="an old file"),
        pytest.param({"Pruebas/a.py": PLAYER, "ia.py": player("RandomPlayer")}, "Pruebas/a.py:SmartPlayer", id="stand-in"),
        pytest.param({"MyTest/a.py": PLAYER}, "MyTest/a.py:SmartPlayer", id="all in one folder"),
        pytest.param(
            {"r/solution.py": PLAYER, "r/Ana_Ruiz/solution.py": BETTER}, "r/solution.py:SmartPlayer", id="top, then person"
        ),
        pytest.param(
            {"src/solution.py": PLAYER, "Ana_Ruiz/ia/solution.py": BETTER},
            "Ana_Ruiz/ia/solution.py:SmartPlayer",
            id="a person's deeper folder",
        ),
        pytest.param(
            {"a.py": player("APlayer"), "b.py": player("BPlayer"), "LEEME.txt": "Se ejecuta b.py"},
            "b.py:BPlayer",
            id="the README names the file",
        ),
        pytest.param(
            {"a.py": player("Player"), "b.py": player("BPlayer"), "README.md": "Player and BPlayer"},
            "b.py:BPlayer",
            id="a word that every README has",
        ),
        pytest.param(
            {"a/solution.py": "from x import SmartPlayer\n", "a/x.py": PLAYER, "b/solution.py": BETTER},
            None,
            id="import-only files are not copies of each other",
        ),
        pytest.param(
            {
                **{f"{folder}/smart.py": "from heur import h\n" + player("Smart") for folder in ("v1", "v2")},
                **{f"{folder}/heur.py": f"h = {folder!r}\n" for folder in ("v1", "v2")},
            },
            None,
            id="the same file with another module beside it",
        ),
        pytest.param(
            {
                **{f"s{number}.py": f"from h{number} import h\n" + player("Smart") for number in (1, 2)},
                **{f"h{number}.py": f"h = {number}\n" for number in (1, 2)},
            },
            None,
            id="the same file but for a module of its own",
        ),
        pytest.param(
            {
                **{f"{folder}/smart.py": "from heur import h\n" + player("Smart") for folder in ("v1", "v2")},
                **{f"{folder}/heur.py": f"# {folder}\nh = 1\n" for folder in ("v1", "v2")},
            },
            "v1/smart.py:Smart",
            id="copies with their modules",
        ),
        pytest.param(
            {"solution.py": EMPTY.format(name="SmartPlayer"), "a.py": player("A"), "ia/mcts.py": player("Mcts"),
             "README.md": "Run Mcts."},
            "ia/mcts.py:Mcts",
            id="the README names a class beside an empty template",
        ),
        pytest.param(
            {"src/solution.py": PLAYER, "Primer Intento/solution.py": BETTER}, None, id="an attempt is not a person"
        ),
    ],
)  # fmt: skip
def test_a_choice_among_several(tmp_path, files, expected):
    assert chosen(choose_player(read_code(make(tmp_path, files)))) == expected


MINE = "class MiJugador:\n    def {method}(self, board):\n        {body}\n"


@pytest.mark.parametrize(
    ("mine", "problem"),
    [
        pytest.param(MINE.format(method="play", body="pass"), "is not implemented.", id="pass"),
        pytest.param(MINE.format(method="play", body="raise NotImplementedError"), "is not implemented.", id="raise"),
        pytest.param(MINE.format(method="get_move", body=FIRST_MOVE), "has no play() method.", id="get_move"),
        pytest.param("class MiJugador(Player):\n    depth = 3\n", "has no play() method.", id="nothing"),
        pytest.param("def (", "Syntax error in mi_jugador.py:1", id="syntax error"),
    ],
)
@pytest.mark.parametrize("asked", [None, "player.py", "player.py:RandomPlayer"])
@pytest.mark.parametrize("other", ["RandomPlayer", "Baseline"])
def test_nothing_stands_in_for_unfinished_work_without_a_decision(tmp_path, mine, problem, asked, other):
    code = read_code(make(tmp_path, {"mi_jugador.py": mine, "player.py": player(other)}))
    handed_out = frozenset(source.code for source in code.graph.sources if source.file.name == "player.py")

    choice = choose_asked_player(code, asked, handed_out) if asked else choose_player(code, None, handed_out)

    assert choice.entry is None and choice.is_undecided
    assert (
        problem in choice.findings[0].text
        and f"The best other player is player.py:{other}: " in choice.findings[0].text
    )
    assert [candidate.entry for candidate in choice.candidates] == [f"player.py:{other}"]


def test_a_template_that_nobody_changed_is_still_before_a_stand_in(tmp_path):
    files = {"mi_jugador.py": EMPTY.format(name="MiJugador"), "player.py": player("RandomPlayer")}
    code = read_code(make(tmp_path, files))
    handed_out = frozenset(source.code for source in code.graph.sources)

    assert choose_player(code, None, handed_out).is_undecided


def test_an_old_version_does_not_win_over_what_a_group_shares_without_a_decision(tmp_path):
    files = {"hex_agent.py": PLAYER, "old/hex_agent_v0.py": BETTER, "main.py": "import hex_agent\n"}
    code = read_code(make(tmp_path, files))
    shared = frozenset(source.code for source in code.graph.sources if source.file.name == "hex_agent.py")

    choice = choose_player(code, None, shared)

    assert choice.is_undecided and chosen(choose_player(code)) == "hex_agent.py:SmartPlayer"
    assert [candidate.entry for candidate in choice.candidates] == [
        "old/hex_agent_v0.py:SmartPlayer",
        "hex_agent.py:SmartPlayer",
    ]


def test_an_override_that_names_a_class_without_play_is_not_played(tmp_path):
    source = "from lib import Base\nclass Node:\n    pass\n\nclass Mine(Base):\n    pass\n"
    code = read_code(make(tmp_path, {"a.py": source, "solution.py": PLAYER}))

    without = choose_player(code, "a.py:Node")

    assert without.entry is None and without.findings[0].text == "The class Node has no play() method."
    assert chosen(choose_player(code, "a.py:Mine")) == "a.py:Mine"  # its base class may have one


def test_an_override_settles_even_what_the_rule_doubts(tmp_path):
    files = {"mi_jugador.py": EMPTY.format(name="Mine"), "player.py": player("RandomPlayer"), "solution.py": "def ("}
    code = read_code(make(tmp_path, files))

    assert chosen(choose_player(code, "player.py")) == "player.py:RandomPlayer"
    assert chosen(choose_player(code, "player.py:RandomPlayer")) == "player.py:RandomPlayer"


def test_every_candidate_is_listed_with_the_reason_for_its_rank(tmp_path):
    files = {
        "solution.py": PLAYER,
        "copia/solution.py": "import math\n" + PLAYER + "# copy\n",
        "utils/player.py": player("Two") + player("HumanPlayer", body="return input()"),
        "tests/test_it.py": player("Fake"),
    }

    choice = choose_player(read_code(make(tmp_path, files)))

    assert [(candidate.entry, str(candidate.why)) for candidate in choice.candidates] == [
        ("solution.py:SmartPlayer", "in solution.py; named SmartPlayer; at the top"),
        (
            "copia/solution.py:SmartPlayer",
            "a copy of solution.py:SmartPlayer, apart from imports, comments or formatting",
        ),
        (
            "utils/player.py:Two",
            "set aside, judging by the name utils; in player.py; a class with another name; in the folder utils",
        ),
        ("utils/player.py:HumanPlayer", "a random, human or dummy player; in player.py; in the folder utils"),
        ("tests/test_it.py:Fake", "a test; in another file; a class with another name; in the folder tests"),
    ]


@pytest.mark.parametrize(
    ("files", "line"),
    [
        pytest.param({"solution.py": STUB.format(name="Mine"), "a.py": PLAYER}, 2, id="solution.py"),
        pytest.param({"ia.py": STUB.format(name="SmartPlayer"), "a.py": player("APlayer")}, 2, id="SmartPlayer"),
        pytest.param(
            {"ia.py": STUB.format(name="Minimax"), "player.py": player("A"), "README.md": "Minimax plays."}, 2, id="README"
        ),
    ],
)  # fmt: skip
def test_no_experiment_plays_instead_of_the_unfinished_player_that_was_asked_for(tmp_path, files, line):
    choice = choose_player(read_code(make(tmp_path, files)))

    assert choice.entry is None and not choice.is_undecided
    assert choice.findings[0].text.endswith("is not implemented.") and choice.findings[0].line == line


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"player.py": STUB.format(name="BasePlayer"), "ia.py": player("Ia")}, id="a stub in player.py"),
        pytest.param({"solution.py": STUB.format(name="Base") + player("Ia", "Base")}, id="a base class"),
        pytest.param({"old/solution.py": STUB.format(name="SmartPlayer"), "ia.py": player("Ia")}, id="set aside"),
        pytest.param(
            {
                "base.py": STUB.format(name="Agent"),
                "ia.py": "from course import Agent\n" + player("Ia", "Agent"),
                "README.md": "Agent is the base class.",
            },
            id="a base class by way of the course's module",
        ),
    ],
)
def test_other_stubs_do_not_keep_a_player_from_playing(tmp_path, files):
    choice = choose_player(read_code(make(tmp_path, files)))

    assert choice.entry is not None and choice.entry.name == "Ia"


def test_what_many_submissions_share_was_handed_out(tmp_path):
    sample = "def play(game, player):\n    return (0, 0)\n"
    mine = "def play(game, player):\n    return (1, {number})\n"
    codes = [
        read_code(make(tmp_path, {"rush.py": sample + "\n" * number, "ia.py": mine.format(number=number)}, str(number)))
        for number in range(3)
    ]
    twins = [read_code(make(tmp_path, {"best.py": PLAYER}, f"twin{number}")) for number in range(9)]

    digests = [frozenset(source.code for source in code.graph.sources) for code in [*codes, *twins]]

    handed_out = handed_out_code(digests)

    assert handed_out == {codes[0].graph.sources[1].code}
    assert chosen(choose_player(codes[0])) is None
    assert chosen(choose_player(codes[0], None, handed_out)) == "ia.py:play"
    assert "handed out" in choose_player(codes[0], None, handed_out).candidates[1].why
    assert handed_out_code(digests[:2]) == frozenset()


def test_a_shared_file_plays_if_there_is_nothing_else_and_a_shared_solution_always_does(tmp_path):
    only = read_code(make(tmp_path, {"best.py": PLAYER}, "only"))
    team = read_code(make(tmp_path, {"solution.py": PLAYER, "ia.py": player("Ia")}, "team"))
    shared = frozenset({only.graph.sources[0].code})

    assert chosen(choose_player(only, None, shared)) == "best.py:SmartPlayer"
    assert chosen(choose_player(team, None, shared)) == "solution.py:SmartPlayer"


@pytest.mark.parametrize(
    ("files", "expected", "code"),
    [
        pytest.param({"player.py": player("A")}, "player.py:A", None, id="where it is asked for"),
        pytest.param({"solution.py": PLAYER}, "solution.py:SmartPlayer", "not_at_entry", id="elsewhere"),
        pytest.param({"player.py": "def (", "ia.py": PLAYER}, None, "syntax_error", id="broken where it is asked for"),
        pytest.param({"a.py": player("A"), "b.py": player("B")}, None, "several_players", id="undecided elsewhere"),
        pytest.param({"player.py": player("A") + player("B")}, None, "several_players", id="undecided there"),
        pytest.param({}, None, "no_player", id="nowhere"),
    ],
)
def test_the_entry_for_the_class_is_tried_first_and_then_the_rule(tmp_path, files, expected, code):
    choice = choose_asked_player(read_code(make(tmp_path, files)), "player.py")

    assert chosen(choice) == expected
    assert [finding.code for finding in choice.findings][:1] == ([code] if code else [])


@pytest.mark.parametrize(
    ("asked", "files", "expected"),
    [
        ("player.py", {"player.py": player("RandomPlayer"), "mi_jugador.py": player("MiJugador")}, "mi_jugador.py:MiJugador"),
        *(
            ("player.py", {f"{folder}/player.py": player("APlayer"), "solution.py": PLAYER}, "solution.py:SmartPlayer")
            for folder in ("tests", "old", "utils")
        ),
        ("player.py", {"old/player.py": "def (", "solution.py": PLAYER}, "solution.py:SmartPlayer"),
        ("player.py", {"old/player.py": player("A"), "src/player.py": player("B")}, "src/player.py:B"),
        ("player.py", {"old/player.py": player("A"), "backup/solution.py": PLAYER}, "old/player.py:A"),
        ("solution.py", {"a/solution.py": PLAYER, "b/solution.py": BETTER}, None),
        ("solution.py:SmartPlayer", {"a/solution.py": PLAYER, "b/solution.py": BETTER}, None),
        ("a.py:Mine", {"x/a.py": player("Mine"), "y/a.py": player("Mine")}, "x/a.py:Mine"),
        ("utils/player.py", {"utils/player.py": player("A"), "solution.py": PLAYER}, "utils/player.py:A"),
        ("agent.py", {"src/agent.py": player("A"), "solution.py": PLAYER}, "src/agent.py:A"),
        ("player.py:Player", {"player.py": STUB.format(name="Player"), "ia.py": player("Ia", "Player")}, "ia.py:Ia"),
        ("player.py:Player", {"player.py": player("Player"), "ia.py": FROM_PLAYER + player("Ia", "Player")}, "ia.py:Ia"),
        ("player.py:Player", {"player.py": player("Player"), "ia.py": player("Ia")}, "player.py:Player"),
        ("ia.py:Mine", {"ia.py": player("Mine") + player("Other", "Mine")}, "ia.py:Mine"),
        ("ia.py:Best", {"ia.py": player("Mine") + "Best = make()\n", "b.py": player("BPlayer")}, "ia.py:Best"),
        ("ia.py:Best", {"ia.py": player("Mcts") + player("Ab") + "Best = Mcts\n"}, "ia.py:Best"),
    ],
)  # fmt: skip
def test_the_entry_for_the_class_breaks_none_that_plays_without_it(tmp_path, asked, files, expected):
    assert chosen(choose_asked_player(read_code(make(tmp_path, files)), asked)) == expected


@pytest.mark.parametrize(
    ("source", "text", "advice"),
    [
        pytest.param(
            "class HexBoard:\n    def play(self, player, x, y):\n        return 1\n",
            "HexBoard.play(player, x, y) in a.py:2 makes a move on a board.",
            "Put a class",
            id="a board",
        ),
        pytest.param(
            "class HexGame:\n    def play(self, start, move):\n        return 1\n",
            "HexGame.play(start, move) in a.py:2 makes a move on a board.",
            "Put a class",
            id="a game",
        ),
        pytest.param(
            "class Agent:\n    def compute_action(self, state):\n        return 1\n",
            "Agent.compute_action(state) in a.py:2 seems to choose a move.",
            "rename compute_action to play",
            id="an agent of another course",
        ),
    ],
)
def test_near_misses_are_named_with_what_they_are_for(tmp_path, source, text, advice):
    finding = choose_player(read_code(make(tmp_path, {"a.py": source}))).findings[0]

    assert finding.code == "no_player" and finding.text.endswith(f"Similar: {text}")
    assert advice in finding.help


@pytest.mark.parametrize("parameters", ["player, x, y", "start, move", "player1, player2", "jugador, fila, columna"])
def test_a_play_for_a_move_or_the_players_is_no_candidate(tmp_path, parameters):
    other = player("Other").replace("self, board", f"self, {parameters}")

    choice = choose_player(read_code(make(tmp_path, {"solution.py": other + player("Mine")})))

    assert [candidate.entry for candidate in choice.candidates] == ["solution.py:Mine"]


@pytest.mark.parametrize(
    "parameters", ["board, time_limit", "time, board", "game", "tablero, move=None", "player, board"]
)
def test_a_play_with_a_board_is_a_candidate_whatever_else_it_takes(tmp_path, parameters):
    mine = player("Mine").replace("self, board", f"self, {parameters}")

    assert chosen(choose_player(read_code(make(tmp_path, {"a.py": mine})))) == "a.py:Mine"


def test_folder_names_are_read_as_words():
    for name in ("test", "MyTest", "tests_2", "Pruebas", "old", "backup1", "utils", "ejemplos", "experiments"):
        assert aside_name(Path(name, "a.py")) == name
    for name in ("latest", "contest", "gold", "src", "Ana_Ruiz"):
        assert aside_name(Path(name, "a.py")) is None
    assert all(map(is_person, ("Ana_Ruiz_Sosa", "José Núñez Ibáñez", "AnaRuiz", "Juan de la Cruz")))
    assert not any(map(is_person, ("src", "Hex_Player", "Mi Proyecto", "ana", "Ana", "v1.2", "IA")))
    assert not any(map(is_person, ("Primer Intento", "Monte_Carlo", "First Attempt", "AlphaBeta Player", "Mcts_Tree")))
    assert all(map(is_person, ("Carlo Ruiz", "Ana del Monte")))
