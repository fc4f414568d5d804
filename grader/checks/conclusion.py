"""The conclusion of a check: its verdicts, the results of its games, and how the official run differs."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader import display
from grader.checks.observations import CheckedGame, Observations
from grader.checks.subject import CheckSubject
from grader.games import Game
from grader.games.endings import ending_label, move_count
from grader.games.exam import FinishedGame, Mark, Verdict
from grader.language import language, say
from grader.records import MatchRecord

_LONG = 1.0
"""Seconds: a shorter unfinished move is not mentioned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """The result of a check."""

    verdicts: tuple[Verdict, ...]
    results: str
    """How many games were won, in a sentence; empty if none was finished."""
    skipped: tuple[str, ...]
    """What was skipped for lack of time."""
    postponed: bool
    """Some checks can only run once the problems are fixed."""
    official: str
    """How the official run differs; empty if the player cannot play at all."""
    games: tuple[MatchRecord, ...] = ()
    """The games that were finished, in the order in which they were played."""
    language: str = "en"
    """The language of its texts."""

    @property
    def ready(self) -> bool:
        """Whether there is nothing to fix."""
        return all(verdict.mark is not Mark.BAD for verdict in self.verdicts)

    def __str__(self) -> str:
        return display.as_text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return display.as_html(self)

    def assert_ready(self) -> None:
        """For tests: raise `AssertionError` with the problems to fix, if there are any."""
        if not self.ready:
            speak = language(self.language)
            bad = [verdict for verdict in self.verdicts if verdict.mark is Mark.BAD]
            lines = (f"✗ {speak(verdict.text)}\n  {speak(verdict.help)}".rstrip() for verdict in bad)
            raise AssertionError("\n".join(lines))


def game_verdict(game: CheckedGame, rules: Game) -> Verdict:
    """One game in a line. A fault is only named: the conclusion explains it."""
    topic = say("games")
    values: dict[str, str | int | float] = {"opponent": game.opponent, "number": game.player_id}
    if game.record is None:
        values["moves"] = move_count(len(game.charges))
        text = say(
            "Unfinished against {opponent} as player {number}: time ran out after {moves} by your player.", **values
        )
        if game.pending >= _LONG:
            text = say(
                "Unfinished against {opponent} as player {number}: time ran out after {moves} by your player, "
                "{seconds:.0f} s into the next.",
                **values,
                seconds=game.pending,
            )
        return Verdict(mark=Mark.OPEN, topic=topic, text=text)
    won = None if game.record.winner is None else game.record.winner == game.fixture.seat
    failed = game.record.at_fault == game.fixture.seat
    values["moves"] = move_count(len(game.record.turns))
    values["slowest"] = max((charge.charged for charge in game.charges), default=0.0)
    if failed:
        text = say(
            "Lost against {opponent} as player {number}: {ending} ({moves}, your slowest took {slowest:.2f} s).",
            **values,
            ending=ending_label(game.record.ending, rules),
        )
    elif won:
        text = say("Won against {opponent} as player {number} ({moves}, your slowest took {slowest:.2f} s).", **values)
    elif won is None:
        text = say("Drew against {opponent} as player {number} ({moves}, your slowest took {slowest:.2f} s).", **values)
    else:
        text = say("Lost against {opponent} as player {number} ({moves}, your slowest took {slowest:.2f} s).", **values)
    mark = Mark.BAD if failed else Mark.GOOD if won else Mark.INFO
    return Verdict(mark=mark, topic=topic, text=text, detail=(game.unfair,) if game.unfair else ())


def unplayed_verdict(text: str, detail: Iterable[str] = ()) -> Verdict:
    """A game that could not be played because of a grader error."""
    help_ = say("This is a grader error, not a problem with your player.")
    return Verdict(mark=Mark.OPEN, topic=say("games"), text=text, help=help_, detail=tuple(detail))


def results_sentence(observed: Observations) -> str:
    """How many games were won, in a sentence; empty if none was finished."""
    games = observed.finished_games
    if not games:
        return ""
    by_opponent = {game.opponent: [other for other in games if other.opponent == game.opponent] for game in games}
    text = say(
        "Won {won} of {n} game ({each}).",
        "Won {won} of {n} games ({each}).",
        n=len(games),
        won=_count_wins(games),
        each=", ".join(f"{opponent} {_count_wins(own)}/{len(own)}" for opponent, own in by_opponent.items()),
    )
    if observed.grade is None or observed.grade.score is None:
        return text
    return say(
        "{text} With this seed, that would be {score:g} of {most:g} points (not guaranteed).",
        text=text,
        score=observed.grade.score,
        most=observed.grade.max_score,
    )


def official_differences(subject: CheckSubject, observed: Observations) -> str:
    """What the official run does that this check does not; empty if the player could not be loaded."""
    if observed.load is None:
        return ""
    games, played = len(subject.fixtures), len(observed.finished_games)
    text = say(
        "The official run plays {n} game ({played} here), perhaps with another seed or on a slower machine.",
        "The official run plays {n} games ({played} here), perhaps with another seed or on a slower machine.",
        n=games,
        played=played,
    )
    if games == played:
        text = say(
            "The official run plays {n} game, perhaps with another seed or on a slower machine.",
            "The official run plays {n} games, perhaps with another seed or on a slower machine.",
            n=games,
        )
    if subject.required <= subject.level:
        return text
    return say(
        "{text} It uses isolation level {required} (here {level}), which may block things that work here.",
        text=text,
        level=str(subject.level),
        required=str(subject.required),
    )


def most_telling_loss(observed: Observations) -> MatchRecord | None:
    """The lost game that is most worth a look: one that ended with the player's fault, else any."""
    lost = [game.record for game in observed.finished_games if game.record.winner == 1 - game.seat]
    return min(lost, key=lambda record: record.fault is None, default=None)


def _count_wins(games: list[FinishedGame]) -> int:
    return sum(game.record.winner == game.seat for game in games)
