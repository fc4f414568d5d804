"""The progress of a run on a terminal shows which games are being played, and how far each of them is."""

import io
import sys
import time

import pytest
from rich.console import Console

from grader.cli.live_progress import render_progress
from grader.cli.progress import ProgressLines
from grader.competition.progress import Progress, RunningJob
from grader.language import language, say
from grader.scoring.pace import TimeLeft
from tests.workflow.folders import ASSIGNMENT, FIRST, folder


def running(name: str, opponent: str, seconds: float, *, game: int = 0, move: int, games: int = 1, attempt: int = 1):
    pair = say("{name} against {opponent}", name=name, opponent=opponent)
    return RunningJob(pair, games, lambda: (game, move), time.monotonic() - seconds, attempt)


def shown(progress: Progress, width: int = 80, lang: str = "en") -> list[str]:
    console = Console(file=io.StringIO(), width=width, height=24, force_terminal=True, color_system=None)
    console.print(render_progress(progress, language(lang), console))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return [line.rstrip() for line in text.splitlines()]


@pytest.fixture
def progress() -> Progress:
    games = {
        "a": running("Ana Pérez", "minimax", 12, move=23),
        "b": running("Luis Gil", "mcts(simulations=500)", 1, move=0),
        "c": running("Eva Sanz", "random", 70, game=1, move=5, games=4, attempt=2),
    }
    last = say("{pair}: {result}", pair="Zoé against random", result="won (connected)")
    return Progress(say("Playing"), 66, 22, last=last, running=games, left=TimeLeft(90, "Eva Sanz", 0.8, 35))


def test_running_games_are_listed_with_their_players_and_moves_the_oldest_first(progress):
    head, mostly, *games, last = shown(progress)

    assert head.startswith("Playing ━") and head.endswith("22/66 about 1.5 min left")
    assert mostly == "  mostly for Eva Sanz (35 s per game)"
    assert [" ".join(line.split()) for line in games] == [
        "Eva Sanz against random game 2 of 4, move 5 (attempt 2) 70 s",
        "Ana Pérez against minimax move 23 12 s",
        "Luis Gil against mcts(simulations=500) starting 1 s",
    ]
    assert last == "Last: Zoé against random: won (connected)"


WAITING = say("Waiting for the machine to become less busy: {n} game to play again", "… {n} games", n=1)


def test_a_wait_for_a_busy_machine_is_shown(progress):
    progress.running, progress.waiting = {}, WAITING

    assert shown(progress)[-2] == WAITING


def test_without_a_terminal_a_wait_is_reported_once_in_a_while(progress, capsys):
    lines = ProgressLines(language("en"))
    lines(progress)
    progress.waiting = WAITING
    lines(progress)
    lines(progress)

    assert capsys.readouterr().err.splitlines()[1:] == [WAITING]


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("width", [80, 60, 40])
def test_every_line_fits_the_terminal(progress, width, lang):
    progress.last = "x" * 200
    lines = shown(progress, width, lang)

    assert max(map(len, lines)) <= width and len(lines) == 6


def test_many_workers_do_not_fill_the_screen(progress):
    progress.running = {str(at): running(f"student {at}", "random", at, move=at) for at in range(64)}

    assert len(shown(progress)) == 12
    assert "  … and 56 more games" in shown(progress)


def test_names_of_students_cannot_control_the_terminal(progress):
    progress.running = {"a": running("\x1b[2J[bold]Ana\nForged", "random", 1, move=1)}

    assert any(line.startswith(r"  \x1b[2J[bold]Ana Forged against random") for line in shown(progress))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_run_at_a_terminal_shows_moves_while_games_are_played(tmp_path):
    from tests.cli.terminal import Terminal  # here: it does not work on Windows

    slow = FIRST.replace("        return", "        import time; time.sleep(0.8)\n        return", 1)
    source = folder(tmp_path / "in", ASSIGNMENT, ana=slow)
    with Terminal("run", source, "-o", "out", "-j", "1", cwd=tmp_path, LANGUAGE="en") as terminal:
        terminal.until("ana against ")
        terminal.until("move 2")
        terminal.interrupt("Finished games are saved")

        assert terminal.status() == 130
        assert terminal.is_restored()
