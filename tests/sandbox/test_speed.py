"""The speed of a core: what is measured, remembered and believed, and how time limits are scaled to it."""

import json
import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.errors import OptionError
from grader.sandbox import benchmark, speed
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.speed import SpeedMeasurement, core_speed, known_speed, limits_on, measure_speed


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Iterator[Path]:
    """An empty cache folder, and a grader that knows no speed."""
    monkeypatch.delenv(speed.GIVEN)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(speed, "_has_quota", lambda: False)
    forget()
    yield tmp_path / "grader" / "speed"
    forget()


@pytest.fixture
def measured(monkeypatch) -> list[int | None]:
    """The cores that were measured; each has the speed 0.5."""
    cores: list[int | None] = []

    def measure(core: int | None) -> float:
        cores.append(core)
        return 0.5

    monkeypatch.setattr(speed, "_measure", measure)
    return cores


def forget() -> None:
    """Forget everything except the cache folder, as another process."""
    speed._measured_here.cache_clear()
    speed._file.cache_clear()


def test_all_parts_of_the_benchmark_do_their_work(monkeypatch):
    monkeypatch.setattr(benchmark, "PART_SECONDS", 0.0)
    times = {name: benchmark._best_round(part) for name, part in benchmark._parts().items()}

    assert times.keys() == benchmark.REFERENCE_SECONDS.keys()
    assert all(0.005 < seconds < 5 for seconds in times.values())


@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_this_machine_can_be_measured():
    began = time.monotonic()
    found = core_speed(0)

    assert 0.02 < found < 20
    assert known_speed(0) == found
    assert time.monotonic() - began < 60
    with SpeedMeasurement.start() as measurement:
        assert measurement.finish() == pytest.approx(found, rel=0.5)


def test_a_speed_is_remembered_for_each_kind_of_core_of_this_machine(cache, measured, monkeypatch):
    monkeypatch.setattr(speed, "_core_model", lambda core: ["slow" if core == 1 else "fast"])
    assert [core_speed(0), core_speed(0), core_speed(1), core_speed(2)] == [0.5] * 4
    forget()

    assert [known_speed(0), known_speed(1), known_speed(2)] == [0.5] * 3
    assert measured == [0, 1]
    assert [stat.S_IMODE(file.stat().st_mode) for file in cache.iterdir()] == [0o600] * 2


@pytest.mark.usefixtures("measured")
def test_a_speed_is_forgotten_after_a_day_and_with_another_python(cache, monkeypatch):
    core_speed(None)
    forget()
    monkeypatch.setattr(sys, "version", "4.0")
    assert known_speed() is None

    monkeypatch.undo()
    monkeypatch.delenv(speed.GIVEN)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parent.parent))
    forget()
    assert known_speed() == 0.5
    later = time.time() + speed.REMEMBERED + 1
    monkeypatch.setattr(time, "time", lambda: later)
    forget()
    assert known_speed() is None


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("{", id="cut off"),
        pytest.param("[]", id="another kind"),
        pytest.param('{"speed": 0.5}', id="without a date"),
        pytest.param('{"speed": 1e9, "measured": NOW}', id="impossibly fast"),
        pytest.param('{"speed": NaN, "measured": NOW}', id="not a number"),
        pytest.param('{"speed": true, "measured": NOW}', id="a flag"),
        pytest.param('{"speed": 0.5, "measured": 1e12}', id="from the future"),
        pytest.param("9" * 10_000, id="long"),
    ],
)
def test_a_damaged_file_is_measured_again(cache, measured, content):
    core_speed(None)
    (file,) = cache.iterdir()
    file.write_text(content.replace("NOW", str(time.time())))
    forget()

    assert core_speed(None) == 0.5
    assert measured == [None, None]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links, pipes and permissions")
@pytest.mark.usefixtures("measured")
def test_a_file_that_others_could_have_written_is_not_believed(cache):
    core_speed(None)
    (file,) = cache.iterdir()
    file.chmod(0o666)
    forget()
    assert known_speed() is None

    file.chmod(0o600)
    file.rename(cache / "elsewhere")
    file.symlink_to(cache / "elsewhere")
    assert known_speed() is None
    file.unlink()
    os.mkfifo(file)
    assert known_speed() is None


def test_a_folder_that_cannot_be_written_is_no_problem(cache, measured):
    cache.parent.mkdir()
    cache.write_text("a file where the folder should be")

    assert core_speed(None) == 0.5
    assert core_speed(None) == 0.5, "it is known in this process"
    assert measured == [None]


@pytest.mark.usefixtures("measured")
def test_with_a_quota_nothing_is_remembered_for_other_processes(cache, monkeypatch):
    monkeypatch.setattr(speed, "_has_quota", lambda: True)
    core_speed(0)

    assert not cache.exists()


@pytest.mark.usefixtures("cache")
def test_the_environment_gives_the_speed(measured, monkeypatch):
    monkeypatch.setenv(speed.GIVEN, "0.25")
    assert core_speed(0) == known_speed() == 0.25
    assert measured == []

    monkeypatch.setenv(speed.GIVEN, "fast")
    with pytest.raises(OptionError, match=r"GRADER_SPEED must be a number from 0.01 to 100.0, not 'fast'"):
        core_speed(0)


@pytest.mark.usefixtures("cache")
def test_nothing_is_measured_unless_limits_depend_on_it(measured):
    assert limits_on(0, Limits()).speed is None
    assert measured == []

    limits = limits_on(0, Limits(time=TimeLimits(reference_speed=1.0)))
    assert (limits.core, limits.speed, measured) == (0, 0.5, [0])


def test_limits_are_scaled_to_the_speed_except_for_the_grace():
    times = TimeLimits(move=5.0, bank=100.0, increment=2.0, load=10.0, grace=0.25, reference_speed=1.5)

    assert times.at_speed(0.5) == TimeLimits(move=15.0, bank=300.0, increment=6.0, load=30.0, grace=0.25)
    assert times.at_speed(None) == times
    assert TimeLimits(move=5.0).at_speed(0.5) == TimeLimits(move=5.0)
    assert times.scale(0.7) == 2.14, "with the three digits that are recorded"


@pytest.mark.usefixtures("cache")
def test_the_highest_figure_of_a_core_counts(monkeypatch):
    figures = iter([0.8, 0.9, 0.7])
    monkeypatch.setattr(speed, "_measure", lambda _: next(figures))

    assert [measure_speed(0), measure_speed(1), measure_speed(0)] == [0.8, 0.9, 0.9]


@pytest.mark.skipif(sys.platform == "win32", reason="needs flock")
@pytest.mark.usefixtures("cache")
def test_workers_on_equal_cores_measure_only_once(monkeypatch):
    cores = list[int | None]()

    def measure(core: int | None) -> float:
        cores.append(core)
        time.sleep(0.2)
        return 0.5

    monkeypatch.setattr(speed, "_measure", measure)
    together = [threading.Thread(target=core_speed, args=(core,)) for core in (0, 1)]
    for one in together:
        one.start()
    for one in together:
        one.join()

    assert len(cores) == 1


def test_a_stored_figure_has_three_digits(cache, monkeypatch):
    monkeypatch.setattr(speed, "_measure", lambda _: speed._valid(0.123456))
    core_speed(None)
    (file,) = cache.iterdir()

    assert json.loads(file.read_text())["speed"] == 0.123
