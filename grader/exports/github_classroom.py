"""GitHub Classroom: the results file that its autograding reporter reads.

The reporter reads `<RUNNER>_RESULTS`, sums up `tests[].score` and prints `Points X/Y`. It requires particular names for the
workflow and its job.
"""

import base64
import json
from typing import Any

from grader.assignment.opponents import total_points
from grader.exports.exported_grades import ExportedGrade, GameStatus, opponent_label, total_seconds
from grader.exports.numbers import scale_score
from grader.language import Language, say
from grader.reports.labels import status_label
from grader.reports.second_person import to_student
from grader.scoring.points import Part, exact


def render(exported: ExportedGrade, speak: Language, *, reveal: bool = False) -> str:
    """One submission as JSON, for the student. A penalty is a separate test, so that the scores add up to the grade."""
    speak = to_student(speak)
    tests = [_test(exported, at, speak, reveal=reveal) for at in range(len(exported.grade.parts))]
    if exported.grade.penalty:
        late = speak(say("Your submission was late."))
        tests.append(_entry(speak(say("late submission")), "fail", late, score=-exported.grade.penalty))
    statuses = {test["status"] for test in tests}
    if rest := exact(exported.score) - sum(exact(test["score"]) for test in tests):
        rounded = speak(say("So that the scores add up to the rounded score."))
        tests.append(_entry(speak(say("rounding")), "pass", rounded, score=float(rest)))
    status = (
        "error" if exported.grade.score is None or "error" in statuses else "fail" if "fail" in statuses else "pass"
    )
    if exported.grade.status == "excused":
        status = "pass"
    if exported.grade.status in ("disqualified", "missing"):
        status = "fail"
        tests.append(_entry(speak(status_label(exported.grade.status)), "fail", speak(exported.grade.reason)))
    content = {"version": 1, "status": status, "max_score": exported.grade.max_score, "tests": tests}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def encode(rendered: str) -> str:
    """The results in base64, as the reporter expects them in the environment."""
    return base64.b64encode(rendered.encode("utf-8", "replace")).decode()


def _test(exported: ExportedGrade, at: int, speak: Language, *, reveal: bool) -> dict[str, Any]:
    part = exported.grade.parts[at]
    own = exported.against(part.opponent)
    hidden = part.hidden and not reveal
    lines = [exported.describe(game, speak, hidden=hidden) for game in own]
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
        score=_scaled(exported, part),
        time=total_seconds(own),
        file="" if hidden else file,
        line=int(line) if line.isdecimal() and not hidden else 0,
    )


def _scaled(exported: ExportedGrade, part: Part) -> float:
    """The points against an opponent on the scale of the score, because the reporter only adds them up."""
    if exported.assignment.maximum is None:
        return part.points
    return scale_score(part.points, total_points(exported.assignment.opponents), exported.assignment.maximum)


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
