"""Build a wheel of the running grader, so that another machine uses exactly this version."""

import base64
import hashlib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

from grader.errors import GraderError
from grader.exports.zip_packing import pack_zip
from grader.language import say

PACKAGES = ("grader", "reference_players")
_EXCLUDED = ("__pycache__", ".pyc", ".po")


class NotInstalled(GraderError):
    """grader is not installed, so no wheel can be built from it."""


def build_wheel() -> tuple[str, bytes]:
    """Build a wheel of the installed grader and its reference players. Returns its file name and content."""
    try:
        installed = distribution("grader")
    except PackageNotFoundError as error:
        raise NotInstalled(
            say("grader is not installed, so it cannot be packaged. Run `pip install .` in its source folder first.")
        ) from error
    stem = f"grader-{installed.version}"
    content = {**dict(_module_files()), **_dist_info(installed, f"{stem}.dist-info")}
    record = f"{stem}.dist-info/RECORD"
    lines = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in sorted(content.items())]
    content[record] = "\n".join([*lines, f"{record},,"]).encode() + b"\n"
    return f"{stem}-py3-none-any.whl", pack_zip(content)


def _module_files() -> Iterator[tuple[str, bytes]]:
    for package in PACKAGES:
        folder = Path(str(files(package)))
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not any(part.endswith(_EXCLUDED) for part in file.relative_to(folder).parts):
                yield f"{package}/{file.relative_to(folder).as_posix()}", file.read_bytes()


def _dist_info(installed: Distribution, folder: str) -> dict[str, bytes]:
    return {
        f"{folder}/METADATA": (installed.read_text("METADATA") or installed.read_text("PKG-INFO") or "").encode(),
        f"{folder}/WHEEL": b"Wheel-Version: 1.0\nGenerator: grader\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{folder}/entry_points.txt": (installed.read_text("entry_points.txt") or "").encode(),
    }


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
