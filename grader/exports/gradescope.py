"""Gradescope: `results.json` for one submission, valid even before all its games have been played."""

import json
from typing import Any

from grader import __version__
from grader.exports.exported_grades import ExportedGrade, GameStatus, total_seconds
from grader.language import Language, Message, say
from grader.reports.feedback import escape
from grader.reports.second_person import to_student


def render(exported: ExportedGrade, speak: Language) -> str:
    """A submission's results so far, for the student: the points of the games played, and how many games are missing."""
    grade, speak = exported.grade, to_student(speak)
    if grade.is_unassessed:
        return _dump(_without_score(_feedback(exported, speak), "md"))
    return _dump(
        {
            "score": max(0.0, exported.score),
            "execution_time": total_seconds(exported.games),
            "output": "\n\n".join(filter(None, [speak(_caution(exported)), _feedback(exported, speak)])),
            "output_format": "md",
            "test_output_format": "text",
            "test_name_format": "text",
            "visibility": "visible",
            # The output of the command names hidden opponents and the machine.
            "stdout_visibility": "hidden",
            "extra_data": {
                "grader": __version__,
                "id": grade.id,
                "status": grade.status,
                **({} if grade.pass_mark is None else {"passed": grade.passed}),
                "isolation": exported.isolation,
                "games_not_played": exported.unplayed_count,
            },
            "tests": [_test(exported, at, speak) for at in range(len(grade.parts))],
            "leaderboard": _leaderboard(exported, speak),
        }
    )


def render_without_games(why: Message, speak: Language) -> str:
    """The results of a submission without any games played, either not yet or because of an error."""
    return _dump({"score": 0.0, **_without_score(speak(why), "text")})


def _without_score(output: str, kind: str) -> dict[str, Any]:
    """Results that Gradescope shows but cannot count: an unknown grade must not become a zero."""
    return {
        "output": output,
        "output_format": kind,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [],
    }


def not_started_message() -> Message:
    """Shown until the first game is finished, and for good if Gradescope's time limit ends before that."""
    return say(
        "No game has finished yet. If this message does not go away, Gradescope's time limit was too short. This is "
        "not your fault: tell your instructor."
    )


def failure_message(error: str) -> Message:
    """Shown after an error that is not the student's."""
    return say(
        "Your submission could not be graded. This is not your fault. Tell your instructor: {error}", error=error
    )


def _feedback(exported: ExportedGrade, speak: Language) -> str:
    """The student's feedback; without a submission, just the reason for the grade."""
    return (exported.feedback or {}).get(".md", "") or escape(speak(exported.grade.reason))


def _caution(exported: ExportedGrade) -> str:
    if not exported.unplayed_count or exported.grade.status == "disqualified":
        return ""
    return say(
        "**Incomplete:** {unplayed} of {n} game has not been played and counts as zero for now. If this message "
        "does not go away, Gradescope's time limit ran out or the game could not be played fairly: ask your "
        "instructor to run it again.",
        "**Incomplete:** {unplayed} of {n} games have not been played and count as zero for now. If this message "
        "does not go away, Gradescope's time limit ran out or the games could not be played fairly: ask your "
        "instructor to run it again.",
        unplayed=exported.unplayed_count,
        n=len(exported.games),
    )


def _test(exported: ExportedGrade, at: int, speak: Language) -> dict[str, Any]:
    part = exported.grade.parts[at]
    own = exported.against(part.opponent)
    test = {
        "number": str(at + 1),
        "name": part.opponent,
        "score": part.points,
        "max_score": part.max_points,
        "status": "passed" if part.points >= part.max_points else "failed",
        "output": "\n".join(exported.describe(game, speak) for game in own),
        "visibility": "hidden" if part.hidden else "visible",
        "extra_data": {"won": part.won, "drawn": part.drawn, "lost": part.lost, "interval": list(part.interval)},
    }
    if any(game.status is GameStatus.UNPLAYED for game in own) and test["status"] == "failed":
        del test["status"]  # undecided until all games have been played
    return test


def _leaderboard(exported: ExportedGrade, speak: Language) -> list[dict[str, Any]]:
    board = [
        {"name": speak(say("Points")), "value": max(0.0, exported.score), "order": "desc"},
        {"name": speak(say("Games won")), "value": sum(part.won for part in exported.grade.parts), "order": "desc"},
    ]
    times = [charge.charged for game in exported.games for charge in game.charges]
    if times:  # a player that never moved must not rank as the fastest
        board.append({"name": speak(say("Slowest move (s)")), "value": round(max(times), 2), "order": "asc"})
    return board


def _dump(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
