"""Convert a run to the input of the exports: each submission with its grade, games and feedback."""

from grader.competition.grades import RunResult
from grader.exports.exported_grades import ExportedGrade, exported_games
from grader.results.publish import SpeakFor, feedback_files


def export_grades(
    result: RunResult, speak_for: SpeakFor, *, reveal: bool = False, pages: bool = False
) -> tuple[ExportedGrade, ...]:
    """All grades, including those of students without a submission; with `pages`, the feedback also as HTML."""
    setup, competition = result.setup, result.competition
    entrants = {entrant.id: entrant for entrant in setup.entrants}
    found = []
    for grade in result.grades:
        entrant = entrants.get(grade.id)
        if entrant is None:
            found.append(ExportedGrade(grade=grade, assignment=setup.assignments[0], isolation=str(setup.level)))
            continue
        assignment, planned = entrant.assignment, competition.fixtures_of(entrant.id)
        found.append(
            ExportedGrade(
                grade=grade,
                assignment=assignment,
                games=exported_games(
                    assignment, planned, competition.results, unloadable=grade.id in competition.unloadable
                ),
                members=entrant.submission.members,
                feedback=feedback_files(grade, entrant, result, speak_for(assignment), reveal=reveal, pages=pages),
                isolation=str(setup.level),
            )
        )
    return tuple(found)
