"""The packages that a submission says it needs, wherever it says so. Nothing is ever installed."""

import operator
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader.intake.files import printable_path
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
            for package in _required_packages(line):
                if not _is_installed(package):
                    findings.setdefault(package.lower(), _missing_package_finding(package, file, number))
    return list(findings.values())


def _lines(file: Path) -> list[str]:
    try:
        if file.stat().st_size > MAX_BYTES:
            return []
        data = file.read_bytes()
    except OSError:
        return []
    # `pip freeze > requirements.txt` in a Windows shell writes UTF-16.
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    return data.decode(encoding, "replace").splitlines()


def _path_inside(root: Path, file: Path) -> Path | None:
    full = (root / file).resolve()
    return full.relative_to(root) if full.is_relative_to(root) and full.is_file() else None


def _required_packages(line: str) -> Iterator[str]:
    """The package that a line of a list requires on this machine, if any."""
    wanted = re.split(r"(?:^|\s)#", line)[0].strip().rstrip("\\").strip()
    package = _PACKAGE.fullmatch(wanted)
    marker = wanted.partition(";")[2]
    if package and _is_applicable(marker):
        yield package[1]


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
        return bool(_COMPARE[asked[2]](_numbers(ours), _numbers(theirs)))
    return bool(_COMPARE[asked[2]](ours, theirs))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _is_installed(package: str) -> bool:
    if package in sys.stdlib_module_names:  # listed by mistake, and there all the same
        return True
    try:
        version(package)
    except (PackageNotFoundError, ValueError):
        return False
    return True


def _missing_package_finding(package: str, file: Path, line: int) -> Finding:
    return Finding(
        code="missing_package",
        file=printable_path(file),
        line=line,
        text=say("The submission requires {package}, which is not installed here.", package=package),
        help=say("The instructor can install it for everybody; nothing is installed by itself."),
    )
