"""The command `grader init`."""

import re
import shlex

import pytest
import yaml

from grader.assignment import load_assignments
from grader.assignment.model import Late
from tests.command import ENGLISH, grader


def test_it_lists_the_files_and_the_next_steps(tmp_path):
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


def test_a_spanish_kit_in_a_folder_with_accents_and_spaces(tmp_path):
    done = grader("init", "Práctica 2 – año", "--game", "desconecta4", "--lang", "es", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    folder = tmp_path / "Práctica 2 – año"
    assert (folder / "handout/ENUNCIADO.md").is_file() and (folder / "handout/environment.py").is_file()
    assert load_assignments(folder / "assignment.yaml")[0].language == "es"
    for file in ("assignment.yaml", "handout/assignment.yaml"):
        assert "# aparece en los informes" in (folder / file).read_text(encoding="utf-8")


def test_the_example_of_a_late_penalty_has_a_due_date(tmp_path):
    grader("init", "kit", cwd=tmp_path)

    text = (tmp_path / "kit/assignment.yaml").read_text(encoding="utf-8")
    (line,) = re.findall("^# late: (.*}).*$", text, re.MULTILINE)
    assert Late.model_validate(yaml.safe_load(line)).due is not None


def test_existing_files_are_overwritten_only_with_force(tmp_path):
    grader("init", "kit", cwd=tmp_path)
    mine = tmp_path / "kit/handout/solution.py"
    mine.write_text("mine", encoding="utf-8")
    (tmp_path / "kit/handout/board.py").unlink()

    refused = grader("init", "kit", "--lang", "en", cwd=tmp_path)

    assert refused.returncode == 2
    assert "kit/handout/solution.py" in refused.stderr and "--force" in refused.stderr
    assert mine.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "kit/handout/board.py").exists(), "nothing is written if a file exists"
    assert grader("init", "kit", "--force", cwd=tmp_path).returncode == 0
    assert "SmartPlayer" in mine.read_text(encoding="utf-8")


def test_the_options_appear_in_the_board_the_statement_and_the_assignment(tmp_path):
    grader("init", "kit", "--size", "9", "--adjacency", "even-r", "--time", "2.5", "--lang", "en", cwd=tmp_path)

    kit = tmp_path / "kit"
    (assignment,) = load_assignments(kit / "assignment.yaml")
    assert (assignment.options, assignment.time.move) == ({"size": 9, "adjacency": "even-r"}, 2.5)
    statement = (kit / "handout/README.md").read_text(encoding="utf-8")
    assert "9×9" in statement and "2.5 s per move" in statement and "half a cell" in statement
    assert 'adjacency="even-r"' in (kit / "handout/board.py").read_text(encoding="utf-8")


def test_the_suggested_command_updates_the_handout_and_keeps_comments_in_the_assignment(tmp_path):
    output = grader("init", "my kit", "--lang", "en", cwd=tmp_path).stdout
    file = tmp_path / "my kit/assignment.yaml"
    file.write_text("# agreed on in May\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "my kit/handout/board.py").unlink()
    command = shlex.split(output.partition("update the handout with `")[2].partition("`")[0])

    done = grader(*command[1:], cwd=tmp_path)

    assert command[0] == "grader" and done.returncode == 0, done.stderr
    assert file.read_text(encoding="utf-8").startswith("# agreed on in May\n")
    assert (tmp_path / "my kit/handout/board.py").is_file()
    assert "my kit/assignment.yaml\n" not in done.stdout.partition("Next steps")[0]


def test_force_updates_the_kit_after_a_change_of_the_assignment(tmp_path):
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
    ("arguments", "message"),
    [
        pytest.param(["--game", "chess"], "chess", id="no such game"),
        pytest.param(["--game", "desconecta4", "--size", "9"], "no option 'size'", id="an option of another game"),
        pytest.param(["--size", "27"], "27", id="too large"),
        pytest.param(["-c", "two.yaml"], "--game", id="two assignments"),
        pytest.param(["-c", "one.yaml", "--game", "hex"], "no assignment for hex", id="an assignment for another game"),
        pytest.param(["-c", "bad.yaml"], "bad.yaml:1:1", id="not an assignment"),
    ],
)
def test_a_mistake_is_reported_and_nothing_is_written(tmp_path, arguments, message):
    (tmp_path / "one.yaml").write_text("game: desconecta4\n", encoding="utf-8")
    (tmp_path / "two.yaml").write_text("game: hex\n---\ngame: desconecta4\n", encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("- 1\n", encoding="utf-8")

    done = grader("init", "kit", *arguments, "--lang", "en", cwd=tmp_path)

    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "kit").exists()


def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")

    done = grader("init", "file/kit", "--lang", "en", cwd=tmp_path)

    assert done.returncode == 1
    assert "choose another folder" in done.stderr and "Traceback" not in done.stderr


def test_the_speed_of_this_machine_is_written_for_students_if_asked_for(tmp_path):
    environment = {**ENGLISH, "GRADER_SPEED": "0.55"}
    done = grader("init", "kit", "--this-machine", "--lang", "en", cwd=tmp_path, environment=environment)

    assert done.returncode == 0, done.stderr
    for file in ("kit/assignment.yaml", "kit/handout/assignment.yaml"):
        assert load_assignments(tmp_path / file, trusted=True)[0].time.machine_speed == 0.55


def test_a_handout_with_scaled_limits_says_for_which_machine_they_hold(tmp_path):
    scaled = tmp_path / "assignment.yaml"
    scaled.write_text("game: hex\ntitle: Hex\ntime: {move: 5, reference_speed: 1.0}\n", encoding="utf-8")
    done = grader("init", "kit", "-c", scaled, "--lang", "en", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    statement = (tmp_path / "kit/handout/README.md").read_text(encoding="utf-8")
    assert "These times hold for a machine of speed 1, and are scaled" in statement
    assert load_assignments(tmp_path / "kit/handout/assignment.yaml")[0].time.reference_speed == 1.0
    refused = grader("init", "other", "-c", scaled, "--this-machine", "--lang", "en", cwd=tmp_path)
    assert refused.returncode == 2 and "--this-machine has no effect with reference_speed" in refused.stderr
