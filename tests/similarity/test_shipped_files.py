"""Compiled programs, nets and known engines in submissions are named, and never loaded."""

import json
import sys
from pathlib import Path

import pytest

from grader.similarity.shipped_files import ShippedKind, shipped_files
from tests.command import grader
from tests.similarity.classes import MINIMAX, folder

PROGRAM, NET, ENGINE = ShippedKind.PROGRAM, ShippedKind.NET, ShippedKind.ENGINE
ELF = b"\x7fELF\2\1\1" + bytes(9)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param("fast.so", b"", (PROGRAM, "native code", ""), id="by its suffix"),
        pytest.param("solution.pyc", b"", (PROGRAM, "Python bytecode", ""), id="bytecode"),
        pytest.param("data.txt", ELF, (PROGRAM, "ELF", ""), id="a program called a text"),
        pytest.param("play.EXE", b"MZ\x90\0", (PROGRAM, "Windows", ""), id="a Windows program"),
        pytest.param("data.bin", ELF + b"Welcome to MOHEX 2", (PROGRAM, "ELF", "MoHex"), id="an engine in disguise"),
        pytest.param(
            "x", ELF + bytes((1 << 20) - 20) + b"Stockfish", (PROGRAM, "ELF", "Stockfish"), id="across chunks"
        ),
        pytest.param("bin/mohex", ELF, (PROGRAM, "ELF", "MoHex"), id="an engine by its name"),
        pytest.param("libbenzene.so.1", ELF, (PROGRAM, "ELF", "Benzene"), id="a library of an engine"),
        pytest.param("katahex_model.bin.gz", b"\x1f\x8b", (ENGINE, "", "KataHex"), id="a net of an engine"),
        pytest.param("wolve/README", b"", (ENGINE, "", "Wolve"), id="a folder of an engine"),
        pytest.param("net.pt", b"PK\3\4", (NET, "PyTorch", ""), id="PyTorch"),
        pytest.param("net.onnx", b"", (NET, "ONNX", ""), id="ONNX"),
        pytest.param("net.safetensors", b"", (NET, "safetensors", ""), id="safetensors"),
        pytest.param("values", b"\x89HDF\r\n\x1a\n\0", (NET, "HDF5", ""), id="HDF5 without a suffix"),
        pytest.param("values.dat", b"\x80\x04\x95\x10" + bytes(7), (NET, "pickle", ""), id="a pickle"),
    ],
)
def test_a_file_is_recognised(tmp_path, name, content, expected):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(content)

    (found,) = shipped_files(tmp_path, [Path(name)])

    assert (found.kind, found.form, found.engine) == expected
    assert (found.name, found.size) == (name, len(content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("solution.py", b"# better than mohex and stockfish"),
        ("notes.txt", b"MZ is how Windows programs start"),
        ("wolverine.py", b""),
        ("table.json", b"{}"),
        ("missing", None),
    ],
)
def test_other_files_are_not_listed(tmp_path, name, content):
    if content is not None:
        (tmp_path / name).write_bytes(content)

    assert shipped_files(tmp_path, [Path(name)]) == ()


@pytest.mark.skipif(sys.platform == "win32", reason="the pickle below creates a file with a shell")
def test_the_command_lists_them_without_running_them(tmp_path):
    folder(tmp_path / "class", {"ana": MINIMAX, "bea": "x = 1\n"})
    pickle = b"cos\nsystem\n(S'touch " + str(tmp_path / "ran").encode() + b"'\ntR."
    for name in ("ana/net.pkl", "bea/weights.pkl"):
        (tmp_path / "class" / name).write_bytes(pickle)
    (tmp_path / "class/ana/fast.so").write_bytes(ELF)

    done = grader("similarity", "class", "-o", "out", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "ana, bea net.pkl trained net or other computed data (pickle)" in " ".join(done.stdout.split())
    assert "compiled program (ELF)" in done.stdout and not (tmp_path / "ran").exists()
    content = json.loads((tmp_path / "out/similarity.json").read_text(encoding="utf-8"))
    assert [file["name"] for file in content["shipped"]["ana"]] == ["fast.so", "net.pkl"]
    page = (tmp_path / "out/similarity.html").read_text(encoding="utf-8")
    assert "fast.<wbr>so" in page
