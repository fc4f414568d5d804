"""Files in a submission that are not source code and may play for the student: compiled programs, nets, known engines.

They are recognised by their names and their first bytes. Nothing is ever loaded or unpickled.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from grader.intake.files import printable_path

_CHUNK = 1 << 20
_HEAD = 16
_LONGEST = 32
"""A name of an engine that lies across two chunks is not longer than this."""


class ShippedKind(Enum):
    """What a file is."""

    PROGRAM = "program"
    """Compiled code."""
    NET = "net"
    """A trained net, or other data that a program computed."""
    ENGINE = "engine"
    """A file of a known engine, by its name."""


@dataclass(frozen=True, slots=True)
class ShippedFile:
    """A file that is not source code and may play for the student."""

    name: str
    kind: ShippedKind
    form: str
    """The file format, for example ELF or ONNX; empty for a file that is recognised only by an engine's name."""
    engine: str
    """The known engine that it belongs to, judging by its name or by texts in it; empty if there is none."""
    size: int
    digest: str


_PROGRAM_HEADS = (
    (b"\x7fELF", "ELF"),
    (b"MZ", "Windows"),
    (b"\xfe\xed\xfa\xce", "Mach-O"),
    (b"\xfe\xed\xfa\xcf", "Mach-O"),
    (b"\xce\xfa\xed\xfe", "Mach-O"),
    (b"\xcf\xfa\xed\xfe", "Mach-O"),
    (b"\xca\xfe\xba\xbe", "Mach-O or Java"),
    (b"\0asm", "WebAssembly"),
)
_NET_HEADS = (
    (b"\x89HDF\r\n\x1a\n", "HDF5"),
    (b"\x93NUMPY", "NumPy"),
    (b"GGUF", "GGUF"),
    (b"\x80\x04\x95", "pickle"),
    (b"\x80\x05\x95", "pickle"),
)
"""How files start, whatever they are called."""
_PROGRAM_SUFFIXES = {
    **dict.fromkeys((".so", ".o", ".a", ".dylib"), "native code"),
    **dict.fromkeys((".pyd", ".dll", ".exe"), "Windows"),
    **dict.fromkeys((".pyc", ".pyo"), "Python bytecode"),
    **dict.fromkeys((".class", ".jar"), "Java"),
    ".wasm": "WebAssembly",
}
_NET_SUFFIXES = {
    **dict.fromkeys((".pt", ".pth", ".ckpt"), "PyTorch"),
    **dict.fromkeys((".npz", ".npy"), "NumPy"),
    **dict.fromkeys((".h5", ".hdf5", ".keras"), "Keras"),
    **dict.fromkeys((".pkl", ".pickle", ".joblib"), "pickle"),
    **dict.fromkeys((".pb", ".tflite"), "TensorFlow"),
    **dict.fromkeys((".nnue", ".weights"), "weights"),
    ".onnx": "ONNX",
    ".safetensors": "safetensors",
    ".gguf": "GGUF",
    ".mlmodel": "Core ML",
}
_ENGINES = {
    "neurobenzene": "NeuroBenzene",
    "benzene": "Benzene",
    "mohex": "MoHex",
    "wolve": "Wolve",
    "katahex": "KataHex",
    "katago": "KataGo",
    "stockfish": "Stockfish",
    "lc0": "Leela Chess Zero",
    "leela": "Leela Zero",
    "fhourstones": "Fhourstones",
    "gnugo": "GNU Go",
    "pachi": "Pachi",
    "polygames": "Polygames",
}
"""Public engines, by the name in their files."""
_IN_NAMES = re.compile(rf"(?<![a-z])(?:lib)?({'|'.join(_ENGINES)})(?![a-mo-z])")
"""An engine's name as a word in a path; `mohexnn` is one, `wolverine` is not."""
_IN_PROGRAMS = re.compile(
    "|".join(name for name in _ENGINES if len(name) > 5 or name == "mohex").encode(), re.IGNORECASE
)
"""The names that are unusual enough to be searched for in compiled programs."""


def shipped_files(folder: Path, files: Iterable[Path]) -> tuple[ShippedFile, ...]:
    """Those of the files of a submission that are compiled programs, nets, or files of known engines."""
    return tuple(found for path in files for found in _recognise(folder, path))


def _recognise(folder: Path, path: Path) -> Iterator[ShippedFile]:
    try:
        with (folder / path).open("rb") as file:
            kind, form = _format(file.read(_HEAD), path.suffix.lower())
            named = _IN_NAMES.search(path.as_posix().lower())
            if kind is None and named is None:
                return
            file.seek(0)
            size, digest, inside = 0, hashlib.sha256(), None
            before = b""
            while chunk := file.read(_CHUNK):
                size += len(chunk)
                digest.update(chunk)
                if kind is ShippedKind.PROGRAM and inside is None:
                    inside = _IN_PROGRAMS.search(before + chunk)
                before = chunk[-_LONGEST:]
    except OSError:
        return  # what cannot be read cannot be played either
    key = named[1] if named else inside[0].decode().lower() if inside else ""
    name = printable_path(path)
    yield ShippedFile(name, kind or ShippedKind.ENGINE, form, _ENGINES.get(key, ""), size, digest.hexdigest())


def _format(head: bytes, suffix: str) -> tuple[ShippedKind | None, str]:
    """What a file is by its first bytes, else by its suffix."""
    for kind, heads in ((ShippedKind.PROGRAM, _PROGRAM_HEADS), (ShippedKind.NET, _NET_HEADS)):
        form = next((form for start, form in heads if head.startswith(start)), None)
        if form is not None and b"\0" in head:  # in contrast to a text that starts like this
            return kind, form
    if suffix in _PROGRAM_SUFFIXES:
        return ShippedKind.PROGRAM, _PROGRAM_SUFFIXES[suffix]
    return (ShippedKind.NET, _NET_SUFFIXES[suffix]) if suffix in _NET_SUFFIXES else (None, "")
