"""The packages that a submission says it needs, wherever it says so. Nothing is ever installed."""

import operator
import platform
import re
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader.intake.files import decode_text, printable_path
from grader.language import say
from grader.records import Finding

MAX_BYTES = 100_000
_LIST = re.compile(r"require?ments?.*\.txt|requerimientos.*\.txt|requisitos.*\.txt", re.IGNORECASE)
_PACKAGE = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?:[=<>!~@(;].*)?")
_MARKER = re.compile(r"\s*(\w+)\s*(==|!=|<=|>=|<|>)\s*['\"]([^'\"]*)['\"]\s*")
_COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def missing_packages(root: Path, files: Iterable[Path]) -> list[Finding]:
    """A finding for each package that a list among these files requires and that is not installed here."""
    findings: dict[str, Finding] = {}
    waiting = [file for file in files if _LIST.fullmatch(file.name)]
    for file in waiting:  # grows: a list may name another
        for number, line in enumerate(_lines(root / file), 1):
            included = re.match(r"\s*(?:-r|--requirement)[ =]*(\S+)", line)
            if included and (other := _path_inside(root, file.parent / included[1])) and other not in waiting:
                waiting.append(other)
            package = _required_package(line)
            if package is not None and not _is_installed(package):
                findings.setdefault(package.lower(), _missing_package_finding(package, file, number))
    return list(findings.values())


def _lines(file: Path) -> list[str]:
    try:
        if file.stat().st_size > MAX_BYTES:
            return []
        data = file.read_bytes()
    except OSError:
        return []
    return decode_text(data).splitlines()  # `pip freeze > requirements.txt` in a Windows shell writes UTF-16


def _path_inside(root: Path, file: Path) -> Path | None:
    full = (root / file).resolve()
    return full.relative_to(root) if full.is_relative_to(root) and full.is_file() else None


def _required_package(line: str) -> str | None:
    """The package that a line of a list requires on this machine, if any."""
    wanted = re.split(r"(?:^|\s)#", line)[0].strip().rstrip("\\").strip()
    package = _PACKAGE.fullmatch(wanted)
    return package[1] if package and _is_applicable(wanted.partition(";")[2]) else None


def _is_applicable(marker: str) -> bool:
    """Whether a marker (`sys_platform == "win32"`) is true here. One that is not understood is taken to be."""
    asked = _MARKER.fullmatch(marker)
    here = {
        "sys_platform": sys.platform,
        "platform_system": platform.system(),
        "python_version": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    if asked is None or asked[1] not in here:
        return True
    ours, theirs = here[asked[1]], asked[3]
    if asked[1] == "python_version":
        return bool(_COMPARE[asked[2]](*([int(part) for part in re.findall(r"\d+", text)] for text in (ours, theirs))))
    return bool(_COMPARE[asked[2]](ours, theirs))


def _is_installed(package: str) -> bool:
    if package in sys.stdlib_module_names:  # listed by mistake, and there all the same
        return True
    try:
        version(package)
    except (PackageNotFoundError, ValueError):
        return False
    return True


def _missing_package_finding(package: str, file: Path, line: int) -> Finding:
    text = say("The submission requires {package}, which is not installed here.", package=package)
    help_ = say("The instructor can install it for everybody; nothing is installed by itself.")
    return Finding(code="missing_package", file=printable_path(file), line=line, text=text, help=help_)
