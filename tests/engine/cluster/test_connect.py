"""The values of `--cluster`, what is started for each, and that nothing is left behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from grader.engine.cluster.slurm import read_settings
from tests.command import grader
from tests.engine.cluster.folders import SHORT, all_kinds, started
from tests.engine.cluster.machines import gone, runnable
from tests.sandbox.seats import our_processes
from tests.workflow.folders import FIRST, folder

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(["--cluster", "lab"], "use tls://HOST:PORT", id="unknown kind"),
        pytest.param(["--cluster", "local:0"], "use tls://HOST:PORT", id="no workers"),
        pytest.param(["--cluster", "local:9999"], "each worker needs its own core", id="more workers than cores"),
        pytest.param(["--cluster", "tls://127.0.0.1:9"], "no TLS certificates are configured", id="no certificates"),
        pytest.param(["--cluster", "tcp://127.0.0.1:99999"], "99999 is not a valid port", id="invalid port"),
        pytest.param(["--cluster", "slurm:nowhere.yaml"], "nowhere.yaml: file not found", id="no file"),
        pytest.param(["--cluster", "local:2", "-j", "2"], "--jobs cannot be used with a cluster", id="jobs"),
        pytest.param(["--cluster", "local:2", "--dry-run"], "--dry-run does not start a cluster", id="dry run"),
    ],
)
@runnable
def test_invalid_values_are_reported_at_once(tmp_path, options, message):
    done = grader("run", folder(tmp_path / "in", first=FIRST), "-o", tmp_path / "out", *options)

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("package", ["distributed", "dask_jobqueue", "cryptography"])
def test_a_missing_package_is_reported_with_the_command_that_installs_it(tmp_path, package):
    if package != "distributed":
        pytest.importorskip("distributed")
    if package == "cryptography":
        pytest.importorskip("dask_jobqueue")
    (tmp_path / "settings.yaml").write_text("{jobs: 1, cores: 1, memory: 1GB}", encoding="utf-8")
    source = folder(tmp_path / "in", first=FIRST)
    arguments = ["run", str(source), "-o", str(tmp_path / "out"), "--cluster", f"slurm:{tmp_path / 'settings.yaml'}"]
    script = f"import sys; sys.modules[{package!r}] = None; from grader.cli import main; main({arguments!r})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert f"the package {package.replace('_', '-')} is not installed" in done.stderr
    assert "pip install '.[cluster]'" in done.stderr


@runnable
def test_a_scheduler_that_is_not_running_is_reported_after_a_short_wait(tmp_path):
    done = grader("run", folder(tmp_path / "in", first=FIRST), "-o", tmp_path / "out", "--cluster", "tcp://127.0.0.1:9")

    assert done.returncode == 1
    assert "tcp://127.0.0.1:9: waiting for the scheduler" in done.stderr
    assert "no scheduler is listening on port 9. Start one with `dask scheduler --port 9`" in done.stderr
    assert "Traceback" not in done.stderr


@runnable
@pytest.mark.parametrize("host", ["nowhere.invalid", "pc..lab"])
def test_an_unknown_host_is_not_waited_for(tmp_path, host):
    source = folder(tmp_path / "in", first=FIRST)
    done = grader("run", source, "-o", tmp_path / "out", "--cluster", f"tcp://{host}:8786")

    assert done.returncode == 1
    assert f"tcp://{host}:8786: unknown host {host}" in done.stderr
    assert "waiting" not in done.stderr


@runnable
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"", id="silence", marks=pytest.mark.slow),
        pytest.param(b"HTTP/1.0 400 Bad Request\r\n\r\n", id="a web server"),
    ],
)
def test_another_program_at_the_address_is_not_waited_for(tmp_path, answer):
    source = folder(tmp_path / "in", first=FIRST)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread = threading.Thread(target=answer_connections, args=(server, answer))
        thread.start()
        done = grader("run", source, "-o", tmp_path / "out", "--cluster", address)
        server.shutdown(socket.SHUT_RDWR)
        thread.join()

    assert done.returncode == 1
    assert f"{address}: no scheduler answers at this address" in done.stderr
    assert "Traceback" not in done.stderr


def answer_connections(server: socket.socket, answer: bytes) -> None:
    """Answer every connection, and keep it open until the server is shut down."""
    with ExitStack() as calls, suppress(OSError):
        while True:
            call, _ = server.accept()
            calls.enter_context(call).sendall(answer)


@runnable
def test_a_local_cluster_gives_identical_results_and_leaves_nothing_behind(tmp_path, monkeypatch):
    source = all_kinds(tmp_path / "in")
    grader("run", source, "-o", tmp_path / "plain")
    before = our_processes()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    done = grader("run", source, "-o", tmp_path / "out", "--cluster", "local:2")

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/results.json").read_bytes() == (tmp_path / "plain/results.json").read_bytes()
    assert gone(before)
    assert not list((tmp_path / "tmp").iterdir())


@runnable
def test_ctrl_c_at_the_terminal_ends_a_local_cluster(tmp_path, monkeypatch):
    slow = FIRST.replace("return", "import time; time.sleep(0.5); return")
    source = folder(tmp_path / "in", slow=slow)
    before = our_processes()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    running = started(source, tmp_path / "out", "local:1", matches=1)
    os.killpg(running.pid, signal.SIGINT)
    _, stderr = running.communicate(timeout=120)

    assert running.returncode == 130, stderr
    assert "the same command" in stderr
    assert "Traceback" not in stderr
    assert gone(before)
    assert not list((tmp_path / "tmp").iterdir())


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Stand-ins for Slurm's commands, which run the job's script on this machine and log their input."""
    pytest.importorskip("dask_jobqueue")
    monkeypatch.setenv("PATH", f"{HERE / 'slurm'}:{os.environ['PATH']}")
    monkeypatch.setenv("STAND_IN_LOG", str(tmp_path / "slurm.log"))
    (tmp_path / "settings.yaml").write_text(
        f"jobs: 1\ncores: 1\nmemory: 1GB\nqueue: teaching\ninterface: lo\nlocal_directory: {tmp_path}\n",
        encoding="utf-8",
    )
    return tmp_path / "settings.yaml"


