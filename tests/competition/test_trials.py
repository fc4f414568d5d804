"""Which trials are remembered: a success as long as nothing has changed, a failure never."""

from dataclasses import replace

import pytest

from grader.competition import prepare
from grader.competition.records import Setup
from grader.competition.trials import try_players
from grader.engine.jobs import Trial
from grader.inspection.entry import choose_player
from grader.inspection.environment import environment, imported_packages, installed_packages, preloaded_modules
from grader.inspection.submission_code import read_code
from grader.records import Ending, Fault
from grader.store import Store
from grader.workflow import make_request
from tests.intake.folders import PLAYER, make
from tests.workflow.folders import folder

FAILED = Trial(fault=Fault(ending=Ending.LOAD_ERROR, text="No module named 'intbitset'", help=""))


class ScriptedEngine:
    """Answers every trial with the same result, and counts them."""

    workers = 1

    def __init__(self, outcome: Trial) -> None:
        self.outcome, self.jobs = outcome, 0

    def run(self, _play, next_job, done, _observer) -> None:
        while (job := next_job()) is not None:
            self.jobs += 1
            done(job, self.outcome)


def test_a_failure_to_load_is_tried_again_with_every_run_and_a_success_is_remembered(tmp_path):
    setup = _setup(tmp_path)

    assert [_tries(setup, tmp_path, outcome) for outcome in (FAILED, FAILED, Trial(fault=None), FAILED)] == [1, 1, 1, 0]


def test_a_success_is_tried_again_after_a_package_or_python_has_changed(tmp_path):
    setup = _setup(tmp_path)
    upgraded = _with_environment(setup, {"python": "3.99"})

    assert [_tries(each, tmp_path, Trial(fault=None)) for each in (setup, setup, upgraded)] == [1, 0, 1]


def test_the_environment_of_a_player_is_what_its_own_code_imports(tmp_path):
    files = {
        "solution.py": f"import numpy as np, zz_missing\nfrom parts import x\n{PLAYER}",
        "parts.py": "import click.core\nx = 1\n",
        "unused.py": "import yaml\n",
    }
    code = read_code(make(tmp_path, files))
    entry = choose_player(code).entry
    assert entry is not None

    imported = imported_packages(code, entry)
    found = environment(imported, installed_packages(imported))

    assert imported == {"numpy", "click", "zz_missing", "player"}
    assert set(found) == {"python", "numpy", "click"}, "what is not installed changes it once it is"
    assert found["numpy"].startswith("numpy ") and found["click"].startswith("click ") and found["python"][0] == "3"


@pytest.mark.parametrize(
    ("files", "loaded"),
    [
        pytest.param({"solution.py": "import numpy as np\n"}, ("numpy",), id="a library"),
        pytest.param(
            {"solution.py": "from scipy import ndimage\nimport scipy.conftest, click\n"},
            ("scipy", "scipy.ndimage"),
            id="a part",
        ),
        pytest.param(
            {"solution.py": "from more import x\n", "more.py": "import numpy\nx = 1\n"}, ("numpy",), id="its files"
        ),
        pytest.param(
            {"solution.py": "import numpy\n", "platform.py": "x = 1\n"}, (), id="a file that hides one of Python's"
        ),
        pytest.param({"solution.py": "import numpy\n", "numpy.py": "x = 1\n"}, (), id="a file of its own"),
    ],
)
def test_only_well_known_libraries_are_loaded_before_the_player(tmp_path, files, loaded):
    code = read_code(make(tmp_path, {**files, "solution.py": files["solution.py"] + PLAYER}))
    entry = choose_player(code).entry
    assert entry is not None

    assert preloaded_modules(code, entry) == loaded


def _setup(at) -> Setup:
    request = make_request(folder(at / "in", ana=PLAYER), at / "out")
    return prepare.prepare(request, at / "staging")


def _with_environment(setup: Setup, packages: dict[str, str]) -> Setup:
    (entrant,) = setup.entrants
    return replace(setup, entrants=(replace(entrant, identity={**entrant.identity, "environment": packages}),))


def _tries(setup: Setup, at, outcome: Trial) -> int:
    """How many players are tried in a run whose trials all end like this."""
    engine = ScriptedEngine(outcome)
    with Store(at / "out") as store:
        try_players(setup, engine, store, lambda _: None)  # type: ignore[arg-type]  # it has all that a trial needs
    return engine.jobs
