"""Short texts that several reports share: findings, statuses, results, scores, names, times and percentages."""

import re
from collections.abc import Iterable

from grader.assignment import Assignment, MatchTime
from grader.competition.attention import Cause, cause_of_not_playing
from grader.language import Language, Message, say
from grader.records import Finding, MatchRecord
from grader.scoring.points import Grade, Part

FINDINGS = {
    "archive_format": say("unsupported archive format"),
    "broken_zip": say("damaged zip"),
    "check": say("to fix"),
    "chosen": say("one of several players"),
    "copy_left_out": say("duplicate ignored"),
    "ctypes": say("native code"),
    "disqualified": say("disqualified"),
    "empty_submission": say("empty submission"),
    "encrypted_zip": say("password-protected zip"),
    "eval": say("eval or exec"),
    "fewer_games": say("fewer games"),
    "files": say("writes files"),
    "files_beside": say("needs other files"),
    "forbidden_import": say("forbidden module"),
    "import_time": say("runs code on import"),
    "input": say("waits for input"),
    "late": say("late submission"),
    "late_moves": say("late moves"),
    "latest_attempt": say("several attempts"),
    "link": say("symbolic link"),
    "load_error": say("cannot be loaded"),
    "long_name": say("name too long"),
    "missing_import": say("missing module"),
    "missing_package": say("missing package"),
    "missing_play": say("no play method"),
    "nested_zips": say("nested zips"),
    "network": say("uses the network"),
    "no_player": say("no player"),
    "notebook": say("notebook"),
    "not_at_entry": say("player in another place"),
    "prints": say("prints"),
    "processes": say("starts processes"),
    "same_name": say("duplicate file name"),
    "several_players": say("several players"),
    "special_file": say("special file"),
    "syntax_error": say("syntax error"),
    "too_deep": say("folders nested too deeply"),
    "too_large": say("too large"),
    "too_many_files": say("too many files"),
    "unclear_upload": say("several uploads"),
    "unfinished_player": say("unfinished player"),
    "unreadable": say("unreadable file"),
    "unreadable_folder": say("unreadable folder"),
    "zip_bomb": say("zip bomb"),
    "zip_method": say("unsupported zip compression"),
    "zip_slip": say("unsafe paths in zip"),
}

STATUSES = {
    "graded": say("graded"),
    "disqualified": say("disqualified"),
    "missing": say("missing"),
    "ungraded": say("not graded"),
    "excused": say("excused"),
}

CAUSES = {
    Cause.DECISION: say("needs your decision"),
    Cause.UNGRADED: say("not graded, through no fault of the student"),
    Cause.NO_PLAYER: say("no player found"),
    Cause.EMPTY: say("empty submission"),
    Cause.UNREADABLE: say("files cannot be read"),
    Cause.MISSING_MODULE: say("missing module"),
    Cause.NOT_LOADED: say("cannot be loaded"),
    Cause.FAILED: say("fails in every game"),
    Cause.DISQUALIFIED: say("disqualified"),
    Cause.LATE: say("late submission"),
    Cause.NO_POINTS: say("no points for its results"),
    Cause.LOST: say("lost every game"),
    Cause.MISSING: say("nothing submitted"),
    Cause.FLAGGED: say("please check"),
}


def cause_label(cause: Cause) -> Message:
    """Why a submission needs attention, in a few words."""
    return CAUSES[cause]


def not_played_label(grade: Grade) -> Message | None:
    """That no game of a graded submission was played, and why; None if at least one was."""
    found = cause_of_not_playing(grade)
    return None if found is None else say("not played: {why}", why=cause_label(found[0]))


def finding_label(code: str) -> str:
    """A kind of finding in two or three words; a code that only another version of the grader knows, unchanged."""
    return FINDINGS.get(code, code)


def finding_place(finding: Finding) -> str:
    """The file and line of a finding; empty if it has none, or if its text names them already."""
    if not finding.file or not finding.line:
        return finding.file or ""
    named = finding.file in finding.text and re.search(rf"\b{finding.line}\b", finding.text)
    return "" if named else f"{finding.file}:{finding.line}"


def unique_findings(findings: Iterable[Finding]) -> list[Finding]:
    """The findings without repetitions."""
    return list({(finding.file, finding.line, finding.text): finding for finding in findings}.values())


