"""GitHub Actions: the workflow that grades a repository on every push and reports the points to Classroom.

Classroom requires these names for the workflow and its job. The grader is included as a wheel. The workflow calls `pip`
directly, because `python -m pip` would import the student's files first.
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
      - name: Check out the repository
        uses: actions/checkout@v4
      - name: Set up Python
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
          # No file means that it could not be graded: the step fails, so that this is not reported as zero points.
          result=$(cat "$RUNNER_TEMP"/classroom/*.base64)
          echo "result=$result" >> "$GITHUB_OUTPUT"
      - name: Report
        uses: classroom-resources/autograding-grading-reporter@v1
        env:
          GRADER_RESULTS: "${{{{ steps.grader.outputs.result }}}}"
        with:
          runners: grader
"""


def build(assignments: tuple[Assignment, ...]) -> dict[str, bytes]:
    """The files for these assignments, by their path in the repository.

    Raises `OptionError` if one of the course's own opponents is hidden: students can read the repository.
    """
    for opponent in (opponent for assignment in assignments for opponent in assignment.opponents):
        if opponent.hidden and opponent.is_own:
            raise OptionError(
                say(
                    "The opponent {name} is hidden, but students could read its code in the repository. Remove it from the "
                    "assignment for GitHub, or use the Gradescope autograder.",
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