@runnable
def test_jobs_submitted_to_slurm_play(tmp_path, slurm):
    before = our_processes()
    source = folder(tmp_path / "in", SHORT, first=FIRST)
    done = grader("run", source, "-o", tmp_path / "out", "--cluster", f"slurm:{slurm}")
    log = (tmp_path / "slurm.log").read_text(encoding="utf-8")

    assert done.returncode == 0, done.stderr
    assert "export DASK_DISTRIBUTED__WORKER__DAEMON=False" in log
    assert re.search(r"distributed.cli.dask_worker tls://\S+ .*--no-dashboard --dashboard-address 127.0.0.1:0", log)
    assert "scancel" in log
    assert gone(before)


@runnable
def test_ctrl_c_ends_a_run_on_slurm(tmp_path, slurm):
    source = folder(tmp_path / "in", slow=FIRST.replace("return", "import time; time.sleep(0.5); return"))
    before = our_processes()
    running = started(source, tmp_path / "out", f"slurm:{slurm}", matches=1)
    os.killpg(running.pid, signal.SIGINT)
    _, stderr = running.communicate(timeout=120)

    assert running.returncode == 130, stderr
    assert "the same command" in stderr
    assert "scancel" in (tmp_path / "slurm.log").read_text(encoding="utf-8")
    assert gone(before)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("queue: teaching", "queue: nowhere"), "Slurm rejects the job. sbatch: error: invalid partition"),
        (("cores: 1", "kores: 1"), "kores"),
        (("memory: 1GB", "memory: banana"), "banana"),
        (("interface: lo", "security: {a: 1}"), "remove `security`. The grader makes its own TLS certificates"),
        (("interface: lo", "scheduler_options: {dashboard_address: 8787}"), "remove `dashboard_address`"),
        (("jobs: 1", "jobs: many"), "write `jobs: N`"),
        (("jobs: 1", "jobs: true"), "write `jobs: N`"),
        (("jobs: 1", "jobs: ["), "settings.yaml"),
        (("cores: 1", "cores: x"), "`cores` must be a whole number of at least 1, not 'x'"),
        (("interface: lo", "interface: ib7"), "'ib7' is not a valid network interface"),
        (("interface: lo", "job_script_prologue: {a: b}"), "must be a list of shell commands"),
        (("interface: lo", "scheduler_options: 8786"), "`scheduler_options` must be names and values"),
    ],
)
@runnable
def test_invalid_slurm_settings_are_reported(tmp_path, slurm, change, message):
    slurm.write_text(slurm.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    done = grader("run", folder(tmp_path / "in", first=FIRST), "-o", tmp_path / "out", "--cluster", f"slurm:{slurm}")

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("module load python", ["module load python"], id="a text"),
        pytest.param("|\n  module load python\n  ulimit -c 0", ["module load python", "ulimit -c 0"], id="a block"),
        pytest.param("[module load python]", ["module load python"], id="a list"),
    ],
)
@runnable
def test_the_job_prologue_may_be_a_text_or_a_list(tmp_path, written, lines):
    file = tmp_path / "settings.yaml"
    file.write_text(f"jobs: 1\nscheduler_options:\njob_script_prologue: {written}\n", encoding="utf-8")
    settings = read_settings(file)

    assert settings["job_script_prologue"][1:] == lines
    assert settings["scheduler_options"] == {"dashboard_address": None}
