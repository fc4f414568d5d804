"""Write files whole or not at all."""

import shutil
from pathlib import Path


def write_whole(file: Path, content: str | bytes) -> None:
    """Replace a file in one step, whatever it was: a link or a pipe that somebody put there is not followed."""
    new = file.with_name(f".{file.name}.new")
    new.unlink(missing_ok=True)  # of somebody who was killed
    try:
        with new.open("xb") as opened:
            opened.write(content.encode("utf-8") if isinstance(content, str) else content)
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)
