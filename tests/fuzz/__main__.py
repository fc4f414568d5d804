"""Search for inputs that break a target, guided by coverage: `python -m tests.fuzz TARGET [SECONDS]` (extra `[fuzz]`).

What is found is written to the current folder as `crash-…`: put it into tests/fuzz/data/TARGET/ together with the mending.
"""

import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

KEPT = Path(__file__).parent / "data"


def main() -> None:
    if find_spec("atheris") is None:
        sys.exit("the package atheris is not installed: install it with `pip install '.[fuzz]'` in the grader's folder")
    import atheris

    with atheris.instrument_imports(include=["grader"]):
        from tests.fuzz.targets import TARGETS

    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"name a target: {', '.join(TARGETS)}")
    name, seconds = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "60"
    options = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", "-max_len=65536"]
    with tempfile.TemporaryDirectory() as corpus:
        folders = [corpus, str(KEPT / name)] if (KEPT / name).is_dir() else [corpus]
        searching = os.fork()  # libFuzzer ends its process at once, and would leave the folder behind
        if not searching:
            atheris.Setup([sys.argv[0], *options, *folders], TARGETS[name])
            atheris.Fuzz()
        _, status = os.waitpid(searching, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
