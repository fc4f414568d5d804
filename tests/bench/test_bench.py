import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.figures import Comparison, compared, shown, summary
from tests.bench.peers import KAGGLE, OPENSPIEL, PETTINGZOO, PLAIN_BOARD, Peer
from tests.bench.sections import SECTIONS

ROOT = Path(__file__).parents[2]
ABSENT = Peer("Nobody's games", ("no_such_module_anywhere",), ("nobodys-games",))


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.bench", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd=ROOT, timeout=120)


def test_a_section_ends_with_a_table_of_ratios():
    ran = bench("--quick", "boards")

    assert ran.returncode == 0, ran.stderr
    rows = [line.split("|") for line in ran.stdout.partition("== summary")[2].splitlines() if "HexBoard" in line]
    assert len(rows) == 7
    for row in rows:
        assert float(row[4]) > 0 and "list-and-search" in row[7]


def test_every_peer_of_a_section_is_there_or_how_to_get_it():
    ran = bench("--quick", "games")

    assert ran.returncode == 0, ran.stderr
    rows = [line for line in ran.stdout.splitlines() if line.startswith("| a step of")]
    assert len(rows) == 3
    for row in rows:
        assert ("pip install" in row) == ("not installed" in row)
        assert "pip install" in row or re.search(r"(PettingZoo|OpenSpiel) \d", row)


def test_what_is_no_section_is_said_with_those_that_are():
    ran = bench("bords")

    assert ran.returncode == 2
    assert "no section bords" in ran.stderr and all(name in ran.stderr for name in SECTIONS)


def test_a_section_without_a_quick_version_says_so():
    ran = bench("--quick", "soak")

    assert ran.returncode == 2
    assert "no quick version of soak" in ran.stderr


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_is_a_module_with_a_report(name):
    module = ROOT / "tests" / "bench" / f"{SECTIONS[name].module}.py"

    assert re.search(r"^def report\(", module.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_documents_name_only_sections_that_there_are(document):
    text = (ROOT / document).read_text(encoding="utf-8")

    named = re.findall(r"-m tests\.bench (\w+)", text)

    assert set(named) <= set(SECTIONS)


def test_the_ratio_is_that_of_the_best_rounds_and_its_noise_is_shown():
    one = Comparison(what="a step", ours=(2.0, 1.0, 4.0), theirs=(8.0, 6.0, 5.0), peer=PLAIN_BOARD)

    assert (one.ratio, one.of_medians, one.of_rounds) == (5.0, 3.0, (1.25, 6.0))
    assert "1.2–6.0 (3)" in summary([one])


def test_a_peer_that_is_faster_is_shown_as_such():
    one = Comparison(what="a step", ours=(8.0,), theirs=(1.0,), peer=PLAIN_BOARD)

    assert re.search(r"\| +0\.12 \|", summary([one]))


def test_both_are_measured_in_turns_after_a_round_for_nothing():
    calls = list[str]()

    def measure(name: str) -> float:
        calls.append(name)
        return float(len(calls))

    one = compared("a step", lambda: measure("ours"), lambda: measure("theirs"), PLAIN_BOARD, rounds=2)

    assert calls == ["ours", "theirs"] * 3
    assert (one.ours, one.theirs) == ((3.0, 5.0), (4.0, 6.0))


def test_a_peer_that_is_not_installed_is_not_called_and_is_shown_with_how_to_get_it():
    def not_there() -> float:
        raise AssertionError("it was called")

    text = summary([compared("a step", lambda: 1.0, not_there, ABSENT, rounds=2)])

    assert "not installed" in text and "pip install nobodys-games" in text


@pytest.mark.parametrize("peer", [KAGGLE, OPENSPIEL, PETTINGZOO], ids=lambda peer: peer.name)
def test_the_extra_has_every_peer_that_can_be_installed(peer):
    extra = re.search(r"^bench = (.*)$", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)

    assert extra is not None
    assert all(f'"{package}>=' in extra[1] for package in peer.packages)


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.34, "12.3 s"), (0.0123, "12.3 ms"), (1.8e-4, "180 µs"), (6e-7, "0.6 µs")]
)
def test_seconds_are_shown_in_the_unit_that_suits(seconds, text):
    assert shown(seconds) == text
