"""`grader doctor` uses the installed libraries in a player's process, and says which do not work there."""

import pytest

from grader.language import language
from grader.reports import doctor
from grader.reports.table import plain_text
from grader.sandbox.control_group import GroupOffer
from grader.sandbox.isolation import Level
from grader.sandbox.libraries import LibraryTrial, library_trials, try_library
from grader.sandbox.machine import best_level, level_offers

pytest.importorskip("numpy")


def test_numpy_works_in_a_players_process():
    assert library_trials(lambda name: name == "numpy") == (LibraryTrial("numpy", ""),)


@pytest.mark.skipif(best_level() < Level.GOOD, reason="only from this level on system calls are denied")
def test_a_library_that_needs_a_denied_call_is_reported():
    assert "PermissionError" in try_library("import fcntl; fcntl.flock(0, fcntl.LOCK_SH)")


def test_what_does_not_work_is_shown_with_what_to_do():
    trials = [LibraryTrial("good", ""), LibraryTrial("bad", "It raised an error.")]
    shown = plain_text(
        doctor.render(level_offers(), GroupOffer(None, "it is turned off"), trials, 0.55, language("en"))
    )

    assert "work in players' processes: good." in shown
    assert "bad is installed, but does not work in a player's process: It raised an error." in shown
    assert "strace -f" in shown
    assert "it is turned off" in shown and "Delegate=yes" in shown
    assert "Speed of this machine: 0.55" in shown and "`time: {machine_speed: 0.55}`" in shown
