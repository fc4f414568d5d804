"""GitHub Classroom: the results file that its autograding reporter reads.

The reporter of Classroom reads `<RUNNER>_RESULTS`, sums `tests[].score` and prints `Points X/Y`; it insists on the names
of the workflow and of its job.
"""

import base64
import json
from typing import Any

from grader.exports.exported_grades import ExportedGrade, GameStatus, opponent_label, total_seconds
from grader.language import Language, say
from grader.reports.labels import status_label


def render(mark: ExportedGrade, speak: Language, *, reveal: bool = False) -> str:
    """One submission, as JSON. A penalty is a test of its own, so that the scores add up to the grade."""
    tests = [_test(mark, at, speak, reveal=reveal) for at in range(len(mark.grade.parts))]
    if mark.grade.penalty:
        late = speak(say("The submission came late."))
        tests.append(_entry(speak(say("late submission")), "fail", late, score=-mark.grade.penalty))
    statuses = {test["status"] for test in tests}
    status = "error" if mark.grade.score is None or "error" in statuses else "fail" if "fail" in statuses else "pass"
    if mark.grade.status == "excused":
        status = "pass"
    if mark.grade.status in ("disqualified", "missing"):
        status = "fail"
        tests.append(_entry(speak(status_label(mark.grade.status)), "fail", speak(mark.grade.reason)))
    content = {"version": 1, "status": status, "max_score": mark.grade.max_score, "tests": tests}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def encode(rendered: str) -> str:
    """As the reporter wants it in the environment."""
    return base64.b64encode(rendered.encode()).decode()


def _test(mark: ExportedGrade, at: int, speak: Language, *, reveal: bool) -> dict[str, Any]:
    part = mark.grade.parts[at]
    own = mark.against(part.opponent)
    hidden = part.hidden and not reveal
    lines = [mark.describe(game, speak, hidden=hidden) for game in own]
    if any(game.status is GameStatus.UNPLAYED or game.crashed for game in own):
        status = "error"
    else:
        status = "pass" if part.points >= part.max_points else "fail"
    record = next((game.record for game in own if game.crashed and game.record is not None), None)
    file, _, line = (record.fault.where or "" if record and record.fault else "").rpartition(":")
    return _entry(
        speak(opponent_label(part, at + 1, reveal=reveal)),
        status,
        "\n".join(lines),
        score=part.points,
        time=total_seconds(own),
        file="" if hidden else file,
        line=int(line) if line.isdecimal() and not hidden else 0,
    )


def _entry(
    name: str, status: str, message: str, *, score: float = 0.0, time: float = 0.0, file: str = "", line: int = 0
) -> dict[str, Any]:
    return {
        "name": name,
        "status": status,
        "message": message,
        "test_code": "",
        "filename": file,
        "line_no": line,
        "execution_time": time,
        "score": score,
    }
