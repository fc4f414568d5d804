"""`feedback/<id>.html`: what one student is told, with every game to step through and nothing about the others."""

from functools import partial

from grader.language import Language
from grader.reports.html import page
from grader.reports.html.replay import ReplayData, scripts, styles
from grader.reports.html.student import Student, explain_to_student, for_student, section, template_functions


def render(student: Student, speak: Language, *, isolation: str, reveal: bool) -> str:
    """The page of one student, without hidden opponents unless they are revealed."""
    told = for_student(student, reveal=reveal)
    explain = partial(explain_to_student, speak=speak)
    replays = ReplayData(speak, explain)
    replays.add(told.grade.id, told.grade.name, told.assignment, told.played)
    return page(
        "feedback.html.j2",
        speak,
        title=student.assignment.title,
        scripts=scripts([told.assignment]),
        styles=styles([told.assignment]),
        data=replays.as_data(),
        **template_functions(),
        section=section(told, explain),
        isolation=isolation,
    )
