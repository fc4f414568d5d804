"""Unusual folders and files: odd encodings, broken bytes, links, very many files and very deep folders."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inspection.entry import find_entry
from grader.intake.files import MAX_PYTHON_FILES
from tests.intake.folders import PLAYER, make, player

ACCENTS = "# Peña: un jugador pequeño\n" + PLAYER


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(PLAYER.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(PLAYER.replace("\n", "\r").encode(), id="CR"),
        pytest.param(b"\xef\xbb\xbf" + ACCENTS.encode(), id="BOM"),
        pytest.param(("# -*- coding: latin-1 -*-\n" + ACCENTS).encode("latin-1"), id="latin-1 with a cookie"),
        pytest.param(PLAYER.replace("    ", "\t").encode(), id="tabs"),
    ],
)
def test_every_encoding_that_python_reads_is_read(tmp_path, data):
    entry, findings = find_entry(make(tmp_path, {"solution.py": data}))

    assert entry is not None and entry.name == "SmartPlayer"
    assert findings == ()


@pytest.mark.parametrize(
    ("data", "reason", "line"),
    [
        pytest.param("name = 'Peña'\n".encode("latin-1"), "it is not in UTF-8", 1, id="latin-1, no cookie"),
        pytest.param(b"\n" + PLAYER.encode() + b"x = '\xff'\n", "it is not in UTF-8", 8, id="a stray byte"),
        pytest.param(b"import math\n\0\n" + PLAYER.encode(), "it contains a NUL byte", 2, id="NUL"),
        pytest.param(PLAYER.encode("utf-16"), "it is written in UTF-16", 1, id="UTF-16"),
        pytest.param(
            b"# -*- coding: klingon -*-\n" + PLAYER.encode(), "declares the encoding klingon", None, id="cookie"
        ),
        pytest.param(b"class A:\n  def play(self, board)\n    pass\n", "expected ':'", 2, id="a colon forgotten"),
        pytest.param(b"x = " + b"(" * 5000 + b")" * 5000, "nested", None, id="nested parentheses"),
        pytest.param(b"x = " + b"-" * 100_000 + b"1", "nested", None, id="nested signs"),
        pytest.param(b"#" * 3_000_000, "larger than 2 MB", None, id="huge"),
        pytest.param(b"print 'hola'\n", "Missing parentheses in call to 'print'", 1, id="Python 2"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_reported_with_reason_and_line(tmp_path, data, reason, line):
    entry, findings = find_entry(make(tmp_path, {"solution.py": data}))

    assert entry is None
    assert len(findings) == 1
    assert findings[0].code == "syntax_error" and findings[0].file == "solution.py"
    assert reason in findings[0].text
    assert line is None or findings[0].line == line


STATEMENTS = (
    "class A(B):", "class B(A, C.D):", "    def play(self, board):", "        return 1", "    play = choose", "try:", "    pass",
    "except ValueError:", "if __name__ == '__main__':", "else:", "from a import *", "from . import b as A", "from ... import x",
    "import player as p", "SmartPlayer = A", "A = B = A.C", "async def play(game, player):", "    class Player(p.Player):",
    "    @abstractmethod", "def play(self, board):", "def play(*, game, player): pass", "lambda: 0", "x: int", "with open(''):",
)  # fmt: skip


@given(st.lists(st.sampled_from(STATEMENTS), max_size=8), st.lists(st.sampled_from(STATEMENTS), max_size=4))
def test_no_source_text_makes_the_search_fail(first, second):
    with TemporaryDirectory() as folder:
        root = make(Path(folder), {"player.py": "\n".join(first), "a.py": "\n".join(second)})

        entry, findings = find_entry(root)

        assert entry is not None or findings


@given(st.binary(max_size=60))
def test_no_bytes_make_the_search_fail(data):
    with TemporaryDirectory() as folder:
        entry, findings = find_entry(make(Path(folder), {"solution.py": data, "requirements.txt": data}))

        assert entry is None and findings


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("if " + "+".join(["1"] * 3000) + ":\n    pass\n", id="a long sum"),
        pytest.param("x" + ".y" * 3000 + "()\n", id="a long chain"),
        pytest.param("import " + "a" * 3000 + "\n", id="a long name"),
        pytest.param("import " + ".".join("ab" * 1500) + "\n", id="a deep module"),
        pytest.param("from " + "." * 3000 + "x import y\n", id="many dots"),
    ],
)
def test_an_extremely_long_line_is_handled(tmp_path, text):
    root = make(tmp_path, {"solution.py": text + PLAYER})

    for path in (root, root / "solution.py"):
        entry, findings = find_entry(path)
        assert entry is not None or "nested too deeply" in findings[0].text


def test_modules_that_star_import_one_another_are_resolved_quickly(tmp_path):
    stars = "".join(f"from m{number} import *\n" for number in range(40))
    files = {f"m{number}.py": f"{stars}class C{number}(Unknown):\n    pass\n" for number in range(40)}

    entry, _ = find_entry(make(tmp_path, {**files, "solution.py": stars + PLAYER}))

    assert entry is not None and entry.name == "SmartPlayer"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("".join(f"A{n} = A{n + 1}\n" for n in range(5000)) + "class Mine(A0):\n    pass\n", id="of names"),
        pytest.param(
            "class C0:\n    pass\n" + "".join(f"class C{n + 1}(C{n}):\n    pass\n" for n in range(10_000)),
            id="of classes",
        ),
    ],
)
def test_a_very_long_chain_is_abandoned(tmp_path, text):
    entry, _ = find_entry(make(tmp_path, {"solution.py": text, "player.py": player("Mine")}))

    assert entry is not None and entry.file.name == "player.py"


def test_a_file_name_that_cannot_be_encoded_is_shown_safely(tmp_path):
    root = make(tmp_path, {os.fsdecode(b"Pe\xf1a\x1b[31m/solution.py"): "def ("})

    _, findings = find_entry(root)

    assert findings[0].text.startswith("Syntax error in Pe�a�[31m/solution.py:1")
    findings[0].text.encode("utf-8")


def test_links_that_are_circular_broken_or_lead_outside_are_ignored(tmp_path):
    root = make(tmp_path, {"src/player.py": player("Mine")})
    (tmp_path / "solution.py").write_text(PLAYER, encoding="utf-8")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "itself.py").symlink_to(root / "itself.py")
    (root / "nowhere.py").symlink_to(root / "gone.py")
    (root / "solution.py").symlink_to(tmp_path / "solution.py")
    os.mkfifo(root / "pipe.py")

    entry, findings = find_entry(root)

    assert entry is not None and entry.file == Path("src/player.py")
    assert findings == ()


def test_a_link_inside_the_submission_is_followed(tmp_path):
    root = make(tmp_path, {"versions/v3.py": PLAYER})
    (root / "solution.py").symlink_to(root / "versions" / "v3.py")

    entry, _ = find_entry(root)

    assert entry is not None and entry.file == Path("solution.py")


def test_with_too_many_files_the_shallowest_are_read(tmp_path):
    root = make(tmp_path, {"zz/solution.py": PLAYER})
    crowd = root / "aa" / "deeper"
    crowd.mkdir(parents=True)
    for number in range(MAX_PYTHON_FILES + 1000):
        (crowd / f"f{number}.py").touch()

    entry, findings = find_entry(root)

    assert entry is not None and entry.file == Path("zz/solution.py")
    assert [finding.code for finding in findings] == ["too_many_files"]


def test_deeply_nested_folders_are_searched_completely(tmp_path):
    root = make(tmp_path, {f"{'d/' * 300}solution.py": PLAYER})

    entry, findings = find_entry(root)

    assert entry is not None and len(entry.file.parts) == 301
    assert findings == ()


def test_a_folder_without_read_permission_is_a_finding(tmp_path):
    root = make(tmp_path, {"solution.py": PLAYER, "secret/x.py": "x = 1"})
    (root / "secret").chmod(0)

    with _unprivileged_user(tmp_path):
        entry, findings = find_entry(root)
        (root / "secret").chmod(0o755)

    assert entry is not None
    assert [(finding.code, finding.file) for finding in findings] == [("unreadable_folder", "secret")]


def test_a_submission_without_read_permission_is_a_finding(tmp_path):
    root = make(tmp_path, {"solution.py": PLAYER})
    root.chmod(0)

    with _unprivileged_user(tmp_path):
        entry, findings = find_entry(root)
        root.chmod(0o755)

    assert entry is None
    assert {finding.code for finding in findings} == {"no_player", "unreadable_folder"}


@contextmanager
def _unprivileged_user(folder: Path) -> Iterator[None]:
    """Switch to an unprivileged user, because root may read everything."""
    if os.geteuid() != 0:
        yield
        return
    above = [parent for parent in folder.parents if parent.is_relative_to("/tmp") and parent != Path("/tmp")]
    for parent in (folder, *above):
        parent.chmod(0o755)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
