"""Packages: submissions on their way to a worker."""

from pathlib import Path
from unittest.mock import Mock, patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.engine.cluster import codec
from grader.engine.cluster.packages import Packages, localize, map_seatings, pack, required_packages, unpack
from grader.engine.jobs import TrialJob, UnitJob
from grader.games import make_game
from grader.inspection.entry import find_entry
from grader.inspection.players import reference_player
from grader.intake.submission import StagingFault
from grader.sandbox.limits import Limits
from grader.sandbox.process import Seating
from tests.workflow.folders import FIRST

NAMES = st.text(st.characters(exclude_categories=["C"], exclude_characters="/"), min_size=1, max_size=20).filter(
    lambda name: name not in (".", "..")
)


def write_files(root: Path, files: dict[str, bytes]) -> None:
    root.mkdir(parents=True)
    for name, content in files.items():
        (root / name).write_bytes(content)


def read_files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@given(st.dictionaries(NAMES, st.binary(max_size=200), min_size=1, max_size=4))
def test_unpacking_restores_the_packed_files(tmp_path_factory, files):
    at = tmp_path_factory.mktemp("package")
    write_files(at / "peña", files)
    packages = Packages(at)
    digest = packages.digest(str(at / "peña"))
    unpack(packages.read_package(digest), digest, at / "there")

    assert read_files(at / "there" / digest / "peña") == files


def test_equal_content_gives_equal_packages_and_other_content_does_not(tmp_path):
    for name, content in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        write_files(tmp_path / name / "ana", {"solution.py": content})
        pack(tmp_path / name / "ana", tmp_path / f"{name}.zip")
    one, two, other = ((tmp_path / f"{name}.zip").read_bytes() for name in "abc")

    assert one == two != other


def test_a_package_that_cannot_be_written_is_reported(tmp_path):
    write_files(tmp_path / "ana", {"solution.py": b"1"})

    with pytest.raises(StagingFault, match=r"cannot be written: .*Free some space there"):
        Packages(tmp_path / "nowhere").digest(str(tmp_path / "ana"))


def test_a_package_that_does_not_match_its_digest_is_refused(tmp_path):
    with pytest.raises(ValueError, match="does not match its digest"):
        unpack(b"anything", "0" * 64, tmp_path)

    assert not list(tmp_path.iterdir())


def seatings(root: Path) -> tuple[Seating, Seating]:
    write_files(root, {"solution.py": FIRST.encode()})
    entry, _ = find_entry(root)
    rival = reference_player("random").entry
    assert entry is not None and rival is not None
    own = Seating(name="ana", entry=entry.as_order(), player_id=1, seed=0)
    return own, Seating(name="random", entry=rival.as_order(), player_id=2, seed=0, reference=True, installed=True)


def test_a_portable_job_refers_to_the_same_files_on_another_machine(tmp_path):
    own, rival = seatings(tmp_path / "staging/ana")
    packages = Packages(tmp_path)
    job = UnitJob(keys=("k",), seeds=(0,), game=make_game("hex", {}), seatings=((own, rival),), limits=Limits())
    away = map_seatings(job, packages.make_portable)
    (digest,) = required_packages(away)
    there = map_seatings(away, lambda seating: localize(seating, tmp_path / "cache", Path("/site-packages")))

    assert isinstance(away, UnitJob) and isinstance(there, UnitJob)
    assert str(tmp_path) not in str(away)
    ((own, rival),) = there.seatings
    assert own.entry["file"] == str(tmp_path / "cache" / digest / "ana/solution.py")
    assert own.entry["readable"] == [str(tmp_path / "cache" / digest / "ana")]
    assert rival.entry["file"] == "/site-packages/reference_players/random.py"
    assert rival.entry["paths"] == ["/site-packages"]


def test_a_trial_needs_the_package_of_its_player(tmp_path):
    own, _ = seatings(tmp_path / "staging/ana")
    packages = Packages(tmp_path)
    job = map_seatings(TrialJob(seating=own, game=make_game("hex", {}), limits=Limits()), packages.make_portable)

    assert required_packages(job) == {packages.digest(str(tmp_path / "staging/ana"))}


def test_only_packed_submissions_are_sent(tmp_path):
    own, _ = seatings(tmp_path / "staging/ana")
    packages = Packages(tmp_path)
    digest = packages.digest(str(own.entry["root"]))

    assert digest in packages
    assert "/etc/passwd" not in packages and "../secret" not in packages


def test_a_session_that_is_over_plays_nothing(tmp_path):
    """Its folder is gone, and a player whose files are missing would lose."""
    pytest.importorskip("distributed")
    from grader.engine.cluster.worker import Session

    own, _ = seatings(tmp_path / "staging/ana")
    packages = Packages(tmp_path)
    job = map_seatings(TrialJob(seating=own, game=make_game("hex", {}), limits=Limits()), packages.make_portable)
    session, timer = Session("run", 0), Mock()
    with patch("asyncio.get_running_loop", return_value=Mock(call_later=lambda *_: timer)):
        session.setup(Mock())
    (digest,) = required_packages(job)
    session.store_package(digest, packages.read_package(digest))
    with patch.object(Session, "_kept_pool", side_effect=AssertionError("it plays")):
        session.teardown(Mock())
        session._packages = tmp_path  # as if it had ended while its files were being looked for
        answer = codec.decode_answer(session.perform(print, job, "tcp://a:1"))

    assert answer == codec.UnknownRun("tcp://a:1")
