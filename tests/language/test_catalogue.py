"""Every text has its Spanish, and every text is one that can have it."""

import ast
import string

import pytest

from tests.language.catalogue import COMPILED, FILE, compiled, read, untranslated, updated, written
from tests.language.sources import literal, modules, say_calls

AGAIN = "run `python -m tests.language.catalogue`"
SPEAKS = {"echo", "confirm", "prompt", "secho"}
"""Of click: what these are given is read by people."""
CLICK_ERRORS = {"UsageError", "BadParameter", "ClickException", "BadArgumentUsage", "BadOptionUsage"}


@pytest.fixture(scope="module")
def catalogue():
    return read(FILE)


def test_every_text_has_its_translation(catalogue):
    missing = [message.id for message in untranslated(updated(catalogue))]

    assert not missing, f"{AGAIN} and translate in {FILE.name}: {missing[:20]}"


def test_the_catalogue_holds_what_is_said_and_nothing_else(catalogue):
    assert written(updated(catalogue)) == FILE.read_bytes(), AGAIN


def test_what_the_program_reads_is_what_the_catalogue_says(catalogue):
    assert compiled(catalogue) == COMPILED.read_bytes(), AGAIN


def test_no_translation_is_only_a_guess(catalogue):
    assert not [message.id for message in catalogue if message.id and message.fuzzy]


def test_a_translation_has_the_gaps_of_its_text(catalogue):
    pairs = [
        pair
        for message in catalogue
        if message.id
        for pair in (
            zip(message.id, message.string, strict=True)
            if isinstance(message.id, tuple)
            else [(message.id, message.string)]
        )
    ]

    wrong = [(text, translation) for text, translation in pairs if translation and gaps(text) != gaps(translation)]

    assert not wrong, f"the same names and formats in both: {wrong[:5]}"


def test_a_translation_begins_and_ends_as_its_text(catalogue):
    """A sentence stays a sentence, and what is joined to something else keeps its spaces."""
    plain = [message for message in catalogue if isinstance(message.id, str) and message.id and message.string]

    wrong = [
        (message.id, message.string)
        for message in plain
        if message.id.endswith(".") != message.string.endswith(".")
        or len(message.id) - len(message.id.strip()) != len(message.string) - len(message.string.strip())
    ]

    assert not wrong, wrong[:5]


def gaps(text: str) -> set[tuple[str, str, str]]:
    """What a text leaves to be filled, and in which form."""
    return {
        (name, spec or "", conversion or "")
        for _, name, spec, conversion in string.Formatter().parse(text)
        if name is not None
    }


def test_a_message_is_written_out_where_it_is_said():
    wrong = [
        f"{file}:{call.lineno}"
        for file, module in modules()
        if not file.startswith("grader/language/")
        for call in say_calls(module)
        if not call.args or literal(call.args[0]) is None
    ]

    assert not wrong, f'write say("…", gap=value) with the text itself: {wrong}'


def test_no_gap_is_filled_with_words_that_cannot_be_translated():
    wrong = [
        f"{file}:{call.lineno} {keyword.arg}"
        for file, module in modules()
        for call in say_calls(module)
        for keyword in call.keywords
        if worded(keyword.value)
    ]

    assert not wrong, f"make it a message of its own: {wrong}"


def test_what_people_are_told_is_a_message():
    errors = graders_errors()

    wrong = [
        f"{file}:{value.lineno} {name}"
        for file, module in modules()
        for name, value in told(module, errors)
        if worded(value)
    ]

    assert not wrong, f"use say(…): {wrong}"


def test_a_text_that_cannot_be_translated_is_seen():
    module = ast.parse(
        'raise OptionError(f"{path}: it is not there")\nFinding(text="It is " + word, help=say("Do it."))'
    )

    assert [worded(value) for _, value in told(module, {"OptionError"})] == [True, True, False]


def told(module: ast.Module, errors: set[str]):
    """What findings, faults and errors say, and what commands show, each with the name of its kind."""
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("Finding", "Fault"):
            yield from ((name, keyword.value) for keyword in node.keywords if keyword.arg in ("text", "help"))
        elif name in errors | CLICK_ERRORS | SPEAKS:
            yield from ((name, argument) for argument in node.args[:1])


def worded(node: ast.expr) -> bool:
    """Whether an expression has words of its own that are no message."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and has_words(node.value)
    if isinstance(node, ast.JoinedStr):
        return any(worded(part) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.BinOp):
        return worded(node.left) or worded(node.right)
    if isinstance(node, ast.IfExp):
        return worded(node.body) or worded(node.orelse)
    if isinstance(node, ast.BoolOp):
        return any(worded(value) for value in node.values)
    return False


def has_words(text: str) -> bool:
    is_command = text.strip("` ").startswith("grader ")
    return " " in text.strip() and any(letter.isalpha() for letter in text) and not is_command


def graders_errors() -> set[str]:
    """The names of all classes that derive from `GraderError`."""
    bases = {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for _, module in modules()
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
    }
    found = {"GraderError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found
