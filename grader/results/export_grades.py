"""From a run to what exports take: each submission with its grade, its games and its feedback."""

from grader.competition.grades import RunResult
from grader.exports.exported_grades import ExportedGrade, exported_games
from grader.results.publish import SpeakFor, feedback_files


def export_grades(
    result: RunResult, speak_for: SpeakFor, *, reveal: bool = False, pages: bool = False
) -> tuple[ExportedGrade, ...]:
    """Every grade, those of students who submitted nothing included; with `pages`, also their feedback as HTML."""
    prepared, competition = result.prepared, result.competition
    entrants = {entrant.id: entrant for entrant in prepared.entrants}
    found = []
    for grade in result.grades:
        entrant = entrants.get(grade.id)
        if entrant is None:
            found.append(ExportedGrade(grade=grade, assignment=prepared.assignments[0]))
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
                isolation=str(prepared.level),
            )
        )
    return tuple(found)
