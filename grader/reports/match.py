"""`grader match`: the result of one match."""

from grader.games import Game
from grader.games.endings import move_count, result_sentence
from grader.language import Language
from grader.records import Finding, MatchRecord, SeatReport
from grader.reports.labels import finding_place, unique_findings

_LINES = 20
"""How many lines of a player's output are shown."""


def render(record: MatchRecord, game: Game, speak: Language) -> str:
    """Who won and why, why it was played again, and for each player its times, findings and output."""
    lines = [speak(result_sentence(record, game)), *fault_lines(record, speak), *attempt_lines(record, speak), ""]
    for side, seat in enumerate(record.seats):
        lines.append(_seat(record, side, speak))
        fault = record.fault.text if record.fault else ""
        lines += [
            f"  ! {_place(finding)}{speak(finding.text)} {speak(finding.help)}"
            for finding in unique_findings(seat.findings)
            if finding.text != fault
        ]
        lines += output_lines(seat, speak)
    return "\n".join(lines)


def fault_lines(record: MatchRecord, speak: Language) -> list[str]:
    """The fault that ended the match, if there was one, and what to do about it."""
    if record.fault is None:
        return []
    trace = [f"    {line}" for line in record.fault.trace.splitlines()]
    return [f"  {speak(record.fault.text)}", *trace, f"  {speak(record.fault.help)}"]


def attempt_lines(record: MatchRecord, speak: Language) -> list[str]:
    """Why earlier attempts at the match did not count, if there were any."""
    return [
        "  " + speak.say("An earlier attempt at this game did not count: {why}", why=why) for why in record.attempts
    ]


def output_lines(seat: SeatReport, speak: Language) -> list[str]:
    """The first lines of a player's output, if there is any."""
    printed = [f"    {line}" for line in seat.output.splitlines()[:_LINES]]
    return [f"  {speak.say('It printed:')}", *printed] if printed else []


def _seat(record: MatchRecord, side: int, speak: Language) -> str:
    seat, turns = record.seats[side], record.turns_of(side)
    parts = [
        speak.say("Player {number}, {name}: {moves}", number=side + 1, name=seat.name, moves=move_count(len(turns)))
    ]
    if charges := record.charges_of(side):
        slowest = max(charge.charged for charge in charges)
        parts.append(speak.say("slowest move {seconds:.2f} s", seconds=slowest))
    late = sum(turn.late for turn in turns)
    if late:
        parts.append(
            speak.say("{n} late move replaced by a random one", "{n} late moves replaced by random ones", n=late)
        )
    level = " " + speak.say("Isolation level: {level}.", level=seat.isolation) if seat.load else ""
    return f"{', '.join(parts)}.{level}"


def _place(finding: Finding) -> str:
    return f"{place}: " if finding.line and (place := finding_place(finding)) else ""
