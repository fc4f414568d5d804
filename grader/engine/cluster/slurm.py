"""A scheduler here, with workers that Slurm starts: the file of settings, and what is made of it."""

import signal
import subprocess
from pathlib import Path
from typing import Any

import yaml

from grader.errors import OptionError
from grader.language import say

_NON_DAEMONIC = "export DASK_DISTRIBUTED__WORKER__DAEMON=False"
_ANSWERS = 60.0
"""Seconds within which Slurm has to say whether it would take a job."""
_UNUSABLE = (AttributeError, LookupError, TypeError, ValueError, OSError, RuntimeError)
"""What dask raises for what is no setting, or cannot be so on this machine."""


def read_settings(file: Path) -> dict[str, Any]:
    """What dask_jobqueue.SLURMCluster is to be given, and `jobs`: how many to start. Raises `OptionError` if it cannot be."""
    settings = _read(file)
    if not isinstance(settings, dict) or not _is_count(settings.get("jobs")):
        raise OptionError(
            say(
                "{file}: write `jobs: N`, the number of Slurm jobs to start, and beside it what dask_jobqueue.SLURMCluster takes, "
                "as `cores: 4` and `memory: 8GB`.",
                file=str(file),
            )
        )
    for name in ("cores", "processes"):
        if name in settings and not _is_count(settings[name]):
            raise OptionError(
                say(
                    "{file}: write a whole number from 1 on after `{name}:`, not {written}.",
                    file=str(file),
                    name=name,
                    written=repr(settings[name]),
                )
            )
    settings.setdefault("processes", settings.get("cores", 1))  # one thread a worker
    settings["job_script_prologue"] = [_NON_DAEMONIC, *_lines(file, settings.get("job_script_prologue"))]
    settings["scheduler_options"] = {"dashboard_address": None, **_options(file, settings.get("scheduler_options"))}
    return settings


def slurm_cluster(place: str, settings: dict[str, Any], scratch: Path) -> Any:
    """A scheduler for which Slurm keeps up a number of jobs. Raises `OptionError` if it cannot with these settings."""
    ctrl_c = signal.getsignal(signal.SIGINT)
    from dask_jobqueue import SLURMCluster

    if ctrl_c is not None:  # it has taken it for itself, and would end the grader as if all were well
        signal.signal(signal.SIGINT, ctrl_c)
    jobs = settings["jobs"]
    try:
        cluster = SLURMCluster(**{name: value for name, value in settings.items() if name != "jobs"})
    except _UNUSABLE as error:
        raise OptionError(say("--cluster {place}: {problem}", place=place, problem=_told(error))) from error
    try:
        _check_with_slurm(place, cluster.job_script(), scratch / "job.sh")
    except OptionError:
        cluster.close()
        raise
    cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)  # which starts another for a job that is lost; `scale` does not
    return cluster


def _told(error: BaseException) -> str:
    """What went wrong: of an error that only says that something did not begin, what came before it."""
    while isinstance(error, RuntimeError) and (before := error.__cause__ or error.__context__) is not None:
        error = before
    return f"{type(error).__name__}: {error}"


def _read(file: Path) -> Any:
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise OptionError(
            say("--cluster slurm:{file}: there is no such file. Write slurm: and a file of settings.", file=str(file))
        ) from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())  # YAML's own words show the line, tabs and all
        raise OptionError(say("--cluster slurm:{file}: {problem}", file=str(file), problem=problem)) from error


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _lines(file: Path, written: Any) -> list[str]:
    """What a job does first: a list of lines, or a text with several; nothing if nothing is written."""
    lines = written.splitlines() if isinstance(written, str) else written or []
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise OptionError(
            say(
                "{file}: write a list of shell commands after `job_script_prologue:`, each a text, not {written}.",
                file=str(file),
                written=repr(written),
            )
        )
    return lines


def _options(file: Path, written: Any) -> dict[str, Any]:
    """What the scheduler is given; nothing if nothing is written."""
    options = written or {}
    if not isinstance(options, dict):
        raise OptionError(
            say(
                "{file}: write names and values after `scheduler_options:`, as `{{port: 8786}}`, not {written}.",
                file=str(file),
                written=repr(written),
            )
        )
    return options


def _check_with_slurm(place: str, script: str, file: Path) -> None:
    """Raise `OptionError` if Slurm would not take a job: dask would only try again and again."""
    file.write_text(script, encoding="utf-8")
    try:
        tried = subprocess.run(  # noqa: S603  Slurm is where the path finds it
            ["sbatch", "--test-only", file],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
            timeout=_ANSWERS,
        )
    except subprocess.TimeoutExpired as error:
        raise OptionError(
            say(
                "--cluster {place}: `sbatch --test-only` has not answered within {seconds:.0f} s. Try it again when Slurm does.",
                place=place,
                seconds=_ANSWERS,
            )
        ) from error
    except FileNotFoundError as error:
        raise OptionError(
            say(
                "--cluster {place}: there is no sbatch here. Run it on a machine from which Slurm takes jobs.",
                place=place,
            )
        ) from error
    if tried.returncode != 0:
        problem = tried.stderr.strip()
        raise OptionError(
            say("--cluster {place}: Slurm does not take the job. {problem}", place=place, problem=problem)
        )
