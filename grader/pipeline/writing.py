"""Write files whole or not at all."""

import os
import shutil
import tempfile
from pathlib import Path


def write_whole(file: Path, content: str | bytes) -> None:
    """Replace a file in one step, whatever it was: a link or a pipe that somebody put there is not followed."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".new")
    with os.fdopen(handle, "wb") as opened:
        opened.write(content.encode("utf-8") if isinstance(content, str) else content)
    Path(name).chmod(0o644)
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    Path(name).replace(file)
