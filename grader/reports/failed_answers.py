"""The answers with which players lost games, for `grader show`."""

from collections.abc import Sequence

from grader.assignment import MatchTime
from grader.competition.replay import refused_move
from grader.fixtures import Match
from grader.games.endings import ending_label
from grader.language import Language, say
from grader.reports.labels import format_seconds, time_limit_label


def failed_answer(match: Match, speak: Language) -> str:
    """The answer that ended a match, with its time: `3. ✗ (3, 3) = d4 refused (0.005 s)`; empty if none did."""
    record, game = match.record, match.game
    if record.last_charge is None:
        return ""
    move = refused_move(game, record)
    what = ending_label(record.ending, game) if move is None else say("{move} refused", move=game.move_label(move))
    return f"{len(record.turns) + 1}. ✗ {speak(what)} ({format_seconds(record.last_charge.charged, speak)} s)"


def timeout_lines(matches: Sequence[Match], time: MatchTime, speak: Language) -> list[str]:
    """The limit that was exceeded, with its grace, and the times of the answer in each of these matches."""
    limit = speak.say("Limit: {limit} + {grace:g} s grace.", limit=time_limit_label(time), grace=time.grace)
    return [limit, *(_times(match, speak) for match in matches if match.record.last_charge is not None)]


def _times(match: Match, speak: Language) -> str:
    charge = match.record.last_charge
    assert charge is not None
    text = speak.say(
        "{opponent} {number}, move {ply}: {charged:.2f} s charged (wall time {wall:.2f} s, CPU time {cpu:.2f} s, waiting for a core {waited:.2f} s).",
        opponent=match.opponent,
        number=match.fixture.number + 1,
        ply=len(match.record.turns) + 1,
        charged=charge.charged,
        wall=charge.wall,
        cpu=charge.cpu,
        waited=charge.waited,
    )
    if match.record.time_scale == 1.0:
        return text
    return speak.say(
        "{text} Time limits × {scale:g} on that machine (speed {speed:g}).",
        text=text,
        scale=match.record.time_scale,
        speed=match.record.speed or 0.0,
    )
