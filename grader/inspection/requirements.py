"""The packages that a submission lists in `requirements.txt` or similar files. Nothing is ever installed."""

import operator
import platform
import re
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path

from grader.intake.files import decode_text, printable_path
from grader.language import say
from grader.records import Finding

MAX_BYTES = 100_000
MAX_LINE = 1_000
MAX_LISTS = 20
MAX_PACKAGES = 500
"""How many different packages are looked up, in all lists together."""
_LIST = re.compile(r"require?ments?.*\.txt|requerimientos.*\.txt|requisitos.*\.txt", re.IGNORECASE)
_PACKAGE = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?:[=<>!~@(;].*)?")
_MARKER = re.compile(r"\s*(\w+)\s*(==|!=|<=|>=|<|>)\s*['\"]([^'\"]*)['\"]\s*")
_COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def missing_packages(root: Path, files: Iterable[Path]) -> list[Finding]:
    """A finding for each package that these files require and that is not installed here, up to `MAX_PACKAGES` packages."""
    findings: dict[str, Finding] = {}
    pending = [file for file in files if _LIST.fullmatch(file.name)]
    checked: dict[str, bool] = {}
    for file in islice(pending, MAX_LISTS):  # grows: a requirements file may include another
        for number, line in enumerate(_lines(root / file), 1):
            if len(checked) >= MAX_PACKAGES:
                break
            if len(line) > MAX_LINE:
                continue
            included = re.match(r"\s*(?:-r|--requirement)[ =]*(\S+)", line)
            if included and (other := _path_inside(root, file.parent / included[1])) and other not in pending:
                pending.append(other)
            package = _required_package(line)
            if package is None:
                continue
            name = package.lower()
            if name not in checked:
                checked[name] = _is_installed(package)
            if not checked[name]:
                findings.setdefault(name, _missing_package_finding(package, file, number))
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
    try:
        full = (root / file).resolve()
        return full.relative_to(root) if full.is_relative_to(root) and full.is_file() else None
    except (OSError, ValueError, RuntimeError):  # a NUL, a name that is too long, or a circular link
        return None


def _required_package(line: str) -> str | None:
    """The package that a line requires on this machine, if any."""
    requirement = re.split(r"(?:^|\s)#", line)[0].strip().rstrip("\\").strip()
    package = _PACKAGE.fullmatch(requirement)
    return package[1] if package and _is_applicable(requirement.partition(";")[2]) else None


def _is_applicable(marker: str) -> bool:
    """Whether a marker (`sys_platform == "win32"`) is true here. A marker that is not understood counts as true."""
    match = _MARKER.fullmatch(marker)
    here = {
        "sys_platform": sys.platform,
        "platform_system": platform.system(),
        "python_version": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    if match is None or match[1] not in here:
        return True
    actual, required = here[match[1]], match[3]
    compare = _COMPARE[match[2]]
    if match[1] == "python_version":
        return bool(compare(_version(actual), _version(required)))
    return bool(compare(actual, required))


def _version(text: str) -> list[int]:
    """The numbers of a version; only their first digits, because longer numbers are attacks."""
    return [int(part[:9]) for part in re.findall(r"[0-9]+", text[:100])]


def _is_installed(package: str) -> bool:
    if package in sys.stdlib_module_names:  # listed by mistake; it is part of Python
        return True
    try:
        version(package)
    except (PackageNotFoundError, ValueError, OSError):
        return False
    return True


def _missing_package_finding(package: str, file: Path, line: int) -> Finding:
    text = say("The submission requires {package}, which is not installed here.", package=package)
    help_ = say("Do without it, or ask the instructor to install it for the whole course.")
    return Finding(code="missing_package", file=printable_path(file), line=line, text=text, help=help_)
