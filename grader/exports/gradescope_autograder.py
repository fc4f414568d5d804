"""Gradescope: the autograder zip, with `setup.sh` and `run_autograder` at its root and everything they need.

It contains a wheel of the running grader. The dependencies are downloaded by pip once, when Gradescope builds the image.
"""

from grader.assignment import Assignment
from grader.exports.course_folder import course_folder
from grader.exports.wheel import build_wheel
from grader.exports.zip_packing import pack_zip

EXECUTABLE = ("setup.sh", "run_autograder")

SETUP = """\
#!/usr/bin/env bash
# Runs once, as root, when Gradescope builds the image.
set -euo pipefail

home="${AUTOGRADER_HOME:-/autograder}"

apt-get update
apt-get install -y --no-install-recommends python3 python3-venv bubblewrap
python3 -m venv "$home/venv"
"$home/venv/bin/pip" install --no-cache-dir "$home"/source/grader-*.whl
"$home/venv/bin/grader" doctor
"""

RUN = """\
#!/usr/bin/env bash
# Runs for each submission. The grader rewrites results.json after every game, so that finished games count even if
# Gradescope's time limit ends the run early.
set -uo pipefail

home="${AUTOGRADER_HOME:-/autograder}"
grader="${AUTOGRADER_GRADER:-$home/venv/bin/grader}"
results="$home/results/results.json"

# Copy just the submission and Gradescope's metadata (if any), so that the grader recognises the folder.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir "$work/in" "$home/results" 2>/dev/null
cp -R "$home/submission" "$work/in/submission"
cp "$home/submission_metadata.json" "$work/in/" || : > "$work/in/submission_metadata.json"

cd "$work"
"$grader" run in -c "$home/source/assignment.yaml" -o "$work/results" --gradescope "$results" --yes

# Always leave a result to show: Gradescope does not display the exit status of this script.
if [ ! -s "$results" ]; then
  printf '%s\\n' '{"score": 0, "stdout_visibility": "hidden", "output": "The grader could not be started. This is not your fault: tell your instructor."}' > "$results"
fi
"""


def build(assignments: tuple[Assignment, ...]) -> bytes:
    """The zip for these assignments."""
    name, grader = build_wheel()
    return pack_zip(
        {
            "setup.sh": SETUP.encode(),
            "run_autograder": RUN.encode(),
            **course_folder(assignments),
            name: grader,
        },
        executable=EXECUTABLE,
    )
