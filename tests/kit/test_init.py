"""`grader init` as a person types it."""

import re
import shlex

import pytest
import yaml

from grader.assignment import load_assignments
from grader.assignment.model import Late
from tests.command import grader


def test_it_lists_what_it_wrote_and_what_to_do_next(tmp_path):
    done = grader("init", "kit", "--lang", "en", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    listed = [line.strip() for line in done.stdout.splitlines() if line.startswith("  kit/")]
    assert listed == [
        "kit/handout/README.md",
        "kit/handout/solution.py",
        "kit/handout/player.py",
        "kit/handout/board.py",
        "kit/handout/assignment.yaml",
        "kit/assignment.yaml",
    ]
    assert all((tmp_path / file).is_file() for file in listed)
    assert "grader run SUBMISSIONS/ -c kit/assignment.yaml" in done.stdout


def test_the_kit_of_a_folder_with_accents_and_spaces_in_spanish(tmp_path):
    done = grader("init", "Práctica 2 – año", "--game", "desconecta4", "--lang", "es", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    folder = tmp_path / "Práctica 2 – año"
    assert (folder / "handout/ENUNCIADO.md").is_file() and (folder / "handout/environment.py").is_file()
    assert load_assignments(folder / "assignment.yaml")[0].language == "es"
    for file in ("assignment.yaml", "handout/assignment.yaml"):
        assert "# como lo muestran los informes" in (folder / file).read_text(encoding="utf-8")


def test_the_example_of_a_penalty_says_when_it_is_due(tmp_path):
    grader("init", "kit", cwd=tmp_path)

    written = (tmp_path / "kit/assignment.yaml").read_text(encoding="utf-8")
    (line,) = re.findall("^# late: (.*}).*$", written, re.MULTILINE)
    assert Late.model_validate(yaml.safe_load(line)).due is not None


def test_what_is_there_is_never_lost_without_force(tmp_path):
    grader("init", "kit", cwd=tmp_path)
    mine = tmp_path / "kit/handout/solution.py"
    mine.write_text("mine", encoding="utf-8")
    (tmp_path / "kit/handout/board.py").unlink()

    refused = grader("init", "kit", "--lang", "en", cwd=tmp_path)

    assert refused.returncode == 2
    assert "kit/handout/solution.py" in refused.stderr and "--force" in refused.stderr
    assert mine.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "kit/handout/board.py").exists(), "nothing is written where something is refused"
    assert grader("init", "kit", "--force", cwd=tmp_path).returncode == 0
    assert "SmartPlayer" in mine.read_text(encoding="utf-8")


def test_the_options_go_into_board_statement_and_assignment_alike(tmp_path):
    grader("init", "kit", "--size", "9", "--adjacency", "even-r", "--time", "2.5", "--lang", "en", cwd=tmp_path)

    kit = tmp_path / "kit"
    (assignment,) = load_assignments(kit / "assignment.yaml")
    assert (assignment.options, assignment.time.move) == ({"size": 9, "adjacency": "even-r"}, 2.5)
    told = (kit / "handout/README.md").read_text(encoding="utf-8")
    assert "9×9" in told and "2.5 s for each move" in told and "half a cell" in told
    assert 'adjacency="even-r"' in (kit / "handout/board.py").read_text(encoding="utf-8")


def test_the_command_that_it_names_makes_the_hand_out_again_and_leaves_my_comments(tmp_path):
    told = grader("init", "my kit", "--lang", "en", cwd=tmp_path).stdout
    file = tmp_path / "my kit/assignment.yaml"
    file.write_text("# agreed on in May\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "my kit/handout/board.py").unlink()
    command = shlex.split(told.partition("After a change, `")[2].partition("`")[0])

    done = grader(*command[1:], cwd=tmp_path)

    assert command[0] == "grader" and done.returncode == 0, done.stderr
    assert file.read_text(encoding="utf-8").startswith("# agreed on in May\n")
    assert (tmp_path / "my kit/handout/board.py").is_file()
    assert "my kit/assignment.yaml\n" not in done.stdout.partition("What to do next")[0]


def test_the_kit_of_an_assignment_that_was_changed_is_made_again(tmp_path):
    grader("init", "kit", "--lang", "es", cwd=tmp_path)
    file = tmp_path / "kit/assignment.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("size: 11", "size: 13"), encoding="utf-8")

    done = grader("init", "kit", "-c", "kit/assignment.yaml", "--force", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "13×13" in (tmp_path / "kit/handout/ENUNCIADO.md").read_text(encoding="utf-8"), (
        "in the assignment's language"
    )
    assert load_assignments(file)[0].options["size"] == 13


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--game", "chess"], "chess", id="no such game"),
        pytest.param(["--game", "desconecta4", "--size", "9"], "no option 'size'", id="a size without a board of Hex"),
        pytest.param(["--size", "27"], "27", id="too large"),
        pytest.param(["-c", "two.yaml"], "--game", id="two assignments"),
        pytest.param(["-c", "one.yaml", "--game", "hex"], "no assignment for hex", id="an assignment for another game"),
        pytest.param(["-c", "bad.yaml"], "bad.yaml:1:1", id="no assignment at all"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(tmp_path, arguments, said):
    (tmp_path / "one.yaml").write_text("game: desconecta4\n", encoding="utf-8")
    (tmp_path / "two.yaml").write_text("game: hex\n---\ngame: desconecta4\n", encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("- 1\n", encoding="utf-8")

    done = grader("init", "kit", *arguments, "--lang", "en", cwd=tmp_path)

    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "kit").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")

    done = grader("init", "file/kit", "--lang", "en", cwd=tmp_path)

    assert done.returncode == 1
    assert "name another folder" in done.stderr and "Traceback" not in done.stderr
