"""Create classes of trivial players, so that the benchmark measures the grader itself."""

from pathlib import Path


def write_class(at: Path, submissions: int, player: str, assignment: str) -> Path:
    """A folder with an assignment and this number of submissions; `{number}` in the source becomes the submission's number."""
    for number in range(submissions):
        own = at / f"s{number:03}"
        own.mkdir(parents=True)
        (own / "solution.py").write_text(player.format(number=number), encoding="utf-8")
    (at / "assignment.yaml").write_text(assignment, encoding="utf-8")
    return at
