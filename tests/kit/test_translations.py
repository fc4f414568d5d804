"""The kit's Python files in another language have other texts, but the same code."""

import ast
import re

import pytest
import yaml

from grader.assignment import builtin_assignment
from grader.kit import FILES, handout_folders, make_kit

FOLDERS = (FILES / "plain", *handout_folders()[1:])
ENTRIES = [
    (folder, entry) for folder in FOLDERS for entry in yaml.safe_load((folder / "es.yaml").read_text(encoding="utf-8"))
]
GAMES = ("hex", "desconecta4")
SHOWN_BY_REPR = {"<Environment round", "to move>"}
"""Parts of a `repr`, which is the same in all languages, like that of the grader's own class."""


def sources(game: str, language: str) -> dict[str, str]:
    return {
        file.path.name: file.text for file in make_kit(builtin_assignment(game), language) if file.path.suffix == ".py"
    }


@pytest.mark.parametrize("game", GAMES)
def test_the_code_stays_the_same(game):
    english, spanish = sources(game, "en"), sources(game, "es")

    for name, source in english.items():
        assert without_texts(spanish[name]) == without_texts(source)


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_is_translated(game):
    english = {text for source in sources(game, "en").values() for text in sentences(source)}
    spanish = {text for source in sources(game, "es").values() for text in sentences(source)}

    assert english and spanish
    assert english & spanish <= SHOWN_BY_REPR


@pytest.mark.parametrize("game", GAMES)
def test_translated_lines_are_not_too_long(game):
    assert [line for source in sources(game, "es").values() for line in source.splitlines() if len(line) > 120] == []


@pytest.mark.parametrize(("folder", "entry"), ENTRIES, ids=[entry["en"] for _, entry in ENTRIES])
def test_every_translated_text_exists_and_has_the_same_gaps(folder, entry):
    assert any(entry["en"] in path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert sorted(re.findall(r"{[\w.()]+}", entry["en"])) == sorted(re.findall(r"{[\w.()]+}", entry["es"]))


def sentences(source: str) -> set[str]:
    """The lines of docstrings and messages that contain words, and the comments."""
    texts = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()
    ]
    lines = [line.strip() for text in texts for line in text.split("\n")]
    comments = re.findall(r"# .*", source)
    return {line for line in (*lines, *comments) if re.search(r"[a-z]{2,} .*[a-z]{2,}", line)}


def without_texts(source: str) -> str:
    """The code with every sentence removed."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            node.value = ""
        elif isinstance(node, ast.JoinedStr):  # keep the values; their order may depend on the language
            node.values = sorted((part for part in node.values if isinstance(part, ast.FormattedValue)), key=ast.dump)
    return ast.unparse(tree)
