"""Classes of submissions to compare."""

from pathlib import Path

from grader.similarity import Comparison, compare
from grader.similarity.documents import Document, handout_document, reference_documents
from tests.intake.collected import documents as read_documents

ROOT = Path(__file__).parents[2]
SHORTEST_PATH = (ROOT / "submissions/hex_shortest_path/solution.py").read_text(encoding="utf-8")
MINIMAX = (ROOT / "submissions/desconecta4_minimax/solution.py").read_text(encoding="utf-8")
TREE = (ROOT / "reference_players/mcts.py").read_text(encoding="utf-8")
"""As long as a whole student project."""


def folder(at: Path, sources: dict[str, str]) -> Path:
    """A class with these sources, each as the `solution.py` of a student."""
    for name, source in sources.items():
        (at / name).mkdir(parents=True)
        (at / name / "solution.py").write_text(source, encoding="utf-8")
    return at


def documents(at: Path, sources: dict[str, str]) -> list[Document]:
    return read_documents(folder(at / "class", sources), at / "staging")


def compared(
    at: Path, sources: dict[str, str], *, handout: str = "", known: bool = False, most: int = 50
) -> Comparison:
    """Compare a class; with `known`, also with the reference players."""
    handed_out = folder(at / "given", {"handout": handout})
    return compare(
        documents(at, sources),
        handout=[handout_document(handed_out)],
        references=reference_documents() if known else (),
        most=most,
    )


def pairs(comparison: Comparison) -> list[tuple[str, str]]:
    return [(match.first.id, match.second.id) for match in comparison.pairs]
