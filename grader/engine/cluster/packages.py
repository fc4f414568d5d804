"""Submissions on their way to other machines: packed once, known by what they hold, unpacked where they are played.

Paths in a job are made portable before it leaves: those of a submission begin with the digest of its parcel, those of a
reference player with its package, which every worker has itself.
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
from grader.sandbox.process import Seating


class Parcels:
    """The submissions that have been packed so far, as files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._digests: dict[str, str] = {}

    def digest(self, root: str) -> str:
        """What a submission's folder holds, which is packed if it has not been yet."""
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

    def read(self, digest: str) -> bytes:
        """What to send."""
        return (self._folder / digest).read_bytes()

    def portable(self, seating: Seating) -> Seating:
        """The same with paths that mean something on every machine."""
        root = PurePath(seating.entry["root"])
        base = PurePath() if seating.installed else PurePath(self.digest(str(root)), root.name)
        # Nothing lies beside a submission where it is unpacked, so there is nothing to hide.
        return replace(_moved(seating, lambda path: (base / PurePath(path).relative_to(root)).as_posix()), hidden=())


def settled(seating: Seating, parcels: Path, references: Path) -> Seating:
    """A portable seating on the machine where it is played."""
    base = references if seating.installed else parcels
    return _moved(seating, lambda path: str(base / path))


def needed(job: TrialJob | UnitJob) -> set[str]:
    """The digests of the parcels without which a portable job cannot be played."""
    roots = (seating.entry["root"] for seating in _seatings(job) if not seating.installed)
    return {root.split("/")[0] for root in roots}


def reseated(job: TrialJob | UnitJob, seat: Callable[[Seating], Seating]) -> TrialJob | UnitJob:
    """A job with every seating changed."""
    if isinstance(job, TrialJob):
        return replace(job, seating=seat(job.seating))
    return replace(job, seatings=tuple((seat(first), seat(second)) for first, second in job.seatings))


def pack(root: Path, parcel: Path) -> None:
    """Put a folder into a zip, the same bytes for the same content and name."""
    with ZipFile(parcel, "w", ZIP_DEFLATED) as packed:
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            member = ZipInfo(f"{root.name}/{path.relative_to(root).as_posix()}")
            member.compress_type = ZIP_DEFLATED
            with path.open("rb") as file, packed.open(member, "w") as target:
                shutil.copyfileobj(file, target)


def unpack(data: bytes, digest: str, folder: Path) -> None:
    """Unpack a parcel below a folder, under its digest: whole, or not at all."""
    if hashlib.sha256(data).hexdigest() != digest:
        raise ValueError(f"the parcel {digest} holds something else")
    new = folder / f"{digest}.new"
    with ZipFile(io.BytesIO(data)) as packed:
        packed.extractall(new)
    new.rename(folder / digest)


def _seatings(job: TrialJob | UnitJob) -> list[Seating]:
    if isinstance(job, TrialJob):
        return [job.seating]
    return [seating for pair in job.seatings for seating in pair]


def _moved(seating: Seating, move: Callable[[str], str]) -> Seating:
    """With every path of its entry moved."""
    entry = seating.entry
    moved = {
        "root": move(entry["root"]),
        "file": move(entry["file"]),
        "paths": [move(path) for path in entry["paths"]],
        "stubs": [[move(file), name] for file, name in entry["stubs"]],
        "readable": [move(path) for path in entry["readable"]],
    }
    return replace(seating, entry={**entry, **moved})
