"""Where a line of a submission's code is: its file or, in a notebook, its cell."""

from grader.intake.files import printable_path
from grader.source.facts import Source
from grader.source.notebook import cell_file


def source_place(source: Source, line: int) -> tuple[str, int]:
    """The file to show for a line, and its number there."""
    file = printable_path(source.file)
    if source.notebook is None:
        return file, line
    cell, inside = source.notebook.locate(line)
    return cell_file(file, cell), inside


def source_place_text(source: Source, line: int) -> str:
    """The place of a line, e.g. `solution.py:5`."""
    file, number = source_place(source, line)
    return f"{file}:{number}"
