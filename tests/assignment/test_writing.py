"""An assignment that is written and read back stays the same."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.assignment import Assignment, Opponent, builtin_assignment, read_assignments, render_assignment
from grader.assignment.model import FORBIDDABLE
from grader.games import installed_games

TEXT = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Cn"]), min_size=1, max_size=20).filter(
    str.strip
)
WORDS = st.sampled_from(
    ["no", "null", "~", "1", "1e3", "- a", "a: b", "#", "a #b", "'", '"', "{a}", "&a", "*a", "!a", "%"]
)
NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
PLAIN = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(-1e17, 1e17) | TEXT | WORDS
SECONDS = st.floats(0.01, 86_400) | st.integers(1, 60)
SHARES = st.floats(0, 1)


def some(**fields):
    """A mapping with some of these fields."""
    return st.fixed_dictionaries({}, optional=fields)


TIMES = some(move=SECONDS, load=SECONDS, grace=st.floats(0, 60)) | st.fixed_dictionaries(
    {"bank": SECONDS}, optional={"increment": st.floats(0, 3600)}
)
LINEAR = st.tuples(SHARES, SHARES).filter(lambda pair: pair[0] < pair[1])
SCORINGS = LINEAR.map(lambda pair: {"linear": {"from": pair[0], "to": pair[1]}}) | st.just({"threshold": {"wins": 2}})
OPPONENTS = st.fixed_dictionaries(
    {"player": NAMES | TEXT, "points": st.floats(1, 100), "games": st.integers(1, 5).map(lambda half: 2 * half)},
    optional={
        "options": st.dictionaries(NAMES, PLAIN, max_size=3),
        "name": TEXT | WORDS,
        "scoring": SCORINGS,
        "hidden": st.booleans(),
        "disqualify_on_loss": st.booleans(),
    },
)
ASSIGNMENTS = st.fixed_dictionaries(
    {
        "title": TEXT | WORDS,
        "game": st.sampled_from(list(installed_games())),
        "opponents": st.lists(
            OPPONENTS, min_size=1, max_size=3, unique_by=lambda data: Opponent.model_validate(data).name
        ),
    },
    optional={
        "entry": st.sampled_from(["solution.py", "src/my player.py:Smart.Player"]),
        "extended_board": st.booleans(),
        "time": TIMES,
        "overrun": st.sampled_from(["forfeit", "disqualify", "random-move"]),
        "limits": some(memory_mb=st.integers(64, 4096), scratch_mb=st.integers(0, 9)),
        "isolation": st.sampled_from(["none", "basic", "good", "strong"]),
        "forbidden": st.lists(st.sampled_from(FORBIDDABLE)),
        "forbidden_imports": st.lists(NAMES),
        "speed_share": SHARES,
        "maximum": st.just(10),
        "round": st.sampled_from([0.01, 0.25]),
        "lifetime": st.sampled_from(["game", "pairing"]),
        "seed": st.none() | st.integers(0, 2**128 - 1),
        "late": st.none() | some(percent_per_day=st.floats(0, 100), at_most=st.floats(0, 100)),
        "language": st.sampled_from(["en", "es", None]),
    },
).map(Assignment.model_validate)


@given(ASSIGNMENTS)
def test_a_rendered_assignment_reads_back_the_same(assignment):
    assert read_assignments(render_assignment(assignment).encode(), "again.yaml") == (assignment,)


@given(ASSIGNMENTS)
@settings(max_examples=20)
def test_any_yaml_reader_understands_a_rendered_assignment(assignment):
    read = yaml.safe_load(render_assignment(assignment))

    assert (read["title"], read["game"]) == (assignment.title, assignment.game)


@pytest.mark.parametrize("game", installed_games())
def test_a_rendered_assignment_explains_every_field(game):
    text = render_assignment(builtin_assignment(game))
    comments = " ".join(text.replace("#", " ").split())

    for name, info in Assignment.model_fields.items():
        field = info.alias or name
        assert f"\n{field}: " in f"\n{text}" or f"\n{field}:\n" in text or f"\n# {field}: " in text
    for field, info in Opponent.model_fields.items():
        assert f"#   {field}:" in text and str(info.description) in comments
    assert max(map(len, text.splitlines())) <= 110


def test_the_examples_can_be_uncommented():
    text = render_assignment(builtin_assignment("hex"))
    for example in ("entry: ", "late: ", "language: ", "maximum: ", "round: ", "pass: "):
        text = text.replace(f"\n# {example}", f"\n{example}")

    (assignment,) = read_assignments(text.encode(), "again.yaml")

    assert assignment.entry == "solution.py:SmartPlayer"
    assert assignment.late is not None and assignment.late.at_most == 50
    assert assignment.language == "en"
    assert (assignment.maximum, assignment.round_to, assignment.pass_mark) == (10, 0.1, 5)


def test_the_name_of_an_opponent_follows_its_options():
    text = render_assignment(builtin_assignment("desconecta4")).replace("depth: 4", "depth: 6")

    assert [opponent.name for opponent in read_assignments(text.encode(), "again.yaml")[0].opponents] == [
        "random",
        "alphabeta(depth=2)",
        "alphabeta(depth=6)",
        "alphabeta(depth=8)",
    ]
