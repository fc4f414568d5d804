"""How the games of a check ended, and how they differ from the official ones."""

from grader.checks.observations import CheckedGame, Seen
from grader.checks.subject import Subject
from grader.games.endings import move_count
from grader.games.exam import Mark, Verdict
from grader.language import Message, say
from grader.records import MatchRecord

_LONG = 1.0
"""Seconds: a shorter thought that was cut off is not worth a word."""


def result_of(game: CheckedGame) -> Verdict:
    """One game, in a line."""
    topic = say("games")
    values: dict[str, str | int | float] = {"opponent": game.opponent, "number": game.fixture.seat + 1}
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


def results(seen: Seen) -> str:
    """All finished games in a sentence; empty if there are none."""
    played = [game for game in seen.games if game.record is not None]
    if not played:
        return ""
    each = []
    for opponent in dict.fromkeys(game.opponent for game in played):
        own = [game for game in played if game.opponent == opponent]
        each.append(say("{opponent} {won} of {games}", opponent=opponent, won=sum(map(_won, own)), games=len(own)))
    values: dict[str, str | int | float] = {"won": sum(map(_won, played)), "games": len(played), "each": _joined(each)}
    if seen.grade is not None and seen.grade.score is not None:
        return say(
            "Games won: {won} of {games} ({each}). With this machine and seed that is {score:g} of {most:g} points, which is no promise.",
            **values,
            score=seen.grade.score,
            most=seen.grade.max_score,
        )
    return say("Games won: {won} of {games} ({each}).", **values)


def official(subject: Subject, seen: Seen) -> Message:
    """What the official run does that a check at home does not."""
    played = sum(game.record is not None for game in seen.games)
    values: dict[str, str | int | float] = {
        "games": len(subject.fixtures),
        "played": played,
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


def worth_a_look(seen: Seen) -> MatchRecord | None:
    """The game that tells most about what to mend: one that ended by the player's fault, else a lost one."""
    lost = [game for game in seen.games if game.record is not None and game.record.winner == 1 - game.fixture.seat]
    lost.sort(key=lambda game: game.record is not None and game.record.fault is None)
    return lost[0].record if lost else None


def _won(game: CheckedGame) -> bool:
    return game.record is not None and game.record.winner == game.fixture.seat


def _joined(parts: list[Message]) -> Message:
    joined = parts[0]
    for part in parts[1:]:
        joined = say("{before}, {part}", before=joined, part=part)
    return joined
