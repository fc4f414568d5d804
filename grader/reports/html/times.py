"""The times of a game as a short text, as precise as pages show them. `times.js` reads and shows them.

Shown are thousandths of a second below 0.095 s, hundredths below 9.95 s, and tenths above. A time is the number of such steps.
"""

from collections.abc import Sequence

from grader.games.packed_numbers import pack_numbers
from grader.records import Charge, Turn
from grader.reports.html.student import seconds


def pack_times(turns: Sequence[Turn], last: Charge | None) -> str:
    """The times of all answers of a game, including one that was a fault."""
    charges = [turn.charge for turn in turns] + ([last] if last else [])
    return pack_numbers(_steps(max(0, round(seconds(charge) * 1000))) for charge in charges)


def _steps(milliseconds: int) -> int:
    if milliseconds < 95:
        return milliseconds
    if milliseconds < 9950:
        return 85 + (milliseconds + 5) // 10
    return 981 + (milliseconds + 50) // 100
