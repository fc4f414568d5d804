"""`grader replay RECORD [ID]`: step through a recorded game."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from grader.cli.completion import complete_opponent, complete_result
from grader.cli.help import Decorated, argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import EXISTING, OUTPUT, assignment_option
from grader.cli.output import echo
from grader.cli.output_files import save
from grader.cli.record_files import choose_record, read_records
from grader.cli.results_options import load_game, warn_of_changed_games
from grader.cli.terminal import Page, at_terminal, in_colour, pages
from grader.competition.replay import Replay, replay_record
from grader.errors import OptionError, RecordError
from grader.fixtures import Match
from grader.games import installed_games
from grader.intake.names import printable
from grader.language import Language, Message, say
from grader.records import MatchRecord
from grader.reports import position_python
from grader.reports.replay import frame, last_step, list_games, listing, notation_input
from grader.results import saved
from grader.results.lookup import list_ids, matches_of, stored_matches_of
from grader.store import Store

WHICH_GAME = "Which game"

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
"""What each key does. Arrows, Home and End are what common terminals send."""
_DIGITS = 6
"""The longest number of a move that can be typed."""


def notation_options(command: Decorated) -> Decorated:
    """Give a command an option for every notation of an installed game."""
    for notation in (notation for kind in installed_games().values() for notation in kind().notations()):
        add = option(
            f"--{notation.name}",
            group=OUTPUT,
            help=notation.help,
            **({"metavar": "FILE"} if notation.to_file else {"is_flag": True}),
        )
        command = add(command)
    return command


@command(
    examples=[
        ("Step through a game that `grader match` saved", "grader replay match.json"),
        ("List the games of your last check", "grader replay check.html"),
        ("List the games of a submission", "grader replay results ana"),
        ("Step through one of them", "grader replay results ana --opponent mcts --game 2"),
        ("Try the lost position of a saved game at home", "grader replay match.json --python > position.py"),
    ]
)
@argument("record", "A file written by `grader match` or `grader check`, or a results folder.", type=EXISTING)
@argument(
    "submission",
    "With a results folder: the id of a submission.",
    required=False,
    metavar="[ID]",
    shell_complete=complete_result,
)
@option(
    "--opponent",
    group=WHICH_GAME,
    metavar="NAME",
    shell_complete=complete_opponent,
    help="Only games against this player.",
)
@option(
    "--game",
    "number",
    group=WHICH_GAME,
    type=click.IntRange(1),
    help="The game's number; in results, among those against the opponent.",
)
@assignment_option(
    "The assignment that defines your own game (default: assignment.yaml next to the record or in the working folder).",
    group="What to read",
)
@option(
    "--move",
    "move",
    group=WHICH_GAME,
    type=click.IntRange(1),
    help="Show this move first; with --python, the position before it.",
)
@option("--moves", group=OUTPUT, is_flag=True, help="Print moves and final board (default without a terminal).")
@option("--all", "every", group=OUTPUT, is_flag=True, help="Print the board after every move.")
@option(
    "--python",
    "python",
    group=OUTPUT,
    is_flag=True,
    help="Print Python code that rebuilds the position before the failed or last move and calls your player.",
)
@notation_options
@lang_option
def replay(
    record: Path,
    submission: str | None,
    number: int | None,
    opponent: str | None,
    move: int | None,
    assignment_file: Path | None,
    moves: bool,
    every: bool,
    python: bool,
    **notations: str | bool | None,
) -> None:
    """Step through a recorded game with the arrow keys, or print it."""
    assignments = load_game(assignment_file, record.absolute())
    if record.is_dir():
        chosen, speak = _choose_from_results(record, submission, number, opponent)
    else:
        if submission:
            raise click.UsageError(say("ID chooses from a results folder, but {file} is a file.", file=str(record)))
        speak = speaker(*assignments)
        chosen = _choose_from_file(record, number, opponent, speak)
    if chosen is None:
        return
    match = replay_record(chosen.record)
    if move is not None and move > last_step(match):
        most = last_step(match)
        raise OptionError(say("--move {move}: the last move is {most}.", move=move, most=most))
    wanted = {name: value for name, value in notations.items() if value}
    for name, value in wanted.items():
        _write_notation(match, name, value, speak)
    if python:
        echo(_position_code(match, chosen, move, speak), nl=False)
    elif not wanted:
        if moves or every or not at_terminal():
            echo(listing(match, speak, every=every, ply=move))
        else:
            _step(match, speak, start=move if move is not None else last_step(match) if chosen.is_lost else 0)
    if match.problem is not None:
        raise RecordError(match.problem)


@dataclass(frozen=True, slots=True)
class ChosenGame:
    """The game to show, and whose game it is, if that is known."""

    record: MatchRecord
    seat: int | None = None
    entry: str = ""
    """The file and class of that player."""

    @property
    def is_lost(self) -> bool:
        """Whether that player lost; for a game of unknown players, whether one of them lost by a fault."""
        if self.seat is None:
            return self.record.fault is not None
        return self.record.winner == 1 - self.seat

    @property
    def subject(self) -> int:
        """The seat of the player to look at: whose game it is, or else the one that lost."""
        if self.seat is not None:
            return self.seat
        return 0 if self.record.winner is None else 1 - self.record.winner


def _position_code(match: Replay, chosen: ChosenGame, move: int | None, speak: Language) -> str:
    """The program for the position before a move: by default, the one with which the player failed, or its last one."""
    ply = min(position_python.key_ply(match.record, chosen.subject) if move is None else move - 1, len(match.moves))
    seat = match.game.turn(match.positions[ply])
    first, second = match.record.seats
    title = speak.say("{game}: {first} vs {second}", game=match.game.title, first=first.name, second=second.name)
    return position_python.render(match.game, match.moves[:ply], seat, speak, entry=chosen.entry, title=title)


def _write_notation(match: Replay, name: str, value: str | bool | None, speak: Language) -> None:
    """Write a game in another program's notation, to the file that was named or to the terminal."""
    notation = next((one for one in match.game.notations() if one.name == name), None)
    if notation is None:
        raise OptionError(say("--{name} is not available for {game}; use --moves.", name=name, game=match.game.title))
    text = notation.write(notation_input(match), speak)
    if isinstance(value, str) and value != "-":
        save(value, text, f"--{name}")
    else:
        echo(text, nl=not text.endswith("\n"))


