"""`grader replay RECORD`."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.language import lang_option, speaker
from grader.cli.options import EXISTING, Decorated, known_game
from grader.cli.output_files import save
from grader.language import Language, say

if TYPE_CHECKING:
    from grader.competition.replay import Replay
    from grader.fixtures import Match
    from grader.records import MatchRecord

MOST_BYTES = 64_000_000
"""A record has some kilobytes. What is much larger is none, and is not read."""

NEXT, BACK, FIRST, LAST, HELP, QUIT, GO = "next", "back", "first", "last", "help", "quit", "go"
KEYS = {
    **dict.fromkeys(["n", " ", "\x1b[C", "\x1bOC", "\xe0M", "\x00M"], NEXT),
    **dict.fromkeys(["p", "\x1b[D", "\x1bOD", "\xe0K", "\x00K"], BACK),
    **dict.fromkeys(["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\xe0G", "\x00G"], FIRST),
    **dict.fromkeys(["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\xe0O", "\x00O"], LAST),
    **dict.fromkeys(["q", "Q", "\x04"], QUIT),
    **dict.fromkeys(["\r", "\n"], GO),
    "?": HELP,
}
"""What each key does. Arrows, Home and End are what the terminals in use send."""


def notation_options(command: Decorated) -> Decorated:
    """Give a command an option for every notation that an installed game offers."""
    from grader.games import installed_games

    for notation in (notation for kind in installed_games().values() for notation in kind().notations()):
        option = click.option(
            f"--{notation.name}",
            help=notation.help,
            **({"metavar": "FILE"} if notation.to_file else {"is_flag": True}),
        )
        command = option(command)
    return command


@click.command()
@click.argument("record", type=EXISTING)
@click.argument("submission", required=False, metavar="[ID]")
@click.option("--game", "number", type=click.IntRange(1), help="The number of the game, as the list of them shows it.")
@click.option("--opponent", metavar="NAME", help="Only games against this opponent.")
@click.option("--moves", is_flag=True, help="Print the moves and the last board; so it is without a terminal.")
@click.option("--all", "every", is_flag=True, help="Print the board after every move.")
@notation_options
@known_game
@lang_option
def replay(
    record: Path,
    submission: str | None,
    number: int | None,
    opponent: str | None,
    moves: bool,
    every: bool,
    **notations: str | bool | None,
) -> None:
    """Step through a match: RECORD is a file that `grader match` wrote, or a results folder with the ID of a submission."""
    from grader.cli.terminal import at_terminal
    from grader.competition.replay import replay_record
    from grader.errors import RecordError
    from grader.reports.replay import listing

    if record.is_dir():
        chosen, speak = _choose_from_results(record, submission, number, opponent)
        if chosen is None:
            return
    else:
        if submission or number or opponent:
            raise click.UsageError(say("an ID, --game and --opponent choose from a results folder, not from a file"))
        chosen, speak = _read_record_file(record), speaker()
    match = replay_record(chosen)
    wanted = {name: value for name, value in notations.items() if value}
    for name, value in wanted.items():
        _write_notation(match, name, value, speak)
    if not wanted:
        if moves or every or not at_terminal():
            click.echo(listing(match, speak, every=every))
        else:
            _step(match, speak)
    if match.problem is not None:
        raise RecordError(match.problem)


def _write_notation(match: "Replay", name: str, value: str | bool | None, speak: Language) -> None:
    """Write a match in another program's notation, to the file that was named or to the terminal."""
    from grader.errors import OptionError
    from grader.reports.replay import notation_input

    notation = next((one for one in match.game.notations() if one.name == name), None)
    if notation is None:
        raise OptionError(say("--{name} cannot write {game}: use --moves.", name=name, game=match.game.title))
    text = notation.write(notation_input(match), speak)
    if isinstance(value, str) and value != "-":
        save(value, text, f"--{name}")
    else:
        click.echo(text, nl=not text.endswith("\n"))


