"""Search for inputs that break a target, guided by coverage: `python -m tests.fuzz TARGET [SECONDS]` (extra `[fuzz]`).

Inputs that it finds are written to the current folder as `crash-…`: add them to tests/fuzz/data/TARGET/ together with the fix.
"""

import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

DATA = Path(__file__).parent / "data"


def main() -> None:
    if find_spec("atheris") is None:
        sys.exit("atheris is not installed: run `pip install '.[fuzz]'` in the grader's folder")
    import atheris

    with atheris.instrument_imports(include=["grader"]):
        from tests.fuzz.targets import TARGETS

    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"choose a target: {', '.join(TARGETS)}")
    name, seconds = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "60"
    options = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", "-max_len=65536"]
    with tempfile.TemporaryDirectory() as corpus:
        folders = [corpus, str(DATA / name)] if (DATA / name).is_dir() else [corpus]
        child = os.fork()  # libFuzzer ends its process abruptly, which would leave the folder behind
        if not child:
            atheris.Setup([sys.argv[0], *options, *folders], TARGETS[name])
            atheris.Fuzz()
        _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
