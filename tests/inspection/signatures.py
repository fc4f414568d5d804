"""Constructors and `play` methods with every parameter list that students have written, each as a small submission."""

from tests.intake.folders import FIRST_MOVE, PLAYER, Files, plays


def built(parameters: str, check: str) -> Files:
    """A player whose constructor takes these parameters and asserts this check."""
    build = f"    def __init__(self{parameters}):\n        self.given = locals()\n"
    return {"solution.py": plays(f"given = self.given\nassert {check}, given\n{FIRST_MOVE}", build=build)}


def asked(parameters: str, check: str = "True") -> Files:
    """A player whose `play` takes these parameters, one of which is called `board`."""
    return {"solution.py": plays(f"assert {check}, locals()\n{FIRST_MOVE}", takes=parameters)}


CONSTRUCTORS: dict[str, Files] = {
    "required time_limit": built(", player_id, time_limit", "given['time_limit'] == 5 and given['player_id'] == ID"),
    "only time_limit": built(", time_limit", "given['time_limit'] == 5 and self.player_id == ID"),
    "default time_limit": built(", player_id, time_limit=1", "given['time_limit'] == 5"),
    "in milliseconds": built(", player_id, max_time_ms=1", "given['max_time_ms'] == 5000"),
    "jugador_id": built(", jugador_id", "given['jugador_id'] == ID"),
    "*args": built(", *args", "given['args'] == (ID,)"),
    "*args and **kwargs": built(", *args, **kwargs", "given['args'] == (ID,)"),
    "keyword only": built(", *, player_id", "given['player_id'] == ID"),
    "nothing": built("", "self.player_id == ID"),
    "any name": built(", p", "given['p'] == ID"),
    "depth first": built(", depth=3, player_id=9", "given['depth'] == 3 and given['player_id'] == ID"),
    "only a depth": built(", depth=3", "given['depth'] == 3 and self.player_id == ID"),
    "a limit of depth": built(", player_id, depth_limit=3, node_limit=7", "given['depth_limit'] == 3"),
    "the board's size": built(", player_id, size=11", "given['size'] == 3"),
    "another size": built(", player_id, table_size=11", "given['table_size'] == 11"),
    "the opponent": built(", player_id, opponent_id", "given['opponent_id'] == 3 - ID"),
    "a seed": built(", player_id, seed=None", "type(given['seed']) is int"),
    "a board": built(", board, player_id", "given['board'].size == 3 and given['player_id'] == ID"),
    "a board that can wait": built(", player_id, board=None", "given['board'] is None"),
    "a name": built(", nombre, player_id", "isinstance(given['nombre'], str) and given['player_id'] == ID"),
    "a dataclass": {
        "solution.py": "from dataclasses import dataclass\n\n@dataclass\nclass SmartPlayer:\n    player_id: int\n    depth: int = 2\n\n"
        f"    def play(self, board):\n        assert self.depth == 2\n        {FIRST_MOVE}\n"
    },
}

KEPT = (
    *("time_margin=0.3", "rollout_budget=200", "opponent_factor=1.2", "player_bonus=3.5", "budget=500", "colors=None"),
    *("use_time=True", "time_limit=True", "time_limit='5'", "limit=500", "n=1000", "player='human'", "seed='x'"),
    *("start_time=None", "time_buffer=0.1", "deadline=None", "margin=0.05", "p=0.5", "c=1.4", "time_check=64"),
    *("size='big'", "player_name='IA'", "opponent=None", "timeout_factor=0.9", "max_time_ratio=0.9", "id='x'"),
    *("board_cache=None", "last_player=None", "verbose=False", "weights=None", "limited=3", "seeded=2", "x=None"),
)
"""Parameters with a default that the grader leaves unchanged."""
FILLED = {
    **dict.fromkeys(("time_limit", "limit_time", "max_time", "timeout", "limit", "tiempo", "tiempo_limite"), "limit"),
    **dict.fromkeys(("limite_tiempo", "max_seconds"), "limit"),
    **dict.fromkeys(("seed", "random_seed", "semilla"), "seed"),
    **dict.fromkeys(("player_id", "id", "jugador_id", "id_jugador", "player"), "id"),
    **dict.fromkeys(("board_size", "size", "n"), "size"),
    "opponent_id": "other",
}
"""Parameters that the grader fills in although they have a number or None as default."""
DEFAULTS: dict[str, Files] = {
    "defaults that stay": built(
        ", player_id, time_margin=0.3, rollout_budget=200",
        "(given['time_margin'], given['rollout_budget']) == (0.3, 200)",
    ),
    "only defaults that stay": built(", bonus=3.5", "given['bonus'] == 3.5 and self.player_id == ID"),
    "play(board, start_time=None)": asked("board, start_time=None", "start_time is None"),
    "play(board=None)": asked("board=None", "board is not None"),
}

METHODS: dict[str, Files] = {
    "play(board, time_limit)": asked("board, time_limit", "time_limit == 5"),
    "play(board, max_time)": asked("board, max_time", "max_time == 5"),
    "play(time, board)": asked("time, board", "time == 5"),
    "play(board, time_limit=1)": asked("board, time_limit=1", "time_limit == 5"),
    "play(tablero)": {"solution.py": plays("return tablero.get_possible_moves()[0]", takes="tablero")},
    "play(b)": {"solution.py": plays("return b.get_possible_moves()[0]", takes="b")},
    "play(b=None)": {"solution.py": plays("return b.get_possible_moves()[0]", takes="b=None")},
    "play(*args)": {"solution.py": plays("return args[0].get_possible_moves()[0]", takes="*args")},
    "play(player, board)": asked("player, board", "player in (1, 2)"),
    "play(board, who)": asked("board, who", "who in (1, 2)"),
    "play(board, last_move=None)": asked("board, last_move=None", "last_move is None"),
    "play(board, /, *, time_limit)": asked("board, /, *, time_limit", "time_limit == 5"),
    "async play": {"solution.py": PLAYER.replace("def play", "async def play")},
    "static play": {
        "solution.py": f"class SmartPlayer:\n    @staticmethod\n    def play(board):\n        {FIRST_MOVE}\n"
    },
    "play is a lambda": {"s.py": "class SmartPlayer:\n    play = lambda self, board: board.get_possible_moves()[0]\n"},
    "play is set in the constructor too": {
        "s.py": f"class SmartPlayer:\n    def __init__(self, n):\n        self.play = self.other\n    def play(self, board):\n        return None\n    def other(self, board):\n        {FIRST_MOVE}\n".replace(
            "return None", "return 1"
        )
    },
    "slots": {"s.py": f"class SmartPlayer:\n    __slots__ = ()\n    def play(self, board):\n        {FIRST_MOVE}\n"},
}

SIGNATURES: dict[str, Files] = {**CONSTRUCTORS, **DEFAULTS, **METHODS}
