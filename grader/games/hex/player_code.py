"""What a Hex player's code looks like: the course's files and classes, and the members of the board that players use."""

from grader.games.player_code import HandoutClass, PlayerCode

PLAYER_MODULES = (
    *("player", "Player", "player_base", "base_player", "basic_classes", "base", "father_player", "base_class_player"),
    *("src.Entities.Player", "main"),
)
BOARD_MODULES = (
    *("board", "Board", "hex_board", "hexBoard", "HexBoard", "hexboard", "hex_table", "base_class_hexboard"),
)
_REQUIRED = frozenset({"clone", "place_piece", "check_connection"})

CODE = PlayerCode(
    classes=(
        HandoutClass(name="HexBoard", members=_REQUIRED | {"__init__", "get_possible_moves"}, required=_REQUIRED),
    ),
    modules=tuple(name for name in (*PLAYER_MODULES, *BOARD_MODULES) if "." not in name),
    files=("board", "hex_board", "base"),
    members=frozenset({"place_piece", "check_connection", "get_possible_moves", "player_positions", "board[]"}),
    functions=True,
)
