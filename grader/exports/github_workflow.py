"""GitHub Actions: the workflow that grades a repository at every push and reports the points to Classroom.

Classroom insists on the names of the workflow and of its job. The grader comes along as a wheel. `pip` is called by its own
name, because `python -m pip` would first look for it among the student's files.
"""

from grader.assignment import Assignment
from grader.errors import OptionError
from grader.exports.course_folder import course_folder
from grader.exports.wheel import build_wheel
from grader.language import say

FOLDER = ".github/grader"
WORKFLOW = ".github/workflows/classroom.yml"

_TEXT = """\
name: Autograding Tests
on:
  - push
  - workflow_dispatch
permissions:
  checks: write
  actions: read
  contents: read
jobs:
  run-autograding-tests:
    runs-on: ubuntu-latest
    if: github.actor != 'github-classroom[bot]'
    steps:
      - name: Check the repository out
        uses: actions/checkout@v4
      - name: Set Python up
        uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - name: Install the grader
        run: |
          sudo apt-get update
          sudo apt-get install -y --no-install-recommends bubblewrap
          pip install {folder}/grader-*.whl
      - name: Grade
        id: grader
        run: |
          grader run . --single -c {folder}/assignment.yaml -o "$RUNNER_TEMP/results" --yes || [ $? -eq 1 ]
          grader export github-classroom "$RUNNER_TEMP/results" -o "$RUNNER_TEMP/classroom" || [ $? -eq 1 ]
          echo "result=$(cat "$RUNNER_TEMP"/classroom/*.base64)" >> "$GITHUB_OUTPUT"
      - name: Report
        uses: classroom-resources/autograding-grading-reporter@v1
        env:
          GRADER_RESULTS: "${{{{ steps.grader.outputs.result }}}}"
        with:
          runners: grader
"""


def build(assignments: tuple[Assignment, ...]) -> dict[str, bytes]:
    """The files for these assignments, by their place in the repository.

    Raises `OptionError` for a hidden opponent of the course's own: students read the repository.
    """
    for opponent in (opponent for assignment in assignments for opponent in assignment.opponents):
        if opponent.hidden and opponent.is_own:
            raise OptionError(
                say(
                    "{name} is hidden, and students could read its code in the repository: leave it out of the assignment for "
                    "GitHub, or use the Gradescope autograder.",
                    name=opponent.name,
                )
            )
    name, grader = build_wheel()
    public = tuple(assignment.model_copy(update={"overrides": {}}) for assignment in assignments)
    return {
        WORKFLOW: _TEXT.format(folder=FOLDER).encode(),
        **{f"{FOLDER}/{file}": content for file, content in course_folder(public).items()},
        f"{FOLDER}/{name}": grader,
    }
