"""`feedback/<id>.html`: what one student is told, with every game to step through and nothing about the others."""

from functools import partial

from grader.language import Language
from grader.reports.html import page
from grader.reports.html.replay import Album, scripts, styles
from grader.reports.html.student import Student, as_told_to_them, section, told_to_student, wording


def render(student: Student, speak: Language, *, isolation: str, reveal: bool) -> str:
    """The page of one student, without hidden opponents unless they are revealed."""
    told = as_told_to_them(student, reveal=reveal)
    explain = partial(told_to_student, speak=speak)
    album = Album(speak, explain)
    album.add(told)
    return page(
        "feedback.html.j2",
        speak,
        title=student.assignment.title,
        scripts=scripts([told]),
        styles=styles([told]),
        data=album.as_data(),
        **wording(),
        section=section(told, explain),
        isolation=isolation,
    )
