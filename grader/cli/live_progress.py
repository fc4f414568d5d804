"""The progress of a run on a terminal: a bar, the time left, and the games that are being played with their moves."""

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grader.cli.output import make_console, screen_text
from grader.competition.progress import Progress, RunningJob
from grader.language import Language, Message, say
from grader.scoring.estimate import duration

BAR = 20
"""The width of the bar."""
_MOST, _LONG = 0.5, 60.0
"""A submission is named if its games take more than this share of the time that is left, and that is more than this many seconds."""
_MOST_RUNNING = 8
"""How many running games are listed."""


class LiveProgress:
    """Draws the progress below what has been printed, and removes it at the end.

    Only the grader's own thread draws, between results and about twice a second while it waits for them.
    """

    def __init__(self, speak: Language) -> None:
        self._speak = speak
        self._live: Live | None = None

    def __call__(self, progress: Progress) -> None:
        """Show a step."""
        self.refresh(progress)

    def refresh(self, progress: Progress) -> None:
        """Show which moves the running games have reached."""
        if self._live is None:
            self._live = Live(console=make_console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(render_progress(progress, self._speak, self._live.console), refresh=True)

    def close(self) -> None:
        """Remove everything that was drawn."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def render_progress(progress: Progress, speak: Language, console: Console) -> RenderableType:
    """The bar, the running games, and the last result, each in lines that are as wide as the console."""
    head = Table.grid(padding=(0, 1))
    left = time_left(progress)
    count = f"{progress.done}/{progress.total}"
    cells: list[RenderableType] = [
        _line(speak(progress.phase)),
        ProgressBar(progress.total or 1, progress.done, width=BAR),
        _line(count),
    ]
    head.add_row(*cells, _line("" if left is None else speak(left)))
    lines: list[RenderableType] = [head]
    if (mostly := slowest_submission(progress)) is not None:
        lines.append(_line(f"  {speak(mostly)}"))
    room = max(1, min(_MOST_RUNNING, console.height - 6))
    running = sorted(progress.running.values(), key=lambda job: job.since)
    if running:
        lines.append(_running_table(running[:room], speak))
    if len(running) > room:
        more = len(running) - room
        lines.append(_line("  " + speak.say("… and {n} more game", "… and {n} more games", n=more)))
    if progress.waiting:
        lines.append(_line(speak(progress.waiting)))
    if progress.last:
        lines.append(_line(speak.say("Last: {result}", result=progress.last)))
    return Group(*lines)


def time_left(progress: Progress) -> Message | None:
    """How long the rest will take, if that is known."""
    if progress.left is None or progress.done == progress.total:
        return None
    return say("about {time} left", time=duration(progress.left.seconds))


def slowest_submission(progress: Progress) -> Message | None:
    """The submission that most of the remaining time is for, if that is long."""
    left = progress.left
    if left is None or progress.done == progress.total or left.share <= _MOST or left.seconds < _LONG:
        return None
    return say("mostly for {name} ({seconds} per game)", name=left.slowest, seconds=duration(left.per_game))


def _running_table(jobs: list[RunningJob], speak: Language) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, justify="right")
    for job in jobs:
        table.add_row(_line(f"  {speak(job.what)}"), _line(speak(_reached(job))), _line(speak(duration(job.seconds))))
    return table


def _reached(job: RunningJob) -> Message | str:
    if not job.games:
        return ""
    game, move = job.reached()
    text = say("move {move}", move=move) if move else say("starting")
    if job.games > 1:
        text = say("game {game} of {games}, {move}", game=game + 1, games=job.games, move=text)
    return say("{move} (attempt {attempt})", move=text, attempt=job.attempt) if job.attempt > 1 else text


def _line(text: str) -> Text:
    """A text on one line, cut if it is too long."""
    line = screen_text(text.replace("\n", " "))
    line.no_wrap, line.overflow = True, "ellipsis"
    return line
