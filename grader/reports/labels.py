"""Short texts that several reports share: findings, statuses, results, scores, names and times in a few words."""

from grader.assignment import MatchTime
from grader.language import Language, Message, say
from grader.records import Finding, MatchRecord
from grader.scoring.points import Grade

FINDINGS = {
    "archive_format": say("archive that is not unpacked"),
    "broken_zip": say("broken zip"),
    "chosen": say("one of several players"),
    "copy_left_out": say("copy left out"),
    "ctypes": say("machine code"),
    "disqualified": say("disqualified"),
    "empty_submission": say("empty"),
    "encrypted_zip": say("zip with a password"),
    "eval": say("code made while it plays"),
    "fewer_games": say("fewer games"),
    "files": say("writes files"),
    "files_beside": say("files beside it"),
    "forbidden_import": say("forbidden module"),
    "id_taken": say("id taken"),
    "import_time": say("work on import"),
    "input": say("waits for input"),
    "late": say("late"),
    "late_moves": say("late moves"),
    "latest_attempt": say("several attempts"),
    "link": say("link"),
    "load_error": say("cannot be loaded"),
    "long_name": say("name too long"),
    "missing_import": say("missing module"),
    "missing_package": say("missing package"),
    "missing_play": say("no play"),
    "nested_zips": say("zips in zips"),
    "network": say("network"),
    "no_player": say("no player"),
    "prints": say("prints"),
    "processes": say("processes"),
    "same_name": say("same name twice"),
    "several_players": say("several players"),
    "special_file": say("special file"),
    "syntax_error": say("syntax error"),
    "too_deep": say("folders too deep"),
    "too_large": say("too large"),
    "too_many_files": say("too many files"),
    "unreadable": say("unreadable file"),
    "unreadable_folder": say("unreadable folder"),
    "zip_bomb": say("zip bomb"),
    "zip_slip": say("zip that leaves its folder"),
}

STATUSES = {
    "graded": say("graded"),
    "disqualified": say("disqualified"),
    "missing": say("missing"),
    "ungraded": say("ungraded"),
    "excused": say("excused"),
}


def finding_label(code: str) -> str:
    """A kind of finding in two or three words; its code, if an older grader knew it and this one does not."""
    return FINDINGS.get(code, code)


def finding_place(finding: Finding) -> str:
    """The file and line that a finding is about, if it is about one."""
    return f"{finding.file}:{finding.line}" if finding.file and finding.line else finding.file or ""


def status_label(status: str) -> Message:
    """The status of a grade in a word."""
    return STATUSES[status]


def score_label(grade: Grade) -> str:
    """The points of a grade, of the points that there are."""
    return "–" if grade.score is None else f"{grade.score:g} / {grade.max_score:g}"


def result_label(record: MatchRecord, seat: int, speak: Language) -> str:
    """How a game went for a seat, in a word."""
    if record.winner is None:
        return speak.say("drawn")
    return speak.say("won") if record.winner == seat else speak.say("lost")


def name_with_id(name: str, id_: str) -> str:
    """Who it is: `Ana Pérez (ana)`, or only the id if there is no other name."""
    return id_ if name in ("", id_) else f"{name} ({id_})"


def time_limit_label(time: MatchTime) -> Message:
    """The time that a player has."""
    if time.move is not None:
        return say("{seconds:g} s a move", seconds=time.move)
    return say("{seconds:g} s a game", seconds=time.bank or 0.0)


def format_seconds(seconds: float) -> str:
    """Seconds with as many digits as tell something: quick moves in thousandths, others in hundredths."""
    if seconds < 0.0005:
        return "< 0.001"
    return f"{seconds:.3f}" if seconds < 0.0995 else f"{seconds:.2f}"
