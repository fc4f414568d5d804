"""`grader doctor`: the isolation levels that this machine supports, and what they mean."""

import sys
from collections.abc import Sequence

from grader.language import Language, Message, say
from grader.reports.table import Column, Report, Table, TableCell, Tone, make_table
from grader.sandbox.control_group import GroupOffer
from grader.sandbox.isolation import Level
from grader.sandbox.libraries import LibraryTrial
from grader.sandbox.machine import LevelOffer
from grader.sandbox.threats import THREATS

_DESCRIPTIONS = {
    Level.NONE: say("a separate process that can be killed"),
    Level.BASIC: say("limits on its memory, open files and file sizes; no capabilities; killed when the grader exits"),
    Level.GOOD: say("also: access to granted files only (Landlock), only some system calls (seccomp)"),
    Level.STRONG: say("also: its own namespaces (bubblewrap)"),
}


def render(
    offers: Sequence[LevelOffer],
    groups: GroupOffer,
    libraries: Sequence[LibraryTrial],
    speed: float | None,
    speak: Language,
) -> Report:
    """The levels, the best available one, which attacks it blocks, why the next one is not available, and what works in players."""
    best = max(offer.level for offer in offers if offer.available)
    rows: list[list[str | TableCell]] = [
        [
            str(offer.level),
            TableCell(speak(_yes_or_no(offer.available)), Tone.GOOD if offer.available else Tone.BAD),
            speak(_DESCRIPTIONS[offer.level]),
        ]
        for offer in offers
    ]
    threats = [
        [speak(threat.what), *("✓" if level >= threat.stopped_from else "–" for level in Level)] for threat in THREATS
    ]
    columns: list[Column | str] = [
        speak.say("level"),
        speak.say("available"),
        Column(speak.say("description"), wraps=True),
    ]
    parts: list[str | Table] = [
        speak.say("Players run at isolation level {level} on this machine.", level=str(best)),
        make_table(columns, rows),
        speak.say("Attacks that each level withstands:"),
        make_table([Column(speak.say("attack"), wraps=True), *map(str, Level)], threats),
    ]
    missing = next((offer for offer in offers if not offer.available), None)
    if missing is not None:
        parts.append(
            speak.say("Level {level} is not available: {reason}.", level=str(missing.level), reason=missing.reason)
        )
    unblocked = [speak(threat.what) for threat in THREATS if threat.stopped_from > best]
    if unblocked:
        parts.append(speak.say("Not blocked on this machine:") + "\n" + "\n".join(f"  - {what}" for what in unblocked))
    parts += [
        speak(line) for line in (*_group_lines(groups), *_library_lines(libraries), _time_rule(), _speed_line(speed))
    ]
    return parts


def _yes_or_no(available: bool) -> Message:
    return say("yes") if available else say("no")


def _group_lines(groups: GroupOffer) -> list[Message]:
    """Whether players have control groups, and how to get them."""
    if sys.platform != "linux":
        return []
    if groups.folder is not None:
        return [say("Each player runs in its own control group, which limits all memory that is used for it.")]
    return [
        say(
            "Players have no control groups here: {reason}. Memory that the kernel uses for a player is limited only by "
            "the number of its files, threads and descriptors. To limit all of it, start the grader through systemd: "
            "`systemd-run --user --scope -p Delegate=yes grader run submissions`.",
            reason=groups.reason,
        )
    ]


def _library_lines(libraries: Sequence[LibraryTrial]) -> list[Message]:
    """Which installed libraries work in a player's process."""
    working = [trial.library for trial in libraries if not trial.problem]
    lines = [say("Libraries that work in players' processes: {names}.", names=", ".join(working))] if working else []
    return lines + [
        say(
            "{library} is installed, but does not work in a player's process: {problem} See which system call was denied with "
            "`strace -f -e status=failed grader match PLAYER random`.",
            library=trial.library,
            problem=trial.problem,
        )
        for trial in libraries
        if trial.problem
    ]


def _time_rule() -> Message:
    if sys.platform == "linux":
        return say(
            "Time charged per move: max(CPU time, wall time − time spent waiting for a core that other processes used)."
        )
    return say(
        "Time charged per move: wall time. A busy machine counts against players, so run nothing else at the same time."
    )


def _speed_line(speed: float | None) -> Message:
    if speed is None:
        return say("The speed of this machine could not be measured.")
    return say(
        "Speed of this machine: {speed:g} (1.0 is one core of a cloud machine of 2026 with Python 3.11). If you grade on it, students "
        "can compare: `time: {{machine_speed: {written}}}` in the assignment that you hand out.",
        speed=speed,
        written=str(speed),
    )
