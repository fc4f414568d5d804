"""Which player a text on the command line means."""

import json
import os
from pathlib import Path

import pytest

from grader.engine.match import prepare_match, run_match
from grader.errors import OptionError
from grader.inspection import submission_code as code
from grader.inspection.inspect_code import inspect_code
from grader.inspection.players import player_at
from grader.reading.players import resolve_player
from grader.records import as_json
from grader.sandbox.limits import Limits
from grader.source.facts import Source, Unreadable
from grader.source.reading import read_source
from tests.inspection.matches import TIMES
from tests.intake.folders import PLAYER, make


def test_a_name_means_a_reference_player():
    found = resolve_player("random")

    assert found.reference and found.entry is not None
    assert (found.name, found.entry.module, dict(found.options)) == ("random", "reference_players.random", {})


def test_a_reference_player_takes_options():
    found = resolve_player("random(seed=7)")

    assert (found.name, dict(found.options)) == ("random(seed=7)", {"seed": 7})


def test_a_folder_or_a_file_means_the_player_in_it(tmp_path):
    root = make(tmp_path, {"solution.py": PLAYER})

    for path in (root, root / "solution.py"):
        found = resolve_player(str(path))
        assert found.entry is not None and found.entry.name == "SmartPlayer" and not found.reference
    assert resolve_player(str(root)).name == "Ejemplo_Peña_Ríos"
    assert resolve_player(str(root / "solution.py")).name == "solution"


def test_a_folder_without_a_player_says_why(tmp_path):
    found = resolve_player(str(make(tmp_path, {})))

    assert found.entry is None and found.findings[0].code == "no_player"


def test_a_folder_named_like_a_reference_player_is_preferred(tmp_path, monkeypatch):
    make(tmp_path, {"solution.py": PLAYER}, name="random")
    monkeypatch.chdir(tmp_path)

    assert not resolve_player("random").reference


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("randon", "Did you mean 'random'?"),
        ("Random", "Did you mean 'random'?"),
        ("nobody", "The reference players are "),
        ("missing/solution.py", "no file, folder or reference player has that name"),
        ("solution.py", "no file, folder or reference player has that name"),
        ("random(7)", "Options are written like this: mcts(simulations=500)"),
        ("mcts(simulations=abc)", "abc is not a valid value for simulations"),
        ("random(seed=open)", "open is not a valid value for seed"),
        ("randon(seed=open)", "Did you mean 'random'?"),
        ("random(seed=1", "Options are written like this: mcts"),
        ("random(**{'seed': 1})", "Options are written like this: mcts"),
        ("random(sed=1)", "random has no option 'sed'. It has no options."),
        (
            "minimax(dept=2)",
            "minimax has no option 'dept'. Did you mean 'depth'? Its options are depth, style, variety.",
        ),
        ("", "Options are written like this: mcts"),
        ("ran\0dom", "Options are written like this: mcts"),
    ],
)
def test_a_text_that_means_no_player_is_an_error_that_says_what_to_write(text, message):
    with pytest.raises(OptionError) as error:
        resolve_player(text)

    assert message in str(error.value)
    assert str(error.value).endswith(".")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sub.zip", "sub.zip is an archive; unpack it first and give the folder."),
        ("sub.tar.gz", "sub.tar.gz is an archive; unpack it first and give the folder."),
        ("notes.pdf", "notes.pdf is not a Python file; give a .py file or the folder that contains it."),
        ("notes.txt", "notes.txt is not a Python file; give a .py file or the folder that contains it."),
    ],
)
def test_a_file_that_is_not_python_is_an_error_that_says_what_to_do(tmp_path, name, message):
    root = make(tmp_path, {name: b"PK\x03\x04\0", "solution.py": PLAYER})

    with pytest.raises(OptionError) as error:
        resolve_player(str(root / name))

    assert str(error.value) == message


def test_a_named_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")

    with pytest.raises(OptionError, match="neither a file nor a folder"):
        resolve_player(str(tmp_path / "pipe.py"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (b"\xff\xfe.py", "ÿþ"),
        (b"a\x1b[31mred.py", "a [31mred"),
        (b"\x1b\x07.py", "unnamed"),
        ("José 2.py".encode(), "José 2"),
    ],
)
def test_a_file_with_any_name_can_be_printed_saved_and_played(tmp_path, name, expected):
    root = make(tmp_path, {})
    file = root / os.fsdecode(name)
    file.write_text(PLAYER, encoding="utf-8")

    found = resolve_player(str(file))

    assert found.name == expected and found.name.isprintable() and found.name.encode()
    game, seatings = prepare_match((found, resolve_player("random")), "hex", {"size": 3}, 7)
    record = run_match(game, seatings, Limits(time=TIMES), seed=7)
    assert record.fault is None and json.dumps(as_json(record), ensure_ascii=False).encode()


def test_only_a_single_file_and_its_imports_are_read(tmp_path, monkeypatch):
    files = {"x.py.txt": f"import near\n{PLAYER}", "near.py": "import socket\n", "other.py": "import ctypes\ninput()\n"}
    root = make(tmp_path, files)
    opened: set[str] = set()

    def record(folder: Path, file: Path) -> Source | Unreadable:
        opened.add(file.name)
        return read_source(folder, file)

    monkeypatch.setattr(code, "read_source", record)

    path = root / "x.py.txt"
    found = player_at(path, inspect_code(path))

    assert found.entry is not None and opened == {"x.py.txt", "near.py"}
    assert [(finding.code, finding.file) for finding in found.findings] == [("network", "near.py")]
