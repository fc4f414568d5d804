"""A class of submissions as students really hand them in, each with the verdict that it deserves."""

from dataclasses import dataclass

from tests.intake.folders import FIRST_MOVE, PLAYER, Files, player, plays
from tests.intake.notebooks import notebook

MISSING_MODULE = plays(before="import zz_scipy\nfrom player import Player\n")
EXTENDED = plays("return board.get_empty_cells()[0]")
NOBODY_HAS = plays("return board.last_move")
STUB = "from player import Player\n\nclass SmartPlayer(Player):\n    def play(self, board):\n        pass\n"
STUB_BASE = "class Player:\n    def play(self, board):\n        raise NotImplementedError\n"
OTHER_IMPORTS = PLAYER.replace("from player", "from src.player") + "# cambiado\n"
BETTER = PLAYER.replace("[0]", "[-1]")
FUNCTION = "from game_logic import *\n\ndef play(game, player):\n    return next((x, y) for x in range(game.size) for y in range(game.size) if game[x, y] == EMPTY)\n"
RUSH = FUNCTION + "\nRUSH = 1\n"
MINIMAX = FUNCTION + "\nDEPTH = 3\n"
EXPERIMENTS = "".join(player(f"Experiment{number}Player") for number in range(4))
BOARD = "class HexBoard:\n    def play(self, player, x, y):\n        self.board[x][y] = player\n"
GAME = "class HexGame:\n    def play(self, start, move):\n        return self.after(start, move)\n"
AGENT = "class Agent:\n    def get_move(self, board):\n        return (0, 0)\n    def make_move(self, row, col):\n        return True\n"


@dataclass(frozen=True)
class Case:
    """A submission, and what a run must make of it."""

    files: Files
    entry: str | None
    """The file and class that plays."""
    status: str = "graded"
    codes: tuple[str, ...] = ()
    """The codes of its findings."""
    endings: str = "connected"
    """How all of its games end, if it is graded."""


