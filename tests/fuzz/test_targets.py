"""Every target holds for all kinds of bytes: `targets` asserts what must be true, and unexpected errors fail."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import TARGETS

DATA = Path(__file__).parent / "data"
SEEDS = sorted(path for path in DATA.rglob("*") if path.is_file())

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_inputs_that_once_failed_are_handled(seed):
    TARGETS[seed.parent.name](seed.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=2000))
def test_any_bytes_give_a_value_or_a_clear_error(name, data):
    TARGETS[name](data)


@pytest.mark.parametrize(
    "name", ["wire", "record", "assignment", "letter", "metadata", "note", "slurm", "answer", "cells"]
)
@settings(max_examples=60, deadline=None)
@given(data=JSON)
@example(data={"error": {"kinds": [[]], "text": 1}})
def test_any_json_gives_a_value_or_a_clear_error(name, data):
    TARGETS[name](json.dumps(data).encode())


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("record/a_match.json", ("record", "replay", "album")),
        ("note/a_run.json", ("note",)),
        ("note/a_tournament.json", ("note",)),
    ],
)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_saved_data_with_one_changed_value_is_shown_or_gives_a_clear_error(file, names, data):
    content = json.loads((DATA / file).read_bytes())
    place = content
    while isinstance(place, dict | list) and place:
        key = data.draw(st.sampled_from(sorted(place)) if isinstance(place, dict) else st.integers(0, len(place) - 1))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    for name in names:
        TARGETS[name](json.dumps(content).encode())


@pytest.mark.parametrize("name", ["archive", "source", "assignment", "worksheet", "gradebook", "metadata", "similar"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_valid_file_with_some_changed_bytes_gives_a_value_or_a_clear_error(name, data):
    seed = next(path for path in SEEDS if path.parent.name == name)
    content = bytearray(seed.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    TARGETS[name](bytes(content))


def test_without_atheris_it_says_what_to_install():
    script = "import runpy, sys; sys.modules['atheris'] = None; runpy.run_module('tests.fuzz', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "pip install '.[fuzz]'" in done.stderr
    assert "Traceback" not in done.stderr
