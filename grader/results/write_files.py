"""Write files atomically: completely or not at all."""

import shutil
from pathlib import Path


def write_whole(file: Path, content: str | bytes) -> None:
    """Replace a file in one step. An existing link, pipe or folder with that name is replaced, not followed."""
    new = file.with_name(f".{file.name}.new")
    new.unlink(missing_ok=True)  # left by a process that was killed
    try:
        with new.open("xb") as opened:
            opened.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)
