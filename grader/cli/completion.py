"""Shell completion of games, players and ids.

A completion must be quick and silent: if anything goes wrong, nothing is suggested.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from grader.games import installed_games
from grader.inspection.reference_catalogue import reference_players

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(names: Callable[[click.Context], Iterable[str]], *, files: bool = False) -> Completer:
    """A function that suggests names and, if none of them fits, or in a shell that can show both, files."""

    def complete(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            found = [
                CompletionItem(name)
                for name in dict.fromkeys(names(context))
                if name.startswith(incomplete) and name.isprintable()
            ]
        except Exception:  # noqa: BLE001  an error message would end up in the line that is being typed
            found = []
        # bash forgets the items before a "file", and completes files only if no item follows it.
        return [*([CompletionItem(incomplete, type="file")] if files else []), *found]

    return complete


def first_argument(context: click.Context, *names: str) -> Path:
    """The first argument on the line, whatever the command calls it."""
    values = [context.params.get(name) for name in names]
    # While the value of an option is missing, click leaves arguments unparsed.
    return Path(next((value for value in values if value), None) or context.args[0])


def _result_ids(context: click.Context) -> Iterable[str]:
    """The ids in a results folder, of a run or of a tournament."""
    folder = first_argument(context, "results", "record")
    run, tournament = folder / "results.json", folder / "standings.json"
    if run.is_file():
        return [submission["id"] for submission in _read(run)["submissions"]]
    return [player["id"] for one in _read(tournament)["tournaments"] for player in one["players"]]


def _opponents(context: click.Context) -> Iterable[str]:
    """The opponents in a results folder."""
    folder = first_argument(context, "record")
    if not (folder / "results.json").is_file():
        return _result_ids(context)
    submissions = _read(folder / "results.json")["submissions"]
    return [part["opponent"] for submission in submissions for part in submission["parts"]]


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


complete_game = completer(lambda _: installed_games(), files=True)
complete_player = completer(lambda _: [player.name for player in reference_players()], files=True)
complete_reference_player = completer(lambda _: [player.name for player in reference_players()])
complete_result = completer(_result_ids)
complete_opponent = completer(_opponents)
