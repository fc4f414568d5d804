"""From a run to what exports take: each submission with its grade, its games and its feedback."""

from grader.competition.grades import Graded
from grader.exports.exported_grades import ExportedGrade, exported_games
from grader.results.publish import SpeakFor, feedback_for, page_for


def marks(
    graded: Graded, speak_for: SpeakFor, *, reveal: bool = False, pages: bool = False
) -> tuple[ExportedGrade, ...]:
    """Everybody, those on the roster who submitted nothing included; with `pages`, also their feedback as HTML."""
    prepared = graded.prepared
    candidates = {candidate.id: candidate for candidate in prepared.candidates}
    found = []
    for grade in graded.grades:
        candidate = candidates.get(grade.id)
        if candidate is None:
            found.append(ExportedGrade(grade=grade, assignment=prepared.assignments[0]))
            continue
        assignment, planned = candidate.assignment, candidate.planned
        speak = speak_for(assignment)
        told = {".md": feedback_for(grade, candidate, graded, speak, reveal=reveal)}
        if pages:
            told[".html"] = page_for(grade, candidate, graded, speak, reveal=reveal)
        found.append(
            ExportedGrade(
                grade=grade,
                assignment=assignment,
                games=exported_games(assignment, planned, graded.results, unloadable=grade.id in graded.unloadable),
                members=candidate.submission.members,
                feedback=told,
                isolation=str(prepared.level),
            )
        )
    return tuple(found)
