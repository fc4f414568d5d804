"""Whom a text on the command line means."""

import pytest

from grader.errors import OptionError
from grader.intake.players import contender
from tests.intake.folders import PLAYER, make


def test_a_name_means_a_reference_player():
    found = contender("random")

    assert found.reference and found.entry is not None
    assert (found.name, found.entry.module, dict(found.options)) == ("random", "reference_players.random", {})


def test_a_reference_player_takes_options():
    found = contender("random(seed=7)")

    assert (found.name, dict(found.options)) == ("random(seed=7)", {"seed": 7})


def test_a_folder_and_a_file_mean_what_is_in_them(tmp_path):
    root = make(tmp_path, {"solution.py": PLAYER})

    for path in (root, root / "solution.py"):
        found = contender(str(path))
        assert found.entry is not None and found.entry.name == "SmartPlayer" and not found.reference
    assert contender(str(root)).name == "Ejemplo_Peña_Ríos"
    assert contender(str(root / "solution.py")).name == "solution"


def test_a_folder_without_a_player_says_why(tmp_path):
    found = contender(str(make(tmp_path, {})))

    assert found.entry is None and found.findings[0].code == "no_player"


def test_a_folder_that_is_called_like_a_reference_player_wins(tmp_path, monkeypatch):
    make(tmp_path, {"solution.py": PLAYER}, name="random")
    monkeypatch.chdir(tmp_path)

    assert not contender("random").reference


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("randon", "Did you mean 'random'?"),
        ("Random", "Did you mean 'random'?"),
        ("nobody", "The reference players are "),
        ("missing/solution.py", "no such file or folder"),
        ("solution.py", "no such file or folder"),
        ("random(7)", "write a path, or a name with options such as mcts(simulations=500)"),
        ("random(seed=open)", "write a path, or a name with options"),
        ("random(seed=1", "write a path, or a name with options"),
        ("random(**{'seed': 1})", "write a path, or a name with options"),
        ("random(sed=1)", "random has no option 'sed': did you mean 'seed'? Its options are seed"),
        ("", "write a path, or a name with options"),
        ("ran\0dom", "write a path, or a name with options"),
    ],
)
def test_a_text_that_means_nobody_says_what_would(text, said):
    with pytest.raises(OptionError) as error:
        contender(text)

    assert said in str(error.value)
    assert str(error.value).endswith(".")
