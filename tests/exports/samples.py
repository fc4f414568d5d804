"""Sample grades and platform downloads for the tests of the exports."""

import csv
import io
from collections.abc import Sequence

from grader.assignment import Assignment, Opponent
from grader.exports.exported_grades import ExportedGrade, exported_games
from grader.language import Language
from grader.records import Charge, Ending, Fault, MatchRecord, SeatReport, Turn
from grader.scoring.points import Grade, points_by_opponent
from tests.matches import planned as fixtures

ENGLISH = Language("en")

ASSIGNMENT = Assignment(
    title="Práctica 1",
    game="hex",
    opponents=(
        Opponent(player="random", points=10, games=2),
        Opponent(player="minimax", points=20, games=2, hidden=True),
    ),
)

HOSTILE = '=HYPERLINK("x")<script>&\x00\x1b]]>'
"""Text that a student might put into a file name or an exception."""


def crash(text: str = "It raised ZeroDivisionError in solution.py:4") -> Fault:
    """A player that raised an exception."""
    return Fault(ending=Ending.CRASH, text=text, help="Fix it.", where="solution.py:4", trace="solution.py:4: 1 / 0")


def played(seat: int, outcome: str, fault: Fault | None = None) -> MatchRecord:
    """A game that the student in this seat `won`, `lost` or `drew`."""
    charge = Charge(wall=0.5, cpu=0.4, waited=0.0, charged=0.4)
    winner = {"won": seat, "lost": 1 - seat, "drew": None}[outcome]
    return MatchRecord(
        game="hex",
        options={},
        seed=1,
        seats=(SeatReport(name="a", isolation="good"), SeatReport(name="b", isolation="good")),
        turns=(Turn(move="a1", charge=charge), Turn(move="b2", charge=charge)),
        ending=fault.ending if fault else "ply_limit" if winner is None else "connected",
        winner=winner,
        fault=fault,
        at_fault=seat if fault else None,
        last_charge=Charge(wall=9.0, cpu=8.0, waited=0.0, charged=8.0) if fault else None,
    )


def exported_grade(
    name: str = "101",
    outcomes: Sequence[str] = ("won", "lost", "won", "won"),
    *,
    fault: Fault | None = None,
    status: str = "graded",
    penalty: float = 0.0,
    members: tuple[str, ...] = (),
    display_name: str = "",
    reason: str = "",
) -> ExportedGrade:
    """A submission whose games ended like this, in fixture order; games beyond the list are not played."""
    planned = fixtures(ASSIGNMENT, name)
    results = {
        fixture.key: played(fixture.seat, outcome, fault if outcome == "lost" else None)
        for fixture, outcome in zip(planned, outcomes, strict=False)
    }
    parts = points_by_opponent(ASSIGNMENT, planned, results, unloadable=False)
    total = sum(part.points for part in parts)
    return ExportedGrade(
        grade=Grade(
            id=name,
            name=display_name or name,
            game="hex",
            score=round(total - penalty, 4) if len(results) == len(planned) else None,
            max_score=30,
            penalty=penalty,
            status=status if len(results) == len(planned) else "ungraded",
            reason=reason,
            parts=parts,
            partial_score=round(total - penalty, 4),
        ),
        assignment=ASSIGNMENT,
        games=exported_games(ASSIGNMENT, planned, results, unloadable=False),
        members=members,
        feedback={".md": f"# {display_name or name}\n"},
        isolation="good",
    )


SPANISH = (
    *("Identificador", "Nombre completo", "Dirección de correo", "Estado", "Calificación", "Calificación máxima"),
    *("La calificación puede ser cambiada", "Última modificación (entrega)", "Última modificación (calificación)"),
    "Comentarios de retroalimentación",
)
SUBMITTED = "lunes, 2 de marzo de 2026, 15:58"


def spanish_worksheet() -> bytes:
    """A worksheet as Moodle writes it for a teacher in Spain: BOM, Windows line endings, decimal commas."""
    return (
        b"\xef\xbb\xbf"
        + table(
            [
                SPANISH,
                _participant(101, "Ana Peña", "ana@uh.cu"),
                _participant(102, "José Ñandú Ibáñez", "jose@uh.cu", comment="<p>Visto, bien</p>"),
                _participant(999, "=cmd|' /C calc'!A0", "x@uh.cu", submitted="-"),
            ]
        ).encode()
    )


def _participant(number: int, name: str, mail: str, *, submitted: str = SUBMITTED, comment: str = "") -> Sequence[str]:
    return [f"Participante {number}", name, mail, "Enviado para calificar", "", "10,00", "Sí", submitted, "-", comment]


def table(rows: Sequence[Sequence[str]], separator: str = ",") -> str:
    """These rows as CSV, as platforms write it."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def rows(data: bytes, separator: str = ",") -> list[dict[str, str]]:
    """The rows of a CSV file, as a platform reads them."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=separator))
