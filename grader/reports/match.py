"""One match, for a person who has just watched it."""

from grader.games import Game
from grader.games.endings import move_count, result_sentence
from grader.language import Language
from grader.records import Finding, MatchRecord, SeatReport

_LINES = 20
"""Of what a player printed."""


def render(record: MatchRecord, game: Game, speak: Language) -> str:
    """Who won and why, what each player took, and what there is to say about them."""
    lines = [speak(result_sentence(record, game)), *fault_lines(record, speak), ""]
    for side, seat in enumerate(record.seats):
        lines.append(_seat(record, side, speak))
        told = record.fault.text if record.fault else ""
        lines += [
            f"  ! {_place(finding)}{speak(finding.text)} {speak(finding.help)}"
            for finding in seat.findings
            if finding.text != told
        ]
        lines += output_lines(seat, speak)
    return "\n".join(lines)


def fault_lines(record: MatchRecord, speak: Language) -> list[str]:
    """What somebody did wrong, if the match ended so, and what to do about it."""
    if record.fault is None:
        return []
    trace = [f"    {line}" for line in record.fault.trace.splitlines()]
    return [f"  {speak(record.fault.text)}", *trace, f"  {speak(record.fault.help)}"]


def output_lines(seat: SeatReport, speak: Language) -> list[str]:
    """The first lines of what a player printed, if it did."""
    printed = [f"    {line}" for line in seat.output.splitlines()[:_LINES]]
    return [f"  {speak.say('It printed:')}", *printed] if printed else []


def _seat(record: MatchRecord, side: int, speak: Language) -> str:
    seat, turns = record.seats[side], record.turns_of(side)
    said = [
        speak.say("Player {number}, {name}: {moves}", number=side + 1, name=seat.name, moves=move_count(len(turns)))
    ]
    if turns:
        slowest = max(turn.charge.charged for turn in turns)
        said.append(speak.say("the slowest move {seconds:.2f} s", seconds=slowest))
    late = sum(turn.late for turn in turns)
    if late:
        said.append(speak.say("{late} of them too late and made at random", late=late))
    level = " " + speak.say("Isolation: {level}.", level=seat.isolation) if seat.load else ""
    return f"{', '.join(said)}.{level}"


def _place(finding: Finding) -> str:
    return f"{finding.file}:{finding.line}: " if finding.file and finding.line else ""
