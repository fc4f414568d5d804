"""The code cells of a Jupyter notebook.

Line 5 of cell 3 is written `hex.ipynb[3]:5`, so that a cell looks like a file. Cells are counted from 1, text cells included.
"""

import json
from dataclasses import dataclass

NOTEBOOK = ".ipynb"
"""The suffix of a notebook."""
MAX_NOTEBOOK = 20_000_000
"""The largest notebook in bytes. Most of a large one are the pictures that its cells have drawn."""


@dataclass(frozen=True, slots=True)
class CodeCell:
    """A code cell."""

    number: int
    text: str


def code_cells(data: bytes) -> tuple[CodeCell, ...]:
    """The code cells of a notebook. Raises `ValueError` or `RecursionError` if it is not one: students can write anything into it."""
    notebook = json.loads(data)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("no list of cells")
    return tuple(
        CodeCell(number, text)
        for number, cell in enumerate(cells, 1)
        if isinstance(cell, dict) and cell.get("cell_type") == "code" and (text := _text(cell.get("source")))
    )


def _text(source: object) -> str:
    """The code of a cell: a text, or a list of its lines."""
    parts = source if isinstance(source, list) else [source]
    text = "".join(part for part in parts if isinstance(part, str))
    text = text.encode("utf-8", "replace").decode("utf-8")  # JSON can contain lone surrogates
    return text.replace("\r\n", "\n").replace("\r", "\n")


def cell_file(file: str, cell: int) -> str:
    """A cell of a notebook, written like a file."""
    return f"{file}[{cell}]"
