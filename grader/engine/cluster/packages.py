"""Packages: submissions as zip files for other machines, packed once, keyed by their content, and unpacked on each worker.

Paths in a job are made portable before it is sent: those of a submission start with the digest of its package, those of a
reference player are relative to the folder in which every worker has it installed.
"""

import hashlib
import io
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from grader.engine.jobs import TrialJob, UnitJob
from grader.intake.submission import StagingFault
from grader.sandbox.private_copy import map_paths
from grader.sandbox.process import Seating


class Packages:
    """The submissions that have been packed so far, as files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._digests: dict[str, str] = {}

    def digest(self, root: str) -> str:
        """The digest of a submission's package, which is packed if it has not been yet."""
        if root not in self._digests:
            new = self._folder / "new"
            try:
                pack(Path(root), new)
                digest = hashlib.sha256(new.read_bytes()).hexdigest()
                new.replace(self._folder / digest)
            except OSError as error:
                raise StagingFault.cannot_write(self._folder, error) from error
            self._digests[root] = digest
        return self._digests[root]

    def __contains__(self, digest: str) -> bool:
        return digest in self._digests.values()

    def read_package(self, digest: str) -> bytes:
        """The bytes of a package."""
        return (self._folder / digest).read_bytes()

    def make_portable(self, seating: Seating) -> Seating:
        """Replace a seating's paths with ones that are valid on every machine."""
        root = PurePath(seating.entry["root"])
        base = PurePath() if seating.installed else PurePath(self.digest(str(root)), root.name)
        # It is unpacked into a folder without other submissions, so there is nothing to hide.
        entry = map_paths(seating.entry, lambda path: (base / PurePath(path).relative_to(root)).as_posix())
        return replace(seating, entry=entry, hidden=())


def localize(seating: Seating, packages: Path, references: Path) -> Seating:
    """Replace the paths of a portable seating with those of this machine."""
    base = references if seating.installed else packages
    return replace(seating, entry=map_paths(seating.entry, lambda path: str(base / path)))


def required_packages(job: TrialJob | UnitJob) -> set[str]:
    """The digests of the packages that a portable job needs."""
    seatings = [job.seating] if isinstance(job, TrialJob) else [seating for pair in job.seatings for seating in pair]
    return {seating.entry["root"].split("/")[0] for seating in seatings if not seating.installed}


def map_seatings(job: TrialJob | UnitJob, change: Callable[[Seating], Seating]) -> TrialJob | UnitJob:
    """The job with every seating replaced by `change(seating)`."""
    if isinstance(job, TrialJob):
        return replace(job, seating=change(job.seating))
    return replace(job, seatings=tuple((change(first), change(second)) for first, second in job.seatings))


def pack(root: Path, package: Path) -> None:
    """Zip a folder: the same bytes for the same content and name."""
    with ZipFile(package, "w", ZIP_DEFLATED) as archive:
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            member = ZipInfo(f"{root.name}/{path.relative_to(root).as_posix()}")
            member.compress_type = ZIP_DEFLATED
            with path.open("rb") as file, archive.open(member, "w") as target:
                shutil.copyfileobj(file, target)


def unpack(data: bytes, digest: str, folder: Path) -> None:
    """Unpack a package into a folder named after its digest: completely, or not at all."""
    if hashlib.sha256(data).hexdigest() != digest:
        raise ValueError(f"the content of the package {digest} does not match its digest")
    new = folder / f"{digest}.new"
    with ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(new)
    new.rename(folder / digest)
