"""Terminal escapes, reversed text and lone surrogates in whatever a student chooses never reach the terminal."""

import ast
import re
import sys
from pathlib import Path

import pytest

from grader.cli import output
from tests.cli.games import hex_match, save_record
from tests.command import PROJECT, grader
from tests.workflow.folders import ASSIGNMENT, FIRST, folder

EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2066\u200b\ufeff\x08\r"
"""Clears the screen, sets the title, turns red, reverses the text, and hides and overwrites letters."""
IN_SOURCE = EVIL.encode("unicode_escape").decode("ascii")

IMPORTS = FIRST.replace(
    "        return",
    f'        if board is None:\n            __import__("socket.{IN_SOURCE}\\nForged: 10 / 10")\n        return',
)
RAISES = FIRST.replace("return", f'raise ValueError("{IN_SOURCE}\\ud800"); return')
CLASS = FIRST.replace(
    "        return", f'        type(self).__name__ = "{IN_SOURCE}"\n        raise KeyError(self) ; return'
)
MISSING = f'__import__("gone{IN_SOURCE}\\udcff")\n{FIRST}'
PRINTS = FIRST.replace("return", f'print("{IN_SOURCE}"); return')
SYNTAX = f"x = '{EVIL}'\ndef ("


def assert_plain(*texts: str) -> None:
    """Only letters that a terminal shows, with line breaks and tabs between them."""
    for text in texts:
        assert sorted({letter for letter in text if not output._is_visible(letter)} - {"\n", "\t"}) == []


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A class in which everything that a student chooses has escapes in it, and its results."""
    at = tmp_path_factory.mktemp("class")
    players = {"imports": IMPORTS, "raises": RAISES, "classes": CLASS, "missing": MISSING, "syntax": SYNTAX}
    source = folder(at / "in", ASSIGNMENT.replace("games: 4", "games: 2"), **players)
    names = [f"folder{EVIL}", *(["lone\udcff"] if sys.platform == "linux" else [])]
    for name in names:
        (source / name).mkdir()
        (source / name / f"file{EVIL}.py").write_text(PRINTS, encoding="utf-8")
    roster = at / "roster.csv"
    roster.write_text(f"id,name\nimports,Ana {EVIL}\nabsent,Eva {EVIL}\n", encoding="utf-8")
    done = grader("run", source, "-o", at / "out", "--roster", roster)
    assert done.returncode == 0, done.stderr
    return at, done


def test_run_and_its_table_are_plain(hostile):
    at, done = hostile

    assert_plain(done.stdout, done.stderr, grader("run", at / "in", "--dry-run", "-o", at / "none").stdout)
    assert "Ana" in done.stdout
    assert "\nForged" not in done.stdout


@pytest.mark.parametrize("player", ["imports", "raises", "classes", "missing", "syntax", f"folder{EVIL}"])
def test_check_and_match_are_plain(hostile, tmp_path, player):
    at, _ = hostile
    checked = grader("check", at / "in" / player, "-c", at / "in/assignment.yaml", "--budget", "3", cwd=at)
    played = grader("match", at / "in" / player, "random", "-c", at / "in/assignment.yaml", cwd=tmp_path)

    assert_plain(checked.stdout, checked.stderr, played.stdout, played.stderr)
    if player not in ("classes", "syntax"):  # where the message does not quote the student
        assert "owned" in checked.stdout + played.stdout, "it is shown, in a form that does nothing"
    assert "\nForged" not in checked.stdout + played.stdout


def test_commands_about_results_are_plain(hostile, tmp_path):
    at, _ = hostile
    ids = sorted(file.stem for file in (at / "out/feedback").glob("*.md"))
    lines: list[tuple[str | Path, ...]] = [("show", at / "out", name, "--moves") for name in ids]
    lines += [("replay", at / "out", name) for name in ids]
    lines += [("verify", at / "out"), ("report", at / "out"), ("similarity", at / "in", "-o", tmp_path / "s.html")]
    lines += [("regrade", at / "out", "--only", "raises")]
    lines += [("export", kind, at / "out", "-o", tmp_path / kind) for kind in ("junit", "gradescope")]
    lines += [("tournament", at / "in", "-o", tmp_path / "t", "--swiss", "1"), ("report", tmp_path / "t")]
    for line in lines:
        done = grader(*line)
        assert_plain(done.stdout, done.stderr)
    assert len(ids) >= 6


@pytest.mark.parametrize(
    "line",
    [
        [f"grad{EVIL}"],
        ["run", f"nothing{EVIL}"],
        ["run", ".", f"--option{EVIL}"],
        ["check", f"nothing{EVIL}.py"],
        ["match", f"nothing{EVIL}.py", "random"],
        ["play", f"nothing{EVIL}.py"],
        ["run", ".", "--budget", EVIL],
        ["tournament", ".", "--anchor", f"random({EVIL})"],
        ["init", f"folder{EVIL}", "--game", f"hex{EVIL}"],
        ["init", f"folder{EVIL}", "--game", "hex"],
        ["list", f"{EVIL}"],
        ["show", ".", EVIL],
    ],
)
def test_errors_of_the_command_line_are_plain(line, tmp_path):
    done = grader(*line, cwd=tmp_path)

    assert_plain(done.stdout, done.stderr)
    assert "owned" in done.stdout + done.stderr or line[0] == "show"


def test_an_error_in_an_assignment_is_plain(tmp_path):
    (tmp_path / "assignment.yaml").write_text(f"game: hex\n'{IN_SOURCE}': 1\n\"{IN_SOURCE}\": 2\n", encoding="utf-8")
    done = grader("run", ".", "-o", tmp_path.parent / "o", cwd=tmp_path)

    assert done.returncode == 2
    assert_plain(done.stderr)


def test_an_error_of_the_grader_itself_is_plain(capsys):
    try:
        raise RuntimeError(EVIL + "\udc80")
    except RuntimeError as error:
        output.print_traceback(type(error), error, error.__traceback__)
    printed = capsys.readouterr().err

    assert_plain(printed)
    assert "RuntimeError: \\x1b[2J" in printed


def test_completion_suggests_no_escapes(hostile):
    at, _ = hostile
    words = {"COMP_WORDS": f"grader run {at / 'in'} --only ", "COMP_CWORD": "4"}
    done = grader(environment={"LANGUAGE": "en", "_GRADER_COMPLETE": "bash_complete", **words})

    assert_plain(done.stdout)


def test_our_own_colours_stay_and_nothing_else():
    text = "\x1b[91m\x1b[1m●\x1b[0m \x1b[2J\x1b[8mhidden\x1b[1;31m"

    assert output.visible_with_colours(text) == r"[91m[1m●[0m \x1b[2J\x1b[8mhidden\x1b[1;31m".replace(
        "[91m[1m●[0m", "\x1b[91m\x1b[1m●\x1b[0m"
    )
    assert output.visible("\x1b[91m") == r"\x1b[91m"
    assert output.visible("a\r\nb\tc 75\xa0% ñ 👍 \ud800") == "a\nb\tc 75\xa0% ñ 👍 \\ud800"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_at_a_terminal_only_our_own_sequences_are_written(hostile, tmp_path):
    from tests.cli.terminal import Terminal  # here: it does not work on Windows

    at, _ = hostile
    lines = [
        ("check", at / "in/missing", "-c", at / "in/assignment.yaml", "--budget", "3"),
        ("run", at / "in", "-o", tmp_path / "out", "--only", "raises", "--only", "missing"),
        ("report", tmp_path / "out"),
        ("match", at / "in" / f"folder{EVIL}", "random", "-c", at / "in/assignment.yaml", "--watch", "--delay", "0"),
    ]
    for line in lines:
        with Terminal(*line, cwd=tmp_path, LANGUAGE="en") as terminal:
            terminal.status()
            links = re.findall(r"\x1b\]8;;(file:///[!-~]+)\x1b\\out/report.html\x1b\]8;;\x1b\\\r\n", terminal.raw)
            assert len(links) == (line[0] in ("run", "report"))
            raw = re.sub(r"\x1b\]8;;(file:///[!-~]+)?\x1b\\", "", terminal.raw.replace("\r", ""))
            shown = re.sub(r"\x1b\[(\?\d+[hl]|\d*[AKGH]|[\d;]*m|2K)", "", raw)
            assert "\x1b[31m" in terminal.raw or line[0] == "match"
        assert "\x1b[2J" not in terminal.raw
        assert_plain(shown)


def test_a_replayed_record_is_plain(tmp_path):
    record = hex_match()
    text = save_record(record, tmp_path / "match.json").read_text(encoding="utf-8")
    (tmp_path / "match.json").write_text(text.replace('"name": "', f'"name": "{"".join(map(_json, EVIL))}', 1))
    done = grader("replay", tmp_path / "match.json")

    assert done.returncode == 0, done.stderr
    assert_plain(done.stdout)


def _json(letter: str) -> str:
    return f"\\u{ord(letter):04x}"


FORBIDDEN = re.compile(
    r"(click\.(echo|secho|prompt|confirm|pause|echo_via_pager|progressbar|edit)|print|input|rprint|pprint"
    r"|sys\.(__)?(stdout|stderr)(__)?\.(write|writelines|buffer).*|Console|(Text|rich\.text\.Text)(\.\w+)?"
    r"|(rich\.)?print|traceback\.print_\w+|\w+\.print|warnings\.warn|logging\.(debug|info|warning|error|exception))"
)
SEPARATOR = r"Text('\n', end='')"
"""The only text for a console that is not made by `screen_text`: a line break between two that are."""


def test_nothing_prints_except_through_the_one_module():
    printing = []
    for file in Path(PROJECT, "grader").rglob("*.py"):
        if file.name == "output.py" or "handout" in file.parts or "files" in file.parts:
            continue  # a handout is the students' own program
        text = file.read_text(encoding="utf-8")
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        names = [(ast.unparse(call), ast.unparse(call.func)) for call in calls]
        printing += [f"{file.name}: {call}" for call, name in names if FORBIDDEN.fullmatch(name)]
        printing += [f"{file.name}: {found}" for found in re.findall(r"from (?:click|rich) import .*", text)]
        if "cli" in file.parts:
            printing += [f"{file.name}: {call}" for call, name in names if name == "os.write"]

    assert printing == [f"terminal.py: {SEPARATOR}"]


def test_names_with_escapes_are_possible_here(hostile):
    at, _ = hostile

    assert any("\x1b" in path.name for path in (at / "in").iterdir()), "the test would prove nothing"
