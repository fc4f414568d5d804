"""Hostile zips are refused without affecting other submissions, and nothing is written outside the staging folder."""

import io
import random
import struct
import tempfile
import zipfile
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.intake.archive import open_zip, safe_parts
from grader.intake.file_tree import FileNode, Refusal
from tests.intake.collected import collect
from tests.intake.folders import PLAYER
from tests.intake.zips import DEVICE, LINK, PIPE, locked, put, raw_zip, tree, with_mode, zipped

SLIPS = [
    "../evil.py",
    "../student_02x/evil.py",
    "../staging-evil/evil.py",
    "a/../../evil.py",
    "/tmp/evil.py",
    "//server/evil.py",
    "C:/evil.py",
    "C:evil.py",
    "..\\evil.py",
    "a\\..\\..\\evil.py",
    "\\evil.py",
    "\\\\server\\share\\evil.py",
    ".git/../../evil.py",
    "evil\0.py",
]


def bomb(size: int = 60_000_000) -> bytes:
    return zipped({"solution.py": PLAYER, "zeros": b"\0" * size})


def noise() -> bytes:
    """More bytes than allowed, compressed less than a bomb."""
    data = io.BytesIO()
    part = random.Random(1).randbytes(300_000) + b"\0" * 9_700_000
    with zipfile.ZipFile(data, "w") as archive:
        for number in range(21):
            archive.writestr(f"{number}.bin", part, zipfile.ZIP_DEFLATED, 1)
    return data.getvalue()


def lying(files) -> bytes:
    """A zip that claims that each of its files is small."""
    data = bytearray(zipped(files))
    at = data.find(b"PK\x01\x02")
    while at >= 0:
        data[at + 24 : at + 28] = struct.pack("<I", 10)
        at = data.find(b"PK\x01\x02", at + 1)
    return bytes(data)


def quine() -> bytes:
    """Zips nested deeper than in any honest submission."""
    data = zipped({"solution.py": PLAYER})
    for _ in range(12):
        data = zipped({"again.zip": data})
    return data


def endless_directory() -> bytes:
    """A table of contents that is larger than in the download of any class."""
    data = io.BytesIO()
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"x"
    count = 9_000_000 // len(entry)
    data.write(entry * count)
    data.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, count * len(entry), 0, 0))
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        *(pytest.param(raw_zip({"solution.py": b"", name: b"evil"}), "zip_slip", id=repr(name)) for name in SLIPS),
        pytest.param(bomb, "zip_bomb", id="bomb"),
        pytest.param(lambda: zipped({"a.zip": zipped({"b.zip": bomb()})}), "zip_bomb", id="bomb in a zip in a zip"),
        pytest.param(noise, "too_large", id="more than the limit"),
        pytest.param(lying({"solution.py": PLAYER * 100}), "broken_zip", id="sizes that lie"),
        pytest.param(quine(), "nested_zips", id="zips without end"),
        pytest.param(
            lambda: zipped({f"{at}.zip": zipped({"a": ""}) for at in range(300)}), "nested_zips", id="300 zips"
        ),
        pytest.param(endless_directory, "broken_zip", id="a table of contents without end"),
        pytest.param(with_mode("more.py", LINK), "link", id="link"),
        pytest.param(with_mode("more", DEVICE), "special_file", id="device"),
        pytest.param(with_mode("more", PIPE), "special_file", id="pipe"),
        pytest.param(locked({"solution.py": PLAYER}), "encrypted_zip", id="password"),
        pytest.param(b"this is not a zip", "broken_zip", id="not a zip"),
        pytest.param(b"", "broken_zip", id="no bytes"),
        pytest.param(zipped({"solution.py": PLAYER * 50})[:-40], "broken_zip", id="half a zip"),
        pytest.param(raw_zip({"a": b"", "a/solution.py": b""}), "broken_zip", id="a file and a folder of one name"),
    ],
)
def test_a_hostile_zip_is_refused_and_writes_nothing_outside(tmp_path, data, code):
    data = data() if callable(data) else data  # large zips are created only when they are used
    folder = put(tmp_path / "in", {"student_01.zip": data, "student_02/solution.py": PLAYER})
    before = tree(tmp_path / "in")

    bad, good = collect(folder, tmp_path / "staging")

    assert bad.problem is not None and bad.problem.code == code
    assert bad.problem.text.isprintable() and bad.problem.help
    assert tree(bad.folder) == {}
    assert good.problem is None and tree(good.folder) == {"solution.py": PLAYER.encode()}
    assert tree(tmp_path / "in") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "staging"]
    assert sorted(path.name for path in (tmp_path / "staging").iterdir()) == ["student_01", "student_02"]
    assert not Path("/tmp/evil.py").exists()


