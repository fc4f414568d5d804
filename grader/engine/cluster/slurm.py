"""A scheduler on this machine with workers that Slurm starts: read the settings file, start the cluster."""

import signal
import subprocess
from pathlib import Path
from typing import Any

import yaml

from grader.errors import OptionError
from grader.language import say

_NON_DAEMONIC = "export DASK_DISTRIBUTED__WORKER__DAEMON=False"
_SBATCH_TIMEOUT = 60.0
"""Seconds within which Slurm has to answer whether it accepts a job."""
_UNUSABLE_SETTINGS = (AttributeError, LookupError, TypeError, ValueError, OSError, RuntimeError)
"""What dask raises for settings that are unknown, or do not work on this machine."""


_FORBIDDEN = ("security", "protocol", "dashboard", "dashboard_address")
"""Settings that would open the cluster to others."""
_WORKER_ARGUMENTS = ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
"""Dask opens a web server in any case: on a node it is out of reach of other machines, and has no pages."""


def read_settings(file: Path) -> dict[str, Any]:
    """Read the arguments for dask_jobqueue.SLURMCluster, and `jobs`, the number to start. Raises `OptionError`."""
    settings = _load_yaml(file)
    if not isinstance(settings, dict) or not _is_count(settings.get("jobs")):
        raise OptionError(
            say(
                "{file}: write `jobs: N`, the number of Slurm jobs to start, and the arguments of dask_jobqueue.SLURMCluster, "
                "e.g. `cores: 4` and `memory: 8GB`.",
                file=str(file),
            )
        )
    for name in ("cores", "processes"):
        if name in settings and not _is_count(settings[name]):
            raise OptionError(
                say(
                    "{file}: `{name}` must be a whole number of at least 1, not {written}.",
                    file=str(file),
                    name=name,
                    written=repr(settings[name]),
                )
            )
    settings.setdefault("processes", settings.get("cores", 1))  # one thread per worker
    settings["job_script_prologue"] = [_NON_DAEMONIC, *_prologue_lines(file, settings.get("job_script_prologue"))]
    settings["scheduler_options"] = _scheduler_options(file, settings.get("scheduler_options"))
    for name in _FORBIDDEN:
        if name in settings or name in settings["scheduler_options"]:
            raise OptionError(
                say(
                    "{file}: remove `{name}`. The grader makes its own TLS certificates for each run, and opens no dashboard.",
                    file=str(file),
                    name=name,
                )
            )
    settings["scheduler_options"]["dashboard_address"] = None
    return settings


def slurm_cluster(place: str, settings: dict[str, Any], keys: list[str], scratch: Path) -> Any:
    """Start a scheduler for which Slurm keeps a number of jobs running. Raises `OptionError` if the settings do not work.

    `keys` are the shell commands with which a job can join: Slurm shows a job's script only to its owner.
    """
    ctrl_c = signal.getsignal(signal.SIGINT)
    from dask_jobqueue import SLURMCluster

    from grader.engine.cluster.slurm_job import PrivateSlurmJob

    if ctrl_c is not None:  # the import replaces the handler, and Ctrl-C would end the grader as if nothing were wrong
        signal.signal(signal.SIGINT, ctrl_c)
    jobs = settings["jobs"]
    arguments = {name: value for name, value in settings.items() if name != "jobs"}
    arguments["job_script_prologue"] = [*keys, *settings["job_script_prologue"]]
    try:
        arguments["worker_extra_args"] = [*_WORKER_ARGUMENTS, *_worker_arguments(settings)]
        cluster = SLURMCluster(**arguments, job_cls=PrivateSlurmJob, protocol="tls://")
    except _UNUSABLE_SETTINGS as error:
        raise OptionError(say("--cluster {place}: {problem}", place=place, problem=_root_cause(error))) from error
    try:
        _check_with_slurm(place, cluster.job_script(), scratch / "job.sh")
    except OptionError:
        cluster.close()
        raise
    cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)  # replaces a job that is lost; `scale` does not
    return cluster


def _worker_arguments(settings: dict[str, Any]) -> list[str]:
    """The arguments of `dask worker` in the settings or, as for dask-jobqueue, in the user's configuration of dask."""
    import dask

    written = settings.get("worker_extra_args")
    return list(dask.config.get("jobqueue.slurm.worker-extra-args", []) if written is None else written)


def _root_cause(error: BaseException) -> str:
    """What went wrong. A RuntimeError only says that something did not start, so its cause is reported instead."""
    while isinstance(error, RuntimeError) and (before := error.__cause__ or error.__context__) is not None:
        error = before
    return f"{type(error).__name__}: {error}"


def _load_yaml(file: Path) -> Any:
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise OptionError(
            say("--cluster slurm:{file}: file not found. Use slurm:FILE with a settings file.", file=str(file))
        ) from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())  # YAML's messages quote the line, with its tabs
        raise OptionError(say("--cluster slurm:{file}: {problem}", file=str(file), problem=problem)) from error


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _prologue_lines(file: Path, written: Any) -> list[str]:
    """The shell commands that a job runs first, written as a list or as one text."""
    lines = written.splitlines() if isinstance(written, str) else written or []
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise OptionError(
            say(
                "{file}: `job_script_prologue` must be a list of shell commands, not {written}.",
                file=str(file),
                written=repr(written),
            )
        )
    return lines


def _scheduler_options(file: Path, written: Any) -> dict[str, Any]:
    """The options for the scheduler."""
    options = written or {}
    if not isinstance(options, dict):
        raise OptionError(
            say(
                "{file}: `scheduler_options` must be names and values, e.g. `{{port: 8786}}`, not {written}.",
                file=str(file),
                written=repr(written),
            )
        )
    return options


def _check_with_slurm(place: str, script: str, file: Path) -> None:
    """Raise `OptionError` if Slurm rejects the job: dask would only try again and again."""
    file.touch(mode=0o600)  # it contains the key of the run
    file.write_text(script, encoding="utf-8")
    try:
        tried = subprocess.run(  # noqa: S603  Slurm is where the path finds it
            ["sbatch", "--test-only", file],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
            timeout=_SBATCH_TIMEOUT,
        )
    except subprocess.TimeoutExpired as error:
        raise OptionError(
            say(
                "--cluster {place}: `sbatch --test-only` did not answer within {seconds:.0f} s. Try again when Slurm is "
                "responding.",
                place=place,
                seconds=_SBATCH_TIMEOUT,
            )
        ) from error
    except FileNotFoundError as error:
        raise OptionError(
            say(
                "--cluster {place}: the command sbatch was not found. Run the grader on a machine that can submit Slurm jobs.",
                place=place,
            )
        ) from error
    if tried.returncode != 0:
        problem = tried.stderr.strip()
        raise OptionError(say("--cluster {place}: Slurm rejects the job. {problem}", place=place, problem=problem))
