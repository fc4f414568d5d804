"""Submissions that attack what reads them: one is reported, and the others are graded as if it were not there."""

import io
import zipfile

import pytest

from tests.command import grader
from tests.workflow.folders import FIRST, folder, results


def zipped(files: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def huge_dictionary() -> bytes:
    """A zip whose LZMA data asks for a dictionary of 4 GB."""
    data = bytearray(zipped({"solution.py": FIRST * 20}, zipfile.ZIP_LZMA))
    at = data.find(b"solution.py") + len("solution.py")
    data[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    return bytes(data)


def damaged(method: int) -> bytes:
    data = bytearray(zipped({"solution.py": FIRST * 20}, method))
    at = data.find(b"solution.py") + len("solution.py")
    for offset in range(12, 60):
        data[at + offset] ^= 0xA5
    return bytes(data)


def encoded(name: str, text: str) -> bytes:
    return f"# coding: {name}\n".encode() + text.encode("ascii" if name == "punycode" else name)


REFUSED = {
    "damaged_lzma": (damaged(zipfile.ZIP_LZMA), "zip_method"),
    "damaged_bzip2": (damaged(zipfile.ZIP_BZIP2), "zip_method"),
    "damaged_deflate": (damaged(zipfile.ZIP_DEFLATED), "broken_zip"),
    "huge_dictionary": (huge_dictionary(), "zip_method"),
    "punycode": (zipped({"solution.py": encoded("punycode", "a" * 500_000 + "-" + "b" * 500_000)}), "syntax_error"),
    "utf_7": (zipped({"solution.py": encoded("utf-7", FIRST)}), "syntax_error"),
    "escapes": (zipped({"solution.py": encoded("unicode_escape", FIRST)}), "syntax_error"),
}
GRADED = {
    "nul_byte": {"requirements.txt": b"-r a\0b\n--requirement=\0\n"},
    "long_name": {"requirements.txt": b"-r " + b"a" * 300 + b"\n" + b"-r x/" * 200 + b"\n" + b"b" * 300},
    "long_version": {"requirements.txt": b'nothing; python_version > "' + b"9" * 5000 + b'"\n'},
    "short_line_long_version": {"requirements.txt": b'nothing; python_version > "' + b"9" * 900 + b'"\n'},
    "other_digits": {"requirements.txt": 'nothing; python_version > "３.²"\n'.encode()},
    "spaces": {"requirements.txt": b"a" + b" " * 90_000 + b"x\n"},
    "surrogate": {"solution.py": (FIRST + '\n_ = lambda: __import__("socket\\ud800.x")\n').encode()},
    "escape": {"solution.py": (FIRST + '\n_ = lambda: __import__("socket.\\x1b[2J")\n').encode()},
    "nested": {"nested.py": ("".join(f"{' ' * at}try:\n" for at in range(90)) + " " * 90 + "f(" + "x," * 50_000 + ")\n").encode()
               + "".join(f"{' ' * at}finally: pass\n" for at in range(89, -1, -1)).encode()},
    "classes": {"classes.py": b"".join(b"class A%d(Player): pass\n" % at for at in range(8_000))},
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """All of them in one class, with an honest player."""
    at = tmp_path_factory.mktemp("class")
    source = folder(at / "in", honest=FIRST)
    for name, (data, _) in REFUSED.items():
        (source / f"{name}.zip").write_bytes(data)
    for name, files in GRADED.items():
        (source / f"{name}.zip").write_bytes(zipped({"solution.py": FIRST, **files}))
    first = grader("run", source, "-o", at / "out")
    return at, first, grader("run", source, "-o", at / "out"), grader("similarity", source, "-o", at / "similarity")


def test_the_class_is_graded_and_graded_again(graded):
    at, first, again, compared = graded
    found = results(at / "out")

    assert (first.returncode, again.returncode, compared.returncode) == (0, 0, 0), first.stderr + compared.stderr
    assert found.keys() == {"honest", *REFUSED, *GRADED}
    assert found["honest"]["status"] == "graded" and found["honest"]["findings"] == []


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_a_finding(graded, name):
    found = results(graded[0] / "out")[name]

    assert REFUSED[name][1] in [finding["code"] for finding in found["findings"]]
    assert found["score"] == 0


@pytest.mark.parametrize("name", GRADED)
def test_what_can_be_read_is_graded_like_the_honest_one(graded, name):
    found = results(graded[0] / "out")

    assert found[name]["status"] == "graded"
    assert found[name]["parts"] == found["honest"]["parts"]


def test_nothing_that_was_written_or_printed_has_odd_characters(graded):
    at, *commands = graded
    files = [
        path for path in at.rglob("*") if path.suffix in (".json", ".csv", ".md", ".html") and "in" not in path.parts
    ]

    assert len(files) > 40
    for text in [*(file.read_text(encoding="utf-8") for file in files), *(done.stdout for done in commands)]:
        assert "\x1b" not in text and "\ud800" not in text
    assert "utf-7" in (at / "similarity/similarity.json").read_text(encoding="utf-8")
