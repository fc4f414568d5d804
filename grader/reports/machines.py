"""The machines on which games were played, and how fast they are."""

from collections import defaultdict

from grader.competition.records import Competition
from grader.language import Language

_MOST = 3
"""How many machines are listed."""


def machines_label(competition: Competition, speak: Language) -> str:
    """The machines on which the games were played, each with the speed of its cores and how it scaled the time limits."""
    speeds: dict[str, set[float]] = defaultdict(set)
    scales: dict[str, set[float]] = defaultdict(set)
    for record in competition.results.values():
        name = record.machine or competition.machine
        speeds[name] |= set() if record.speed is None else {record.speed}
        scales[name].add(record.time_scale)
    if not speeds:
        speeds[competition.machine] = set()
    if not speeds.get(competition.machine) and competition.speed is not None and competition.machine in speeds:
        speeds[competition.machine] = {competition.speed}
    labels = [machine_label(name, found, scales[name], speak) for name, found in sorted(speeds.items())]
    if len(labels) > _MOST:
        labels[_MOST:] = [speak.say("{n} other machine", "{n} other machines", n=len(labels) - _MOST)]
    return "; ".join(filter(None, labels))


def machine_line(competition: Competition, speak: Language) -> str:
    """The same as a line of its own."""
    return speak.say("Machine: {machine}.", machine=machines_label(competition, speak))


def machine_label(name: str, speeds: set[float], scales: set[float], speak: Language) -> str:
    """A machine with the speed of the cores that were used, and the factor of its time limits unless it is 1."""
    if not name or not speeds:
        return name
    text = speak.say("{machine}, speed {speed}", machine=name, speed=_range(speeds, speak))
    if scales <= {1.0}:
        return text
    return speak.say("{machine}, time limits × {scale}", machine=text, scale=_range(scales, speak))


def _range(values: set[float], speak: Language) -> str:
    low, high = (speak.number(float(f"{value:.3g}")) for value in (min(values), max(values)))
    return low if low == high else f"{low}–{high}"
