"""`feedback/<id>.html`: the feedback for one student, with replays of all games and nothing about the others."""

from functools import partial

from grader.language import Language
from grader.reports.conditions import board_label, format_date, score_label
from grader.reports.html import page
from grader.reports.html.replay import ReplayData, scripts, styles
from grader.reports.html.student import Student, explain_to_student, for_student, section, template_functions
from grader.reports.second_person import to_student


def render(
    student: Student, speak: Language, *, isolation: str, reveal: bool, seal: str = "", finished: str = ""
) -> str:
    """The page of one student, without hidden opponents unless they are revealed."""
    speak = to_student(speak)
    visible = for_student(student, reveal=reveal)
    grade, assignment = visible.grade, visible.assignment
    explain = partial(explain_to_student, speak=speak)
    replays = ReplayData(speak, explain, exports=True)
    replays.add(grade.id, grade.name, assignment, visible.played, known=grade.findings, entry=grade.entry)
    return page(
        "feedback.html.j2",
        speak,
        title=assignment.title,
        scripts=scripts([assignment]),
        styles=styles([assignment]),
        data=replays.as_data(),
        student_data=replays.games_by_student(),
        **template_functions(speak),
        section=section(visible, explain),
        isolation=isolation,
        finished=format_date(finished),
        rules=board_label(assignment, speak),
        score=score_label(assignment, speak),
        seal=seal,
    )
