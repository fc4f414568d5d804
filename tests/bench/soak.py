"""Grade honest and hostile submissions for an hour, class after class, and check that nothing is left behind."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

from tests.sandbox.seats import our_processes, scratch_folders
from tests.workflow.folders import FIRST, LAST

SECONDS = 3600
PLAYERS = Path(__file__).parent.parent / "players"
ASSIGNMENT = """
title: Soak
game: hex
seed: 0
options: {size: 4}
time: {move: 0.5, load: 2}
limits: {memory_mb: 512}
opponents:
  - {player: random, points: 10, games: 2}
  - {player: minimax, points: 10, games: 2}
"""


def report(seconds: float = SECONDS) -> str:
    """The state of the machine before and after, and whether the honest submissions always got the same grades."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "submissions")
        for player in sorted(PLAYERS.glob("*.py")):
            (source / player.stem).mkdir(parents=True)
            shutil.copy(player, source / player.stem / "solution.py")
        for name, code in (("honest_first", FIRST), ("honest_last", LAST)):
            (source / name).mkdir(parents=True)
            (source / name / "solution.py").write_text(code, encoding="utf-8")
        (source / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
        before = _machine(Path(folder))
        grades, runs, statuses = set[str](), 0, set[int]()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            results = Path(folder, "results")
            shutil.rmtree(results, ignore_errors=True)
            command = [sys.executable, "-m", "grader", "run", str(source), "-o", str(results), "--yes"]
            environment = {**os.environ, "TMPDIR": folder}
            statuses.add(subprocess.run(command, capture_output=True, env=environment, check=False).returncode)
            grades.add(_honest(results))
            runs += 1
        time.sleep(5)
        after = _machine(Path(folder))
    rows = [[name, before[name], after[name]] for name in before]
    title = (
        f"{runs} classes in {seconds / 60:.0f} min, exit statuses {sorted(statuses)}; "
        f"different grades of the honest submissions: {len(grades)}"
    )
    return f"{title}\n\n{tabulate(rows, ['', 'before', 'after'])}"


def _honest(results: Path) -> str:
    lines = (results / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    return "\n".join(line for line in lines if "honest_" in line)


def _machine(folder: Path) -> dict[str, str | int]:
    """The traces that a run could leave behind."""
    here = Path.cwd()
    memory = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable"))
    return {
        "our processes": len(our_processes()),
        "scratch folders": len(scratch_folders(folder)) + len(scratch_folders(Path(tempfile.gettempdir()))),
        "files of attackers": len(list(here.glob("grader-attack-*")) + list(Path("/tmp").glob("grader-attack-*"))),
        "shared memory": len(list(Path("/dev/shm").iterdir())),
        "files in players' folder": len(list(PLAYERS.rglob("*"))),
        "memory available, MB": int(memory.split()[1]) // 1024,
    }