def _choose_from_file(file: Path, number: int | None, opponent: str | None, speak: Language) -> ChosenGame | None:
    """The game that was asked for, or None after printing a list to choose from."""
    chosen = choose_record(read_records(file), number, opponent, speak)
    if isinstance(chosen, MatchRecord):
        return ChosenGame(chosen)
    text = speak.say("Choose a game with --game.")
    echo(f"{chosen}\n\n{text}")
    return None


def _choose_from_results(
    folder: Path, submission: str | None, number: int | None, opponent: str | None
) -> tuple[ChosenGame | None, Language]:
    """The game that was asked for, or None after printing a list to choose from."""
    matches, entries, speak = _matches(folder, submission)
    counts: Counter[str] = Counter()
    numbered = []
    for match in sorted(matches, key=lambda match: match.opponent):
        counts[match.opponent] += 1
        numbered.append((counts[match.opponent], match))
    opponent = _full_name(opponent, counts)
    chosen = [(at, match) for at, match in numbered if opponent in (None, match.opponent) and number in (None, at)]
    if not chosen:
        raise OptionError(_no_such_game(printable(submission or ""), opponent, counts))
    if len(chosen) == 1:
        match = chosen[0][1]
        return ChosenGame(match.record, match.seat, entries.get(match.fixture.players[match.seat], "")), speak
    echo(list_games(chosen, speak))
    text = speak.say("Choose a game with --opponent and --game.")
    echo(f"\n{text}")
    return None, speak


def _full_name(opponent: str | None, known: Collection[str]) -> str | None:
    """The opponent's name with its options, if it was given without them and only one opponent fits."""
    fitting = [name for name in known if name.split("(")[0] == opponent]
    return fitting[0] if opponent not in known and len(fitting) == 1 else opponent


def _no_such_game(name: str, opponent: str | None, counts: Counter[str]) -> Message:
    if not counts:
        return say("{name} has no recorded games.", name=name)
    if opponent is not None and opponent not in counts:
        known = list_ids(sorted(counts))
        return say(
            "{name} has no game against {opponent}. Choose one of {known}.",
            name=name,
            opponent=printable(opponent),
            known=known,
        )
    most = counts[opponent] if opponent is not None else max(counts.values())
    numbers = say("1 to {most}", most=most) if most > 2 else say("1 or 2") if most == 2 else "1"
    return say("{name} has no game with that number: choose {numbers} with --game.", name=name, numbers=numbers)


def _matches(folder: Path, submission: str | None) -> tuple[Sequence[Match], dict[str, str], Language]:
    """The games of a player, also of a competition that is incomplete, and the entries of all submissions by id."""
    with Store.open_read_only(folder) as store:
        saved.check_version(store)
        if store.read_note(saved.NOTE) is None:
            if submission is None:
                raise click.UsageError(say("Which student? Add the ID of a submission."))
            return stored_matches_of(store, submission), {}, speaker()
        competition = saved.load(store)
        speak = speaker(*competition.setup.assignments)
        if submission is None:
            if competition.pairing is not None:
                raise click.UsageError(say("Which player? Add the ID of a player in this tournament."))
            known = list_ids([entrant.id for entrant in competition.setup.entrants])
            raise click.UsageError(say("Which student? Choose one of {known}.", known=known or "–"))
        entries = {entrant.id: ":".join(entrant.identity.get("entry") or ()) for entrant in competition.setup.entrants}
        matches = matches_of(competition, submission, folder)
        warn_of_changed_games(store, [match.fixture for match in matches], speak)
        return matches, entries, speak


def _step(match: Replay, speak: Language, *, start: int) -> None:
    """Show the game move by move, as keys are pressed."""
    ply, typed, helping = start, "", False
    last, colour = last_step(match), in_colour()

    with pages() as screen:
        while True:
            screen.show(Page(frame(match, ply, speak, colour=colour), "\n" + _prompt(typed, speak, helping=helping)))
            for key in screen.read_keys() or ["q"]:
                action = KEYS.get(key)
                if action == QUIT:
                    return
                target = {NEXT: ply + 1, BACK: ply - 1, FIRST: 0, LAST: last, GO: int(typed or ply + 1)}.get(
                    action or "", ply
                )
                ply = min(max(target, 0), last)
                helping = action == HELP and not helping
                typed = (typed + key)[:_DIGITS] if key.isdecimal() and key.isascii() else ""


def _prompt(typed: str, speak: Language, *, helping: bool) -> str:
    if typed:
        return speak.say("Go to move {number} (Enter)", number=typed)
    if not helping:
        return speak.say("→ next  ← back  ? help  q quit")
    return "\n".join(
        [
            speak.say("→ n space Enter   next move"),
            speak.say("← p               previous move"),
            speak.say("Home End          start, end"),
            speak.say("12 Enter          go to move 12"),
            speak.say("q                 quit"),
        ]
    )
