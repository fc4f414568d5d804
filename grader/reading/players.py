"""Players named on the command line: a file, a folder, or a reference player with options."""

from collections.abc import Sequence

from grader.inspection.players import ResolvedPlayer, named_player, player_at, player_path
from grader.reading.tasks import read_code


def resolve_players(texts: Sequence[str]) -> tuple[ResolvedPlayer, ...]:
    """The players that texts mean: a path, or `mcts(simulations=500)`. Raises `OptionError` if there is none."""
    paths = [player_path(text) for text in texts]
    own = [path for path in paths if path is not None]
    inspected = iter(read_code(own) if own else ())
    return tuple(
        named_player(text) if path is None else player_at(path, next(inspected))
        for text, path in zip(texts, paths, strict=True)
    )


def resolve_player(text: str) -> ResolvedPlayer:
    """The player that a text means."""
    return resolve_players([text])[0]
