"""What a check comes to: its verdicts, how its games ended, and how they differ from the official ones."""

from dataclasses import dataclass

from grader.checks.observations import CheckedGame, Observations
from grader.checks.subject import CheckSubject
from grader.games.endings import move_count
from grader.games.exam import FinishedGame, Mark, Verdict
from grader.language import Message, language, say
from grader.records import MatchRecord

_LONG = 1.0
"""Seconds: a shorter thought that was cut off is not worth a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """All that a check came to."""

    verdicts: tuple[Verdict, ...]
    results: str
    """How the games ended, in a sentence; empty if there were none."""
    skipped: tuple[str, ...]
    """What there was no time for."""
    postponed: bool
    """Some checks can only be made once what is bad is fixed."""
    official: str
    """What the official run does differently."""
    language: str = "en"
    """In which `assert_ready` speaks."""

    @property
    def ready(self) -> bool:
        """Whether there is nothing to fix."""
        return all(verdict.mark is not Mark.BAD for verdict in self.verdicts)

    def assert_ready(self) -> None:
        """For a test: raises `AssertionError` with what is to be fixed."""
        if not self.ready:
            speak = language(self.language)
            bad = [verdict for verdict in self.verdicts if verdict.mark is Mark.BAD]
            lines = (f"✗ {speak(verdict.text)}\n  {speak(verdict.help)}".rstrip() for verdict in bad)
            raise AssertionError("\n".join(lines))


def game_verdict(game: CheckedGame) -> Verdict:
    """One game, in a line."""
    topic = say("games")
    values: dict[str, str | int | float] = {"opponent": game.opponent, "number": game.player_id}
    if game.record is None:
        moves = move_count(len(game.charges))
        text = say(
            "Not finished against {opponent} as player {number}: {moves}, then time was over.", **values, moves=moves
        )
        if game.pending >= _LONG:
            text = say(
                "Not finished against {opponent} as player {number}: {moves}, and time was over {seconds:.0f} s into the next.",
                **values,
                moves=moves,
                seconds=game.pending,
            )
        return Verdict(mark=Mark.OPEN, topic=topic, text=text)
    won = None if game.record.winner is None else game.record.winner == game.fixture.seat
    values |= {
        "moves": move_count(len(game.charges)),
        "slowest": max((charge.charged for charge in game.charges), default=0.0),
    }
    if won:
        text = say("Won against {opponent} as player {number} ({moves}, slowest {slowest:.2f} s).", **values)
    elif won is None:
        text = say("Drew against {opponent} as player {number} ({moves}, slowest {slowest:.2f} s).", **values)
    else:
        text = say("Lost against {opponent} as player {number} ({moves}, slowest {slowest:.2f} s).", **values)
    fault = game.record.fault
    if fault is not None and not won:
        text = say("{text} {fault}", text=text, fault=fault.text)
    failed = game.record.at_fault == game.fixture.seat
    mark = Mark.BAD if failed else Mark.GOOD if won else Mark.NOTE
    return Verdict(mark=mark, topic=topic, text=text, detail=(game.unfair,) if game.unfair else ())


def results_sentence(observed: Observations) -> str:
    """All finished games in a sentence; empty if there are none."""
    games = observed.finished_games
    each: Message | None = None
    for opponent in dict.fromkeys(game.opponent for game in games):
        own = [game for game in games if game.opponent == opponent]
        part = say("{opponent} {won} of {games}", opponent=opponent, won=_count_wins(own), games=len(own))
        each = part if each is None else say("{before}, {part}", before=each, part=part)
    if each is None:
        return ""
    values: dict[str, str | int | float] = {"won": _count_wins(games), "games": len(games), "each": each}
    if observed.grade is not None and observed.grade.score is not None:
        return say(
            "Games won: {won} of {games} ({each}). With this machine and seed that is {score:g} of {most:g} points, which is no promise.",
            **values,
            score=observed.grade.score,
            most=observed.grade.max_score,
        )
    return say("Games won: {won} of {games} ({each}).", **values)


def official_differences(subject: CheckSubject, observed: Observations) -> Message:
    """What the official run does that a check at home does not."""
    values: dict[str, str | int | float] = {
        "games": len(subject.fixtures),
        "played": len(observed.finished_games),
        "here": str(subject.level),
        "required": str(subject.required),
        "seed": subject.assignment.seed,
    }
    if subject.required > subject.level:
        return say(
            "The official run plays {games} games ({played} here) with seeds of its own (here {seed}), on a machine that may be "
            "slower, and at the isolation level {required} (here {here}, so what is forbidden there may pass here).",
            **values,
        )
    return say(
        "The official run plays {games} games ({played} here) with seeds of its own (here {seed}), on a machine that may be "
        "slower, and at the isolation level of that machine (here {here}).",
        **values,
    )


def most_telling_loss(observed: Observations) -> MatchRecord | None:
    """The game that tells most about what to fix: one that ended by the player's fault, else a lost one."""
    lost = [game.record for game in observed.finished_games if game.record.winner == 1 - game.seat]
    return min(lost, key=lambda record: record.fault is None, default=None)


def _count_wins(games: list[FinishedGame]) -> int:
    return sum(game.record.winner == game.seat for game in games)
