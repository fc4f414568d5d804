"""What a player does that it will not be granted where it is graded, as far as its text tells."""

from grader.intake.files import shown
from grader.intake.source import Source
from grader.records import Finding

_PROCESSES = (
    *("subprocess.", "multiprocessing.Pool", "multiprocessing.Process", "multiprocessing.Manager"),
    *("multiprocessing.pool.Pool", "multiprocessing.get_context", "multiprocessing.set_start_method"),
    *("concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process.", "joblib.Parallel"),
    *("os.system", "os.popen", "os.fork", "os.spawn", "os.exec", "os.posix_spawn", "pty."),
)
_NETWORK = ("socket.", "urllib.request.", "http.client.", "requests.", "httpx.", "aiohttp.")


def not_granted(sources: list[Source]) -> list[Finding]:
    """A finding for each file that starts processes (a pool, a compiler) or uses the network, at the first such line."""
    findings = []
    for source in sources:
        for code, what, calls, instead in (
            ("starts_processes", "starts processes", _PROCESSES, "Do the work in Python, in the player's own process."),
            ("uses_network", "uses the network", _NETWORK, "Ship what the player needs in its folder."),
        ):
            used = next(((call, line) for call, line in source.calls if call.startswith(calls)), None)
            if used is not None:
                findings.append(
                    Finding(
                        code=code,
                        file=shown(source.file),
                        line=used[1],
                        text=f"{shown(source.file)}:{used[1]} {what} ({used[0]}), which is not granted to a player.",
                        help=instead,
                    )
                )
    return findings
