"""Gradescope: `results.json` for one submission, valid even while games are still to be played."""

import json
from typing import Any

from grader import __version__
from grader.exports.exported_grades import ExportedGrade, GameStatus, total_seconds
from grader.language import Language, Message, say
from grader.reports.feedback import escape


def render(mark: ExportedGrade, speak: Language) -> str:
    """A submission's results so far: the points of what was played, and how much of it was not."""
    grade = mark.grade
    return _dump(
        {
            "score": max(0.0, mark.score),
            "execution_time": total_seconds(mark.games),
            "output": "\n\n".join(filter(None, [speak(_caution(mark)), _feedback(mark, speak)])),
            "output_format": "md",
            "test_output_format": "text",
            "test_name_format": "text",
            "visibility": "visible",
            # What is printed names hidden opponents and the machine.
            "stdout_visibility": "hidden",
            "extra_data": {
                "grader": __version__,
                "id": grade.id,
                "status": grade.status,
                "seed": mark.assignment.seed,
                "isolation": mark.isolation,
                "games_not_played": mark.unplayed_count,
            },
            "tests": [_test(mark, at, speak) for at in range(len(grade.parts))],
            "leaderboard": _leaderboard(mark, speak),
        }
    )


def render_without_games(why: Message, speak: Language) -> str:
    """The results of a submission of which nothing has been played: not yet, or because something went wrong."""
    return _dump(
        {
            "score": 0.0,
            "output": speak(why),
            "output_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": [],
        }
    )


def not_started_message() -> Message:
    """For the time before the first game, should all of it be over by then."""
    return say(
        "The games have not begun. If this stays, the time that Gradescope allows was over before the first game ended: "
        "that is nobody's fault here. Tell your instructor."
    )


def failure_message(error: str) -> Message:
    """For a fault that is not the student's."""
    return say("This could not be graded, through no fault of yours. Tell your instructor: {error}", error=error)


def _feedback(mark: ExportedGrade, speak: Language) -> str:
    """What the student is told; of who has submitted nothing, only that."""
    return (mark.feedback or {}).get(".md", "") or escape(speak(mark.grade.reason))


def _caution(mark: ExportedGrade) -> str:
    if not mark.unplayed_count or mark.grade.status == "disqualified":
        return ""
    return say(
        "**Not finished:** {unplayed} of {games} games have not been played, and count as nothing here. If this stays, the "
        "time that Gradescope allows was over, or they could not be played fairly: ask your instructor to run it again.",
        unplayed=mark.unplayed_count,
        games=len(mark.games),
    )


def _test(mark: ExportedGrade, at: int, speak: Language) -> dict[str, Any]:
    part = mark.grade.parts[at]
    own = mark.against(part.opponent)
    test = {
        "number": str(at + 1),
        "name": part.opponent,
        "score": part.points,
        "max_score": part.max_points,
        "status": "passed" if part.points >= part.max_points else "failed",
        "output": "\n".join(mark.describe(game, speak) for game in own),
        "visibility": "hidden" if part.hidden else "visible",
        "extra_data": {"won": part.won, "drawn": part.drawn, "lost": part.lost, "interval": list(part.interval)},
    }
    if any(game.status is GameStatus.UNPLAYED for game in own) and test["status"] == "failed":
        del test["status"]  # it is not decided
    return test


def _leaderboard(mark: ExportedGrade, speak: Language) -> list[dict[str, Any]]:
    board = [
        {"name": speak(say("Points")), "value": max(0.0, mark.score), "order": "desc"},
        {"name": speak(say("Games won")), "value": sum(part.won for part in mark.grade.parts), "order": "desc"},
    ]
    times = [charge.charged for game in mark.games for charge in game.charges]
    if times:  # who has not moved is not the fastest
        board.append({"name": speak(say("Slowest move (s)")), "value": round(max(times), 2), "order": "asc"})
    return board


def _dump(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