def split_reason(grade: Grade) -> tuple[Finding | None, list[Finding]]:
    """The finding that is also the reason for the grade, if there is one, and the other findings, each once.

    Findings about the same line as the reason are left out: they say the same.
    """
    findings = unique_findings(grade.findings)
    reason = next((finding for finding in findings if grade.reason and finding.text == grade.reason), None)
    place = None if reason is None or reason.line is None else (reason.file, reason.line)
    return reason, [each for each in findings if each is not reason and (each.file, each.line) != place]


def as_sentence(text: str) -> str:
    """A text with a full stop, unless it ends a sentence already."""
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


def sentence_case(text: str, speak: Language) -> str:
    """A text in this language that begins with a capital letter."""
    spoken = speak(text)
    return f"{spoken[:1].upper()}{spoken[1:]}"


def status_label(status: str) -> Message:
    """The status of a grade in a word or two."""
    return STATUSES[status]


def score_label(grade: Grade, speak: Language) -> str:
    """The points of a grade and the maximum: `25 / 60`."""
    return "–" if grade.score is None else f"{speak.number(grade.score)} / {speak.number(grade.max_score)}"


def pass_label(grade: Grade) -> Message | None:
    """Whether a submission passed; None if that is not known or there is no pass mark."""
    return None if grade.passed is None else say("passed") if grade.passed else say("not passed")


def score_notes(grade: Grade) -> list[Message]:
    """How the score follows from the points, and whether it is a pass, a sentence each."""
    notes = []
    points, most = sum((part.points for part in grade.parts), 0.0), sum((part.max_points for part in grade.parts), 0.0)
    is_scaled = abs(most - grade.max_score) > 0.00005
    if grade.parts and is_scaled:
        notes.append(
            say(
                "{points:g} of {most:g} points, scaled to {maximum:g}.",
                points=round(points, 4),
                most=round(most, 4),
                maximum=grade.max_score,
            )
        )
    if grade.unrounded is not None and grade.unrounded != grade.score:
        notes.append(say("{unrounded:g} before rounding.", unrounded=grade.unrounded))
    if grade.passed is not None and grade.pass_mark is not None:
        template = say("Passed (pass mark: {mark:g}).", mark=grade.pass_mark)
        notes.append(template if grade.passed else say("Not passed (pass mark: {mark:g}).", mark=grade.pass_mark))
    return notes


def result_label(record: MatchRecord, seat: int, speak: Language) -> str:
    """How a game went for a seat, in a word."""
    if record.winner is None:
        return speak.say("drawn")
    return speak.say("won") if record.winner == seat else speak.say("lost")


def seat_label(seat: int) -> Message:
    """Whether a player moved first or second."""
    return say("moving first") if seat == 0 else say("moving second")


def time_limit_label(time: MatchTime) -> Message:
    """The time that a player has, and on which machine if the limits are scaled."""
    limit = (
        say("{seconds:g} s per move", seconds=time.move)
        if time.move is not None
        else say("{seconds:g} s per game", seconds=time.bank or 0.0)
    )
    if time.reference_speed is None:
        return limit
    return say("{limit} on a machine of speed {speed:g}", limit=limit, speed=time.reference_speed)


def slow_from(time: MatchTime) -> float:
    """The seconds from which a move is worth mentioning: half of the limit."""
    return (time.move if time.move is not None else time.bank or 0.0) / 2


def assignment_in_force(assignment: Assignment, source: str, speak: Language) -> str:
    """The assignment by which a player is checked or plays: its file, title, options and time limit."""
    names = assignment.rules.option_names()
    options = ", ".join(f"{speak(names.get(name, name))} {value}" for name, value in assignment.options.items())
    return speak.say(
        "Assignment: {source} (“{title}”; {conditions})",
        source=speak(source),
        title=assignment.title,
        conditions="; ".join(filter(None, [options, speak(time_limit_label(assignment.time))])),
    )


def percent_range(interval: tuple[float, float], speak: Language) -> str:
    """An interval of shares: `0–66 %`."""
    low, high = interval
    return f"{100 * low:.0f}–{speak.number(high, '.0%')}"


def win_rate_label(part: Part, speak: Language) -> str:
    """The share of games won against an opponent, a draw being half a win, with its interval: `50 % (9–91 %)`."""
    if not part.games:
        return "–"
    return f"{speak.number((part.won + part.drawn / 2) / part.games, '.0%')} ({percent_range(part.interval, speak)})"


def format_seconds(seconds: float, speak: Language) -> str:
    """Seconds with a useful number of digits: quick moves in thousandths, others in hundredths."""
    if seconds < 0.0005:
        return f"< {speak.number(0.001)}"
    return speak.number(seconds, ".3f" if seconds < 0.0995 else ".2f")
