"""Whatever the bytes, a target holds: what must be true of them is asserted in `targets`, and any other error fails."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import TARGETS

KEPT = Path(__file__).parent / "data"
SEEDS = sorted(path for path in KEPT.rglob("*") if path.is_file())

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_once_broke_it_does_so_no_more(seed):
    TARGETS[seed.parent.name](seed.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=2000))
def test_any_bytes_are_a_value_or_a_clear_error(name, data):
    TARGETS[name](data)


@pytest.mark.parametrize("name", ["wire", "record", "assignment", "letter", "metadata", "note", "slurm"])
@settings(max_examples=60, deadline=None)
@given(data=JSON)
@example(data={"error": {"kinds": [[]], "text": 1}})
def test_any_json_is_a_value_or_a_clear_error(name, data):
    TARGETS[name](json.dumps(data).encode())


@pytest.mark.parametrize(
    ("kept", "names"),
    [
        ("record/a_match.json", ("record", "replay", "album")),
        ("note/a_run.json", ("note",)),
        ("note/a_tournament.json", ("note",)),
    ],
)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_was_kept_with_one_value_changed_is_shown_or_is_a_clear_error(kept, names, data):
    content = json.loads((KEPT / kept).read_bytes())
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
def test_a_good_file_with_some_bytes_changed_is_a_value_or_a_clear_error(name, data):
    seed = next(path for path in SEEDS if path.parent.name == name)
    content = bytearray(seed.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    TARGETS[name](bytes(content))


def test_without_its_package_it_says_what_to_install():
    script = "import runpy, sys; sys.modules['atheris'] = None; runpy.run_module('tests.fuzz', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "pip install '.[fuzz]'" in done.stderr
    assert "Traceback" not in done.stderr