CASES = {
    "ana": Case({"solution.py": PLAYER}, "solution.py:SmartPlayer"),
    "person_before_src": Case(
        {"src/solution.py": PLAYER, "José Núñez Ibáñez/solution.py": BETTER},
        "José Núñez Ibáñez/solution.py:SmartPlayer",
        codes=("chosen",),
    ),
    "copy_in_tests": Case(
        {"MyTest/solution.py": PLAYER, "Ana_Ruiz_Sosa/solution.py": OTHER_IMPORTS},
        "Ana_Ruiz_Sosa/solution.py:SmartPlayer",
        codes=("chosen",),
    ),
    "differs_in_imports": Case(
        {"a/solution.py": PLAYER, "b/solution.py": OTHER_IMPORTS}, "a/solution.py:SmartPlayer", codes=("chosen",)
    ),
    "old_versions": Case(
        {"backup/solution.py": BETTER, "old/player.py": PLAYER, "ia.py": player("Mine")}, "ia.py:Mine", codes=("chosen",)
    ),
    "top_before_utils": Case(
        {"best_players.py": player("BestPlayer"), "utils/player.py": EXPERIMENTS, "README.md": "Usa BestPlayer."},
        "best_players.py:BestPlayer",
        codes=("chosen",),
    ),
    "readme_decides": Case(
        {"a.py": player("APlayer"), "b.py": player("BPlayer"), "README.md": "The player is `BPlayer`."},
        "b.py:BPlayer",
        codes=("chosen",),
    ),
    "unfinished": Case(
        {"solution.py": STUB, **{f"players/player_{number}.py": player("SmartPlayer") for number in range(1, 4)}},
        None,
        codes=("no_player",),
        endings="load_error",
    ),
    **{
        f"edition_{year}": Case(
            {f"{name}_player.py": FUNCTION + f"NAME = {name!r}\n", "rush_player.py": RUSH, "minimax_player.py": MINIMAX},
            f"{name}_player.py:play",
            codes=("chosen",),
        )
        for year, name in (("one", "mi"), ("two", "tu"), ("three", "zeta"))
    },
    "undecided_names": Case(
        {"player.py": player("MctsPlayer") + player("MinimaxPlayer")}, None, "ungraded", ("several_players",)
    ),
    "undecided_copies": Case(
        {"a/solution.py": PLAYER, "b/solution.py": BETTER}, None, "ungraded", ("several_players",)
    ),
    "decided": Case({"player.py": player("MctsPlayer") + player("MinimaxPlayer")}, "player.py:MinimaxPlayer"),
    "board_and_game": Case(
        {"hex.py": BOARD + GAME, "ia.py": player("Ia")}, "ia.py:Ia", codes=()
    ),
    "near_miss": Case({"agent.py": AGENT}, None, codes=("no_player",), endings="load_error"),
    "needs_package": Case(
        {"solution.py": MISSING_MODULE},
        "solution.py:SmartPlayer",
        codes=("missing_import", "load_error"),
        endings="load_error",
    ),
    "needs_package_too": Case(
        {"solution.py": MISSING_MODULE + "# yo\n"},
        "solution.py:SmartPlayer",
        codes=("missing_import", "load_error"),
        endings="load_error",
    ),
    "extended": Case({"solution.py": EXTENDED}, "solution.py:SmartPlayer", endings="crash"),
    "extended_too": Case(
        {"solution.py": plays("return board.get_possible_center_moves()[0]")}, "solution.py:SmartPlayer", endings="crash"
    ),
    "nobody_has_it": Case({"solution.py": NOBODY_HAS}, "solution.py:SmartPlayer", endings="crash"),
    "syntax": Case(
        {"solution.py": "def (", "player.py": player()}, None, codes=("syntax_error",), endings="load_error"
    ),
    "returns_none": Case(
        {"solution.py": plays(f"if False:\n    {FIRST_MOVE}")}, "solution.py:SmartPlayer", endings="illegal_move"
    ),
    "undecided_functions": Case(
        {"uno.py": FUNCTION, "dos.py": RUSH.replace("RUSH", "DOS")}, None, "ungraded", ("several_players",)
    ),
    "misnamed": Case({"solution.py": PLAYER + "# mal\n"}, None, "ungraded", ("no_player",)),
    "own_base": Case({"player.py": STUB_BASE + player("Mine", "Player")}, "player.py:Mine"),
    "game_beside": Case(
        {"main.py": f"from player import Player\n{player('HexGame')}{player('MiIA', 'Player')}"},
        "main.py:MiIA",
        codes=("chosen",),
    ),
    "random_beside": Case(
        {"player.py": player("RandomPlayer"), "mcts.py": player("MctsPlayer")}, "mcts.py:MctsPlayer", codes=("chosen",)
    ),
    "deep": Case({"proyecto/src/ia/minimax_player.py": player("Minimax")}, "src/ia/minimax_player.py:Minimax"),
    "latest": Case(
        {"latest/solution.py": BETTER + "# ya\n", "old/solution.py": PLAYER}, "latest/solution.py:SmartPlayer", codes=("chosen",)
    ),
    "only_imports": Case(
        {"solution.py": "from ia.mine import SmartPlayer\n", "ia/mine.py": PLAYER + "# mine\n"}, "solution.py:SmartPlayer"
    ),
    "hidden_requirements": Case(
        {"solution.py": PLAYER + "# req\n", "docs/requirements.txt": "zz-intbitset\n"},
        "solution.py:SmartPlayer",
        codes=("missing_package",),
    ),
    "virtual_environment": Case(
        {"env/pyvenv.cfg": "", "env/lib/a.py": player("APlayer"), "b.py": player("BPlayer")}, "b.py:BPlayer"
    ),
    "notebook": Case(
        {"hex.ipynb": notebook("%matplotlib inline\n" + PLAYER, "while True:\n    pass\n")},
        "hex.ipynb:SmartPlayer",
        codes=("notebook",),
    ),
    "no_notebook": Case({"hex.ipynb": "{}"}, None, codes=("syntax_error",), endings="load_error"),
    "no_board": Case(
        {"solution.py": "class S:\n    def play(self):\n        return 1\n"}, None, codes=("no_player",), endings="load_error"
    ),
    "annotation": Case(
        {"solution.py": PLAYER.replace("board):", "board: HexBoard) -> tuple:")}, "solution.py:SmartPlayer"
    ),
    "nested_wrappers": Case(
        {"Entrega final/proyecto/src/ia/solution.py": BETTER + "# n\n", "Entrega final/proyecto/src/ia/util.py": "x = 1\n"},
        "src/ia/solution.py:SmartPlayer",
    ),
    "nested_person": Case(
        {
            "grupo/Luis_Peña_Gil/solution.py": BETTER + "# l\n",
            "grupo/src/solution.py": PLAYER + "# s\n",
            "grupo/src/experimentos/solution.py": plays("return board.get_possible_moves()[1]"),
        },
        "Luis_Peña_Gil/solution.py:SmartPlayer",
        codes=("chosen",),
    ),
    "readme_names_the_file": Case(
        {"uno.py": player("UnoPlayer"), "dos.py": player("DosPlayer"), "LEEME.txt": "Se ejecuta con dos.py"},
        "dos.py:DosPlayer",
        codes=("chosen",),
    ),
    "readme_names_both": Case(
        {"uno.py": player("UnoPlayer"), "dos.py": player("DosPlayer"), "README.md": "DosPlayer is better than UnoPlayer."},
        None,
        "ungraded",
        ("several_players",),
    ),
    "unfinished_by_readme": Case(
        {
            "mejor.py": "class MejorPlayer:\n    def play(self, board):\n        ...\n",
            "uno.py": player("UnoPlayer"),
            "README.md": "Mi jugador es MejorPlayer.",
        },
        None,
        codes=("no_player",),
        endings="load_error",
    ),
    "near_miss_spanish": Case(
        {"agente.py": "class Agente:\n    def elegir_jugada(self, tablero):\n        return (0, 0)\n"},
        None,
        codes=("no_player",),
        endings="load_error",
    ),
    "near_miss_action": Case(
        {"bot.py": "class Bot:\n    def compute_action(self, env):\n        return 0\n"},
        None,
        codes=("no_player",),
        endings="load_error",
    ),
    "only_board_and_game": Case({"hex.py": BOARD + GAME}, None, codes=("no_player",), endings="load_error"),
    "place_piece_zero": Case(
        {"solution.py": plays(f"assert board.place_piece(0, 0, 0) is False\n{FIRST_MOVE}")}, "solution.py:SmartPlayer"
    ),
    "annotated_names": Case(
        {"solution.py": "best: Optional[Move] = None\n" + PLAYER.replace("board):", "board: np.ndarray) -> Move:")},
        "solution.py:SmartPlayer",
    ),
    "extended_and_another": Case(
        {"solution.py": plays("board.get_neighbors(0, 0) if self.player_id == 1 else board.nothing()\n" + FIRST_MOVE)},
        "solution.py:SmartPlayer",
        endings="crash",
    ),
    "extended_and_none": Case(
        {"solution.py": plays("(board if self.player_id == 1 else None).get_neighbors(0, 0)\n" + FIRST_MOVE)},
        "solution.py:SmartPlayer",
        endings="crash",
    ),
    "extended_neighbours": Case(
        {"solution.py": plays("board.get_neighbors(0, 0)\n" + FIRST_MOVE)}, "solution.py:SmartPlayer", endings="crash"
    ),
    "stand_in_beside_unfinished": Case(
        {"mi_jugador.py": STUB.replace("SmartPlayer", "MiJugador"), "player.py": player("RandomPlayer")},
        None,
        "ungraded",
        ("unfinished_player",),
    ),
    "stand_in_beside_broken": Case(
        {"mi_jugador.py": "def (", "player.py": player("RandomPlayer")},
        None,
        "ungraded",
        ("unfinished_player", "syntax_error"),
    ),
    "not_copies": Case(
        {
            **{f"{folder}/smart.py": "from heur import h\n" + player("Smart") for folder in ("v1", "v2")},
            **{f"{folder}/heur.py": f"h = {folder!r}\n" for folder in ("v1", "v2")},
        },
        None,
        "ungraded",
        ("several_players",),
    ),
    **{
        f"group_{name}": Case(
            {
                "hex_agent.py": player("HexAgent") + "GROUP = 7\n",
                "main.py": f"import hex_agent\nNAME = {name!r}\n",
            },
            "hex_agent.py:HexAgent",
        )
        for name in ("leo", "mia")
    },
    "group_ida": Case(
        {
            "hex_agent.py": player("HexAgent") + "GROUP = 7\n",
            "old/hex_agent_v0.py": player("HexAgent") + "GROUP = 0\n",
            "main.py": "import hex_agent\nNAME = 'ida'\n",
        },
        None,
        "ungraded",
        ("several_players",),
    ),
    "no_play": Case({"ia.py": player("Ia") + "class Node:\n    pass\n"}, None, "ungraded", ("no_player",)),
    "readme_beside_template": Case(
        {"solution.py": STUB, "mcts.py": player("MctsPlayer") + "# r\n", "README.md": "Mi jugador es MctsPlayer."},
        "mcts.py:MctsPlayer",
    ),
    "attempts_are_not_persons": Case(
        {"src/solution.py": PLAYER + "A = 1\n", "Monte_Carlo/solution.py": BETTER + "A = 2\n"},
        None,
        "ungraded",
        ("several_players",),
    ),
    **{
        f"pair_{name}": Case(
            {"comun.py": FUNCTION + "COMUN = 1\n", f"{name}.py": FUNCTION + f"MIO = {name!r}\n"},
            None,
            "ungraded",
            ("several_players",),
        )
        for name in ("lea", "teo")
    },
}  # fmt: skip