def _read_record_file(file: Path) -> "MatchRecord":
    from grader.errors import RecordError
    from grader.intake.names import printable
    from grader.records import read_record

    name = printable(file.name)
    try:
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise RecordError(say("{name}: it cannot be read ({why}).", name=name, why=error.strerror or "")) from error
    if len(content) > MOST_BYTES:
        raise RecordError(say("{name}: it is too large for the record of a match.", name=name))
    try:
        return read_record(json.loads(content))
    except RecordError as error:
        raise RecordError(
            say("{name}: {why}. Name a file that `grader match` has written.", name=name, why=error.args[0])
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecordError(
            say("{name}: this is no JSON. Name a file that `grader match` has written.", name=name)
        ) from error


def _choose_from_results(
    folder: Path, submission: str | None, number: int | None, opponent: str | None
) -> tuple["MatchRecord | None", Language]:
    """The game that is meant, or None after showing which there are."""
    from grader.errors import OptionError
    from grader.intake.names import printable
    from grader.reports.replay import list_games

    matches, speak = _matches(folder, submission)
    met: Counter[str] = Counter()
    numbered = []
    for match in sorted(matches, key=lambda match: match.opponent):
        met[match.opponent] += 1
        numbered.append((met[match.opponent], match))
    chosen = [(at, one) for at, one in numbered if opponent in (None, one.opponent) and number in (None, at)]
    if not chosen:
        raise OptionError(say("{name}: no such game was played.", name=printable(submission or "")))
    if len(chosen) == 1:
        return chosen[0][1].record, speak
    click.echo(list_games(chosen, speak))
    click.echo("\n" + speak.say("Choose one of these by --opponent and --game."))
    return None, speak


def _matches(folder: Path, submission: str | None) -> tuple["Sequence[Match]", Language]:
    """The games of a player, of a competition that is over or, as far as they were played, of one that is not."""
    from grader.results import saved
    from grader.results.lookup import list_ids, matches_of, stored_matches_of
    from grader.store import Store

    with Store.open_read_only(folder) as store:
        saved.check_version(store)
        if store.read_note(saved.NOTE) is None:
            if submission is None:
                raise click.UsageError(say("say whose games: name somebody who has played"))
            return stored_matches_of(store, submission), speaker()
        competition = saved.load(store)
        speak = speaker(*competition.prepared.assignments)
        if submission is None:
            if competition.pairing is not None:
                raise click.UsageError(say("say whose games: name a player of this tournament"))
            known = list_ids([entrant.id for entrant in competition.prepared.entrants])
            raise click.UsageError(say("say whose games: name one of {known}", known=known or "–"))
        return matches_of(competition, submission, folder), speak


def _step(match: "Replay", speak: Language) -> None:
    """Show the match move by move, as keys are pressed."""
    from grader.cli.terminal import Page, in_colour, pages
    from grader.reports.replay import frame

    ply, typed, helping = 0, "", False
    last, colour = len(match.moves), in_colour()

    with pages() as screen:
        while True:
            screen.show(Page(frame(match, ply, speak, colour=colour), "\n" + _prompt(typed, speak, helping=helping)))
            for key in screen.read_keys() or ["q"]:
                does = KEYS.get(key)
                if does == QUIT:
                    return
                moved = {NEXT: ply + 1, BACK: ply - 1, FIRST: 0, LAST: last, GO: int(typed or ply + 1)}.get(
                    does or "", ply
                )
                ply = min(max(moved, 0), last)
                helping = does == HELP and not helping
                typed = (typed + key)[:_DIGITS] if key.isdecimal() and key.isascii() else ""


_DIGITS = 6


def _prompt(typed: str, speak: Language, *, helping: bool) -> str:
    if typed:
        return speak.say("Go to move {number} (Enter)", number=typed)
    if not helping:
        return speak.say("→ next  ← back  ? help  q quit")
    return "\n".join(
        [
            speak.say("→ n space Enter   next move"),
            speak.say("← p               move before"),
            speak.say("Home End          start, end"),
            speak.say("12 Enter          to move 12"),
            speak.say("q                 quit"),
        ]
    )
