"""A private copy of a player's files, for one process only.

Two processes that read the same file share its locks, flags and pages in the cache, and could pass something on by them.
So each process gets files that no other process has ever opened.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

from grader.errors import GraderFault
from grader.file_removal import remove_tree
from grader.language import say
from grader.sandbox.scratch import Scratch


class PrivateCopy:
    """A copy of the files that an entry lets its player read, and the entry with the paths of the copy."""

    def __init__(self, entry: Mapping[str, Any], hidden: tuple[str, ...], parent: str | None = None) -> None:
        """In a new folder inside `parent`, which the caller removes in the end; or in a scratch folder of its own."""
        self._scratch = Scratch() if parent is None else None
        self._folder = tempfile.mkdtemp(dir=parent) if self._scratch is None else self._scratch.folder
        root = entry["root"]
        base = os.path.join(self._folder, os.path.basename(root))
        left_out = frozenset(map(os.path.realpath, hidden))
        try:
            for path in entry["readable"]:
                _copy(path, _moved(path, root, base), left_out)
        except OSError as error:
            self.close()
            raise GraderFault(
                say("The files of a player could not be copied: {problem}.", problem=str(error))
            ) from error
        self.entry = map_paths(entry, lambda path: _moved(path, root, base))

    def close(self) -> None:
        """Remove the copy."""
        if self._scratch is None:
            remove_tree(self._folder)
        else:
            self._scratch.close()


def map_paths(entry: Mapping[str, Any], move: Callable[[str], str]) -> dict[str, Any]:
    """The entry with `move` applied to all its paths."""
    return {
        **entry,
        "root": move(entry["root"]),
        "file": move(entry["file"]),
        "paths": [move(path) for path in entry["paths"]],
        "stubs": [[move(file), name] for file, name in entry["stubs"]],
        "cells": [[move(file), text] for file, text in entry["cells"]],
        "readable": [move(path) for path in entry["readable"]],
    }


def _moved(path: str, root: str, base: str) -> str:
    return os.path.normpath(os.path.join(base, os.path.relpath(path, root)))


def _copy(source: str, target: str, hidden: frozenset[str]) -> None:
    """Copy a file, or a folder with its files and links, without what is hidden."""
    pending = [(source, target)]
    while pending:
        source, target = pending.pop()
        if os.path.realpath(source) in hidden:
            continue
        kind = os.lstat(source).st_mode
        if stat.S_ISDIR(kind):
            os.makedirs(target, exist_ok=True)
            pending += [(os.path.join(source, name), os.path.join(target, name)) for name in os.listdir(source)]
        elif stat.S_ISLNK(kind):
            os.symlink(os.readlink(source), target)
        elif stat.S_ISREG(kind):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)
