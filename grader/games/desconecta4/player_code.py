"""What the code of a Desconecta-4 player looks like: the course's class, its files, and what players use of it."""

from grader.games.player_code import HandoutClass, PlayerCode

ENVIRONMENT_MODULES = ("environment", "Environment", "entorno")

CODE = PlayerCode(
    classes=(HandoutClass(name="Environment"),),
    modules=("player", "Player", *ENVIRONMENT_MODULES),
    files=("environment", "entorno"),
    members=frozenset({"possible_actions", "see_cell", "has_bomb", "generate_all_moves", "free_cells"}),
    parameters=frozenset({"env", "environment", "entorno"}),
)
