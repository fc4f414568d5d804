"""JUnit XML: one suite per submission, one test case per game.

A failure is a game that the student lost; an error is a player that crashed, or a game that the grader could not play.
Points are properties of the suite.
"""

from collections.abc import Sequence
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from grader.exports.exported_grades import ExportedGame, ExportedGrade, GameStatus, opponent_label, total_seconds
from grader.language import Language, say
from grader.reports.isolation import isolation_warning
from grader.reports.xlsx import clean_xml


def render(grades: Sequence[ExportedGrade], speak: Language, *, when: datetime, reveal: bool = False) -> str:
    """All submissions, sorted by id."""
    suites = [
        _suite(exported, speak, when, reveal=reveal)
        for exported in sorted(grades, key=lambda exported: exported.grade.id)
    ]
    root = Element("testsuites", name="grader")
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in suites)))
    root.set("time", f"{sum(total_seconds(exported.games) for exported in grades):.3f}")
    root.extend(suites)
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(exported: ExportedGrade, speak: Language, when: datetime, *, reveal: bool) -> Element:
    grade = exported.grade
    suite = Element(
        "testsuite", name=clean_xml(grade.id), timestamp=when.replace(tzinfo=None).isoformat(timespec="seconds")
    )
    _add_properties(suite, exported, speak, reveal=reveal)
    for game in exported.games:
        _add_game(suite, exported, game, speak, reveal=reveal)
    if not exported.games or grade.status == "disqualified":  # no game explains the grade
        case = _add_case(suite, exported, "submission", 0.0)
        if grade.status != "graded":
            _add_detail(case, "error" if grade.status == "ungraded" else "failure", grade.status, speak(grade.reason))
    suite.set("tests", str(len(suite.findall("testcase"))))
    for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(attribute, str(len(suite.findall(f"testcase/{kind}"))))
    suite.set("time", f"{total_seconds(exported.games):.3f}")
    return suite


def _add_properties(suite: Element, exported: ExportedGrade, speak: Language, *, reveal: bool) -> None:
    grade = exported.grade
    values = {
        "student": grade.name,
        "status": grade.status,
        "score": "" if grade.score is None else f"{grade.score:g}",
        "max_score": f"{grade.max_score:g}",
        "penalty": f"{grade.penalty:g}",
    }
    if grade.passed is not None:
        values["passed"] = str(grade.passed).lower()
    for number, part in enumerate(grade.parts, 1):
        values[f"points.{speak(opponent_label(part, number, reveal=reveal))}"] = f"{part.points:g}/{part.max_points:g}"
    if (warning := isolation_warning(exported.isolation)) is not None:
        values["isolation_warning"] = speak(warning)
    properties = SubElement(suite, "properties")
    for name, value in values.items():
        SubElement(properties, "property", name=clean_xml(name), value=clean_xml(value))


def _add_game(suite: Element, exported: ExportedGrade, game: ExportedGame, speak: Language, *, reveal: bool) -> None:
    at, part = next(
        (at, part) for at, part in enumerate(exported.grade.parts, 1) if part.opponent == game.fixture.opponent
    )
    opponent = speak(opponent_label(part, at, reveal=reveal))
    name = speak(say("game {number} against {opponent}", number=game.fixture.number + 1, opponent=opponent))
    case = _add_case(suite, exported, name, total_seconds([game]))
    hidden = part.hidden and not reveal
    text = exported.describe(game, speak, hidden=hidden)
    if game.status is GameStatus.SKIPPED:
        SubElement(case, "skipped", message=clean_xml(text))
    elif game.status is GameStatus.UNPLAYED:
        _add_detail(case, "error", "unplayed", text)
    elif game.crashed or game.status is GameStatus.LOST:
        kind = "hidden" if hidden else "load_error" if game.record is None else str(game.record.ending)
        trace = game.record.fault.trace if not hidden and game.record and game.record.fault else ""
        _add_detail(case, "error" if game.crashed else "failure", kind, text, trace)


def _add_case(suite: Element, exported: ExportedGrade, name: str, time: float) -> Element:
    classname = f"{exported.assignment.rules.name}.{exported.grade.id}"
    return SubElement(suite, "testcase", classname=clean_xml(classname), name=clean_xml(name), time=f"{time:.3f}")


def _add_detail(case: Element, element: str, kind: str, text: str, trace: str = "") -> None:
    detail = SubElement(case, element, type=kind, message=clean_xml(text))
    detail.text = clean_xml(trace or text)
