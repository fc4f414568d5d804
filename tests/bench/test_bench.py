"""Tests of the benchmarks themselves."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.figures import Comparison, compare, format_seconds, summary
from tests.bench.peers import KAGGLE, OPENSPIEL, PETTINGZOO, PLAIN_BOARD, Peer
from tests.bench.sections import SECTIONS

ROOT = Path(__file__).parents[2]
ABSENT = Peer("Missing games", ("no_such_module_anywhere",), ("missing-games",))


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


def test_every_peer_of_a_section_is_listed_with_its_version_or_how_to_install_it():
    ran = bench("--quick", "games")

    assert ran.returncode == 0, ran.stderr
    rows = [line for line in ran.stdout.splitlines() if line.startswith("| a step of")]
    assert len(rows) == 3
    for row in rows:
        assert ("pip install" in row) == ("not installed" in row)
        assert "pip install" in row or re.search(r"(PettingZoo|OpenSpiel) \d", row)


def test_an_unknown_section_is_rejected_with_the_known_ones():
    ran = bench("bords")

    assert ran.returncode == 2
    assert "unknown section bords" in ran.stderr and all(name in ran.stderr for name in SECTIONS)


def test_a_section_without_a_quick_version_is_rejected():
    ran = bench("--quick", "soak")

    assert ran.returncode == 2
    assert "soak has no quick version" in ran.stderr


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_has_a_module_with_a_report(name):
    module = ROOT / "tests" / "bench" / f"{SECTIONS[name].module}.py"

    assert re.search(r"^def report\(", module.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_documents_name_only_existing_sections(document):
    text = (ROOT / document).read_text(encoding="utf-8")

    named = re.findall(r"-m tests\.bench (\w+)", text)

    assert set(named) <= set(SECTIONS)


def test_the_ratio_compares_the_best_rounds_and_the_noise_is_shown():
    comparison = Comparison(what="a step", ours=(2.0, 1.0, 4.0), theirs=(8.0, 6.0, 5.0), peer=PLAIN_BOARD)

    assert (comparison.ratio, comparison.of_medians, comparison.of_rounds) == (5.0, 3.0, (1.25, 6.0))
    assert "1.2–6.0 (3)" in summary([comparison])


def test_a_faster_peer_has_a_ratio_below_one():
    comparison = Comparison(what="a step", ours=(8.0,), theirs=(1.0,), peer=PLAIN_BOARD)

    assert re.search(r"\| +0\.12 \|", summary([comparison]))


def test_both_are_measured_alternately_after_a_warm_up_round():
    calls = list[str]()

    def measure(name: str) -> float:
        calls.append(name)
        return float(len(calls))

    comparison = compare("a step", lambda: measure("ours"), lambda: measure("theirs"), PLAIN_BOARD, rounds=2)

    assert calls == ["ours", "theirs"] * 3
    assert (comparison.ours, comparison.theirs) == ((3.0, 5.0), (4.0, 6.0))


def test_a_peer_that_is_not_installed_is_not_called_and_listed_with_how_to_install_it():
    def missing() -> float:
        raise AssertionError("it was called")

    text = summary([compare("a step", lambda: 1.0, missing, ABSENT, rounds=2)])

    assert "not installed" in text and "pip install missing-games" in text


@pytest.mark.parametrize("peer", [KAGGLE, OPENSPIEL, PETTINGZOO], ids=lambda peer: peer.name)
def test_the_bench_extra_installs_every_peer(peer):
    extra = re.search(r"^bench = (.*)$", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)

    assert extra is not None
    assert all(f'"{package}>=' in extra[1] for package in peer.packages)


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.34, "12.3 s"), (0.0123, "12.3 ms"), (1.8e-4, "180 µs"), (6e-7, "0.6 µs")]
)
def test_durations_are_shown_in_a_suitable_unit(seconds, text):
    assert format_seconds(seconds) == text
