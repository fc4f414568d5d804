"""The store keeps every finished match once, whatever happens."""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys

import pytest

from grader.records import as_json, read_record
from grader.store import Store, StoreError, disk_advice
from tests.matches import record


def test_a_record_can_be_stored_and_read(tmp_path):
    played = record(0)
    with Store(tmp_path) as store:
        store.add([("key", played)])
    with Store(tmp_path) as store:
        assert store.get("key") == played
        assert store.has("key")
        assert store.get("other") is None


def test_a_record_can_be_written_as_json_and_read():
    played = record(1)

    assert read_record(json.loads(json.dumps(as_json(played)))) == played


def test_the_first_result_of_a_match_is_not_replaced(tmp_path):
    with Store(tmp_path) as store:
        store.add([("key", record(0))])
        store.add([("key", record(1)), ("other", record(1))])
        first, other = store.get("key"), store.get("other")

    assert first is not None
    assert first.winner == 0
    assert other is not None


def test_notes_are_stored_and_replaced(tmp_path):
    with Store(tmp_path) as store:
        store.note({"a": {"b": 1}})
        store.note({"a": {"b": 2}})

        assert store.read_note("a") == {"b": 2}
        assert store.read_note("c") is None


def test_a_second_grader_on_the_same_results_is_refused(tmp_path):
    with Store(tmp_path), pytest.raises(StoreError, match="another grader process is using these results"):
        Store(tmp_path)
    Store(tmp_path).close()


def test_the_lock_of_a_killed_grader_is_released(tmp_path):
    script = f"import os; from pathlib import Path; from grader.store import Store; s = Store(Path({str(tmp_path)!r})); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9

    Store(tmp_path).close()


def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(StoreError, match="the results cannot be written there"):
        Store(tmp_path / "file" / "results")


def test_existing_results_that_cannot_be_written_have_advice_that_fits_every_command(tmp_path):
    Store(tmp_path).close()
    (tmp_path / ".lock").unlink()
    (tmp_path / ".lock").mkdir()

    with pytest.raises(StoreError, match="the results cannot be written there") as caught:
        Store(tmp_path)
    assert "with -o" not in str(caught.value)


def test_a_file_that_is_not_a_database_is_reported(tmp_path):
    (tmp_path / "results.sqlite").write_text("not a database, but long enough to look at" * 100, encoding="utf-8")

    with pytest.raises(StoreError, match="not a database"):
        Store(tmp_path)


def test_matches_of_a_unit_are_stored_together(tmp_path):
    with Store(tmp_path) as store:
        store.add([("one", record(0)), ("two", record(0))])
    count = sqlite3.connect(tmp_path / "results.sqlite").execute("SELECT count(*) FROM matches").fetchone()

    assert count == (2,)


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="root can read any file, unless setpriv removes that right")
def test_results_that_may_not_be_read_are_a_matter_of_permission_and_not_of_space(tmp_path):
    Store(tmp_path).close()
    (tmp_path / "results.sqlite").chmod(0)
    unprivileged = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all")
    tried = subprocess.run(
        [*unprivileged, sys.executable, "-m", "grader", "verify", tmp_path],
        capture_output=True,
        text=True,
        env={**os.environ, "LANGUAGE": "en"},
        check=False,
    )

    assert tried.returncode == 1
    assert "get permission to read and write the folder and its files" in tried.stderr
    assert "space" not in tried.stderr


@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.ENOSPC, "free some space"), (errno.EROFS, "get permission"), (errno.EIO, "check the disk")],
)
def test_each_problem_of_a_disk_has_its_own_advice(number, advice):
    assert disk_advice(OSError(number, os.strerror(number))).startswith(advice)
