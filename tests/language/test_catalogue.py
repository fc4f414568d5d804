"""Every text for people is a translatable message and has a Spanish translation."""

import ast
import string

import pytest

from tests.language.catalogue import COMPILED, FILE, read, to_mo, to_po, untranslated, update
from tests.language.sources import modules, say_calls, text_of

UPDATE = "run `python -m tests.language.catalogue`"
PRINTING_FUNCTIONS = {"echo", "confirm", "prompt", "secho"}
"""Functions of click whose arguments are shown to people."""
CLICK_ERRORS = {"UsageError", "BadParameter", "ClickException", "BadArgumentUsage", "BadOptionUsage"}


@pytest.fixture(scope="module")
def catalogue():
    return read(FILE)


def test_every_text_has_a_translation(catalogue):
    missing = [message.id for message in untranslated(update(catalogue))]

    assert not missing, f"{UPDATE} and translate in {FILE.name}: {missing[:20]}"


def test_the_catalogue_contains_exactly_the_texts_in_use(catalogue):
    assert to_po(update(catalogue)) == FILE.read_bytes(), UPDATE


def test_the_compiled_catalogue_is_up_to_date(catalogue):
    assert to_mo(catalogue) == COMPILED.read_bytes(), UPDATE


def test_no_translation_is_fuzzy(catalogue):
    assert not [message.id for message in catalogue if message.id and message.fuzzy]


def test_a_translation_has_the_same_gaps_as_its_text(catalogue):
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

    assert not wrong, f"use the same names and formats in both: {wrong[:5]}"


def test_a_translation_has_the_same_full_stop_and_spaces_at_its_ends(catalogue):
    """A sentence stays a sentence, and a text that is joined to another keeps its spaces."""
    plain = [message for message in catalogue if isinstance(message.id, str) and message.id and message.string]

    wrong = [
        (message.id, message.string)
        for message in plain
        if message.id.endswith(".") != message.string.endswith(".")
        or len(message.id) - len(message.id.strip()) != len(message.string) - len(message.string.strip())
    ]

    assert not wrong, wrong[:5]


def gaps(text: str) -> set[tuple[str, str, str]]:
    """The gaps of a text, with their formats."""
    return {
        (name, spec or "", conversion or "")
        for _, name, spec, conversion in string.Formatter().parse(text)
        if name is not None
    }


def test_messages_are_string_literals():
    wrong = [
        f"{file}:{call.lineno}"
        for file, module in modules()
        if not file.startswith("grader/language/")
        for call in say_calls(module)
        if text_of(call) is None or (len(call.args) == 2 and not any(keyword.arg == "n" for keyword in call.keywords))
    ]

    assert not wrong, f'write say("…", gap=value) or say("{{n}} …", "{{n}} …s", n=count) with string literals: {wrong}'


def test_gaps_are_not_filled_with_untranslatable_words():
    wrong = [
        f"{file}:{call.lineno} {keyword.arg}"
        for file, module in modules()
        for call in say_calls(module)
        for keyword in call.keywords
        if has_untranslated_words(keyword.value)
    ]

    assert not wrong, f"make it a separate message: {wrong}"


def test_texts_for_people_are_messages():
    errors = error_classes()

    wrong = [
        f"{file}:{value.lineno} {name}"
        for file, module in modules()
        for name, value in shown_texts(module, errors)
        if has_untranslated_words(value)
    ]

    assert not wrong, f"use say(…): {wrong}"


def test_untranslatable_texts_are_detected():
    module = ast.parse('raise OptionError(f"{path}: it is missing")\nFinding(text="It is " + word, help=say("Do it."))')

    assert [has_untranslated_words(value) for _, value in shown_texts(module, {"OptionError"})] == [True, True, False]


def shown_texts(module: ast.Module, errors: set[str]):
    """The texts of findings, faults and errors, and the output of commands, each with the function's name."""
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("Finding", "Fault"):
            yield from ((name, keyword.value) for keyword in node.keywords if keyword.arg in ("text", "help"))
        elif name in errors | CLICK_ERRORS | PRINTING_FUNCTIONS:
            yield from ((name, argument) for argument in node.args[:1])


def has_untranslated_words(node: ast.expr) -> bool:
    """Whether an expression contains words outside a message."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and has_words(node.value)
    if isinstance(node, ast.JoinedStr):
        return any(has_untranslated_words(part) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.BinOp):
        return has_untranslated_words(node.left) or has_untranslated_words(node.right)
    if isinstance(node, ast.IfExp):
        return has_untranslated_words(node.body) or has_untranslated_words(node.orelse)
    if isinstance(node, ast.BoolOp):
        return any(has_untranslated_words(value) for value in node.values)
    return False


def has_words(text: str) -> bool:
    is_command = text.strip("` ").startswith("grader ")
    return " " in text.strip() and any(letter.isalpha() for letter in text) and not is_command


def error_classes() -> set[str]:
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
