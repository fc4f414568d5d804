"""The packages that a submission says it needs, wherever it says so. Nothing is ever installed."""

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader.records import Finding

MAX_BYTES = 100_000


def missing_packages(root: Path) -> list[Finding]:
    """A finding for each required package that is not installed here."""
    findings = []
    for file in sorted(root.rglob("requirements*.txt")):
        try:
            if not file.is_file() or file.stat().st_size > MAX_BYTES:
                continue
            lines = file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
        except OSError:
            continue
        for number, line in enumerate(lines, 1):
            package = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[|[=<>!~;#@]|$)", line)
            if package and not _installed(package[1]):
                findings.append(
                    Finding(
                        code="missing_package",
                        file=file.relative_to(root).as_posix(),
                        line=number,
                        text=f"The submission requires {package[1]}, which is not installed here.",
                        help="The instructor can install it for everybody; nothing is installed by itself.",
                    )
                )
    return findings


def _installed(package: str) -> bool:
    try:
        version(package)
    except (PackageNotFoundError, ValueError):
        return False
    return True