def test_damaged_contents_are_refused(tmp_path):
    data = bytearray(raw_zip({"solution.py": PLAYER.encode()}))
    data[60] ^= 0xFF
    folder = put(tmp_path / "in", {"student_01.zip": bytes(data), "student_02/solution.py": PLAYER})

    bad, good = collect(folder, tmp_path / "staging")

    assert bad.problem is not None and bad.problem.code == "broken_zip"
    assert good.problem is None


def test_in_a_zip_of_a_class_only_hostile_submissions_are_refused(tmp_path):
    data = raw_zip(
        {
            "student_01/solution.py": b"a = 1",
            "student_01/../../evil.py": b"evil",
            "student_02/solution.py": b"a = 2",
            "student_03/solution.py": b"a = 3",
            "student_03/big.zip": bomb(),
        }
    )
    put(tmp_path / "in", {"all.zip": data})

    found = collect(tmp_path / "in" / "all.zip", tmp_path / "staging")

    assert [(one.id, one.problem and one.problem.code) for one in found] == [
        ("student_01", "zip_slip"),
        ("student_02", None),
        ("student_03", "zip_bomb"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "cp437"])
def test_accents_are_read_in_any_encoding_of_the_zip(tmp_path, encoding):
    """Without the flag for UTF-8, macOS still writes UTF-8, and Windows its own code page."""
    marker = b"Pe??a.py"
    name = "Peña.py".encode(encoding).ljust(8, b"_")[:8] if encoding == "utf-8" else "Pen~ña.py".encode(encoding)[:8]
    data = zipped({marker.decode(): PLAYER}).replace(marker, name)
    folder = put(tmp_path / "in", {"student_01.zip": data, "student_02.py": PLAYER})

    first, _ = collect(folder, tmp_path / "staging")

    assert list(tree(first.folder)) == [name.decode(encoding)]
    assert "ñ" in name.decode(encoding)


def test_backslashes_of_windows_are_folders(tmp_path):
    folder = put(
        tmp_path / "in", {"student_01.zip": raw_zip({"hex\\solution.py": b"", "hex\\ai\\moves.py": b""}), "b.py": ""}
    )

    found = {one.id: one for one in collect(folder, tmp_path / "staging")}

    assert list(tree(found["student_01"].folder)) == ["ai/moves.py", "solution.py"]


def test_the_last_of_two_members_with_the_same_name_counts(tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("solution.py", "a = 1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("solution.py", "a = 2")
    folder = put(tmp_path / "in", {"student_01.zip": data.getvalue(), "student_02.py": ""})

    assert tree(collect(folder, tmp_path / "staging")[0].folder) == {"solution.py": b"a = 2"}


_PIECES = st.sampled_from(["..", ".", "/", "\\", "C:", "a", "student_02", "staging", ".git", "ñ", "\0", " ", "..."])


@given(st.lists(_PIECES, min_size=1, max_size=6).map("".join) | st.text(min_size=1, max_size=20))
@example("student_01/../../evil")
def test_no_member_name_leads_outside(name):
    try:
        data = raw_zip({"x.py": b"x", name: b"y"})
    except UnicodeEncodeError:
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        put(root / "in", {"student_01.zip": data, "student_02/solution.py": PLAYER})

        collect(root / "in", root / "staging")

        assert {path.name for path in root.iterdir()} == {"in", "staging"}
        assert {path.name for path in (root / "staging").iterdir()} == {"student_01", "student_02"}
        assert tree(root / "in").keys() == {"student_01.zip", "student_02/solution.py"}
        assert tree(root / "staging" / "student_02") == {"solution.py": PLAYER.encode()}


@given(st.lists(_PIECES, max_size=8).map("".join) | st.text(max_size=30))
def test_the_parts_of_a_safe_name_stay_below_any_folder(name):
    parts = safe_parts(name)
    if parts is not None:
        assert ".." not in parts and "" not in parts
        assert Path("/staging").joinpath(*parts).is_relative_to("/staging")


@given(st.binary(max_size=300) | st.binary(max_size=60).map(lambda noise: zipped({"a.py": "x" * 50})[:-30] + noise))
def test_any_bytes_are_either_read_or_refused(data):
    with ExitStack() as stack, tempfile.TemporaryDirectory() as scratch:
        node = FileNode("x.zip", size=len(data), read=lambda: io.BytesIO(data))
        with suppress(Refusal):
            open_zip(node, Path(scratch), stack).children()


def test_a_bomb_is_not_unpacked_to_find_its_owner(tmp_path):
    put(tmp_path / "in", {"all.zip": zipped({"in/all.zip": b"\0" * 210_000_000})})

    (only,) = collect(tmp_path / "in", tmp_path / "staging")

    assert only.problem is not None and only.problem.code == "zip_bomb"
