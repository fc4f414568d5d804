"""One match, for a person who has just watched it."""

from grader.records import Ending, Finding, MatchRecord

_NATURAL = {
    Ending.CONNECTED: "connected its two sides",
    Ending.LINE: "wins, because the other owns four in line",
    Ending.FULL_BOARD: "the board is full",
    Ending.REPETITION: "the position occurred too often",
    Ending.PLY_LIMIT: "the limit of plies was reached",
}


def render(record: MatchRecord) -> str:
    """Who won and why, what each player took, and what there is to say about them."""
    lines = [_result(record), ""]
    for side, seat in enumerate(record.seats):
        charges = [turn.charge.charged for turn in record.turns[side::2]]
        late = sum(turn.late for turn in record.turns[side::2])
        slowest = f", the slowest move {max(charges):.2f} s" if charges else ""
        lines.append(
            f"Player {side + 1}, {seat.name}: {len(charges)} moves{slowest}"
            f"{f', {late} of them too late and made at random' if late else ''}."
            f"{f' Isolation: {seat.isolation}.' if seat.load else ''}"
        )
        told = record.fault.text if record.fault else ""
        lines += [
            f"  ! {_place(finding)}{finding.text} {finding.help}" for finding in seat.findings if finding.text != told
        ]
        if seat.output:
            lines += ["  It printed:", *(f"    {line}" for line in seat.output.splitlines()[:20])]
    return "\n".join(lines)


def _place(finding: Finding) -> str:
    return f"{finding.file}:{finding.line}: " if finding.file and finding.line else ""


def _result(record: MatchRecord) -> str:
    winner = None if record.winner is None else record.seats[record.winner].name
    if record.fault is not None and record.at_fault is not None:
        fault = record.fault
        loser = record.seats[record.at_fault].name
        trace = "".join(f"\n    {line}" for line in fault.trace.splitlines())
        return f"{winner} wins: {loser} lost by {fault.ending}.\n  {fault.text}{trace}\n  {fault.help}"
    if winner is None:
        return f"A draw after {len(record.turns)} moves: {_NATURAL[record.ending]}."
    if record.ending is Ending.CONNECTED:
        return f"{winner} wins after {len(record.turns)} moves: it {_NATURAL[record.ending]}."
    return f"{winner} {_NATURAL[record.ending]}, after {len(record.turns)} moves."
