"""What a Desconecta-4 player's code looks like: the course's class and files, and the members that players use."""

from grader.games.player_code import HandoutClass, PlayerCode

ENVIRONMENT_MODULES = ("environment", "Environment", "entorno")

CODE = PlayerCode(
    classes=(HandoutClass(name="Environment"),),
    modules=("player", "Player", *ENVIRONMENT_MODULES),
    files=("environment", "entorno"),
    members=frozenset({"possible_actions", "see_cell", "has_bomb", "generate_all_moves", "free_cells"}),
    parameters=frozenset({"env", "environment", "entorno"}),
)
