"""A Slurm job whose script other users cannot read: it contains the key of the run."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from dask_jobqueue.slurm import SLURMJob


class PrivateSlurmJob(SLURMJob):  # type: ignore[misc]  # dask has no types
    """Submits its script from a file that only its owner can read; dask-jobqueue's own can be read by all users."""

    @contextmanager
    def job_file(self) -> Iterator[str]:
        """The script in a temporary file."""
        with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as file:
            file.write(self.job_script())
            file.flush()
            yield file.name
