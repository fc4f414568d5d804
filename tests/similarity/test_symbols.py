"""Any text can be converted to symbols, and changes of style do not change them."""

import ast
import io
import keyword
import token
import tokenize
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.similarity.scanner import scan
from grader.similarity.symbols import symbols
from tests.similarity.disguises import hinted, reformatted, renamed

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*ROOT.glob("reference_players/**/*.py"), *ROOT.glob("grader/games/**/*.py")])
LIMIT = 20_000

SHAPES = {
    token.NAME: "name",
    token.NUMBER: "number",
    token.STRING: "string",
    token.OP: "operator",
}


def codes(text: str) -> bytes:
    return symbols(text, LIMIT).codes


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.name)
def test_the_scanner_agrees_with_tokenize(file):
    text = file.read_text(encoding="utf-8")
    expected = [
        (SHAPES[found.type], found.string, found.start[0])
        for found in tokenize.generate_tokens(io.StringIO(text).readline)
        if found.type in SHAPES
    ]
    if any(name.startswith("FSTRING") for name in dir(token)):  # from Python 3.12 on an f-string is many tokens
        pytest.skip("tokenize splits f-strings into several tokens")

    assert [found for found in scan(text) if found.kind != "newline"] == expected


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.name)
@pytest.mark.parametrize("disguise", [renamed, reformatted, hinted], ids=lambda disguise: disguise.__name__)
def test_names_comments_formatting_and_hints_make_no_difference(file, disguise):
    text = ast.unparse(ast.parse(file.read_text(encoding="utf-8")))

    assert codes(disguise(text)) == codes(text)


NAMES = st.from_regex(r"[a-zñ_][a-z0-9_]{0,8}", fullmatch=True).filter(lambda name: not keyword.iskeyword(name))
TEMPLATE = """
class {0}:
    def {1}(self, {2}, {3}=0):
        for {4} in {2}.{1}({3}):
            if {4} > {3} and not self.{0}:
                {3} += {4} ** 2
        return [{3} for {4} in {2}]
"""


@given(st.lists(NAMES, min_size=5, max_size=5, unique=True), st.lists(NAMES, min_size=5, max_size=5, unique=True))
def test_the_choice_of_names_makes_no_difference(some, others):
    own = [f"{name}_1" for name in some], [f"{name}_2" for name in others]  # not names of Python or the board

    assert codes(TEMPLATE.format(*own[0])) == codes(TEMPLATE.format(*own[1]))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("a = (1)", "b = 2.5e3", id="numbers and optional brackets"),
        pytest.param("f(1,\n  2,\n)", "g(3, 4)", id="a trailing comma"),
        pytest.param("x = 'a' 'b'", 'y = r"""c\n\nd"""', id="strings"),
        pytest.param(
            "def f(a: int = 1, *b: 'x', c: list[int]) -> dict[str, int]: pass", "def g(x=1, *y, z): pass", id="hints"
        ),
        pytest.param("def f(a=lambda x: x): pass", "def f(a: int = lambda y: y): pass", id="a lambda as a default"),
        pytest.param("total: int = 0", "total = 0", id="a type hint of a variable"),
        pytest.param("self.total: dict[int, str] = {}", "self.sum = {}", id="a type hint of an attribute"),
        pytest.param("total: int\nx = 1", "x = 1", id="only a type hint"),
        pytest.param("import a\nfrom b import (\n c,\n d)\nx = 1", "x = 1", id="imports"),
        pytest.param("a = 1; b = 2", "a = 1\nb = 2", id="semicolons"),
        pytest.param("return (a, b)", "return a, b", id="brackets of a tuple"),
        pytest.param("if (a and\n    b): pass", "if a and b:\n\n    pass", id="brackets of a condition"),
    ],
)
def test_differences_of_style_give_the_same_symbols(first, second):
    assert codes(first) == codes(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("a + b", "a - b", id="operators"),
        pytest.param("if a: pass", "while a: pass", id="keywords"),
        pytest.param("board.clone()", "board.check_connection()", id="methods of the board"),
        pytest.param("len(a)", "sum(a)", id="Python's functions"),
        pytest.param("x[1:2] = y", "x[1] = y", id="slices"),
        pytest.param("f(a)", "f", id="calls"),
    ],
)
def test_differences_of_meaning_give_other_symbols(first, second):
    assert codes(first) != codes(second)


def test_each_symbol_has_its_line():
    found = symbols('"""Doc."""\n\n# why\nx = [\n    1,\n]\n\ny = """a\nb"""; z = 2\n', LIMIT)

    assert found.lines == (4, 4, 4, 5, 6, 8, 8, 8, 9, 9, 9)


@given(st.text(alphabet=st.sampled_from("ab1'\"\\#()[]{}:;.,=\n\t fr\0é€"), max_size=300))
@settings(max_examples=300)
def test_any_text_can_be_scanned(text):
    found = symbols(text, LIMIT)

    assert len(found.codes) == len(found.lines) <= len(text)
    assert 0 not in found.codes


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(" * 200_000, id="unclosed brackets"),
        pytest.param("x = " + "-" * 200_000 + "1", id="a very long operator"),
        pytest.param("'''" + "\\'''" * 60_000, id="an unclosed string"),
        pytest.param("'\\\n" * 100_000, id="continued strings"),
        pytest.param("\0" * 400_000, id="only NUL"),
        pytest.param("a" * 400_000, id="one name"),
        pytest.param("a," * 200_000, id="one line"),
        pytest.param("1" * 400_000, id="one number"),
        pytest.param("\\\n" * 200_000, id="joined lines"),
    ],
)
def test_a_hostile_text_gives_no_more_symbols_than_the_limit(text):
    assert len(symbols(text, LIMIT).codes) <= LIMIT


def test_a_syntax_error_does_not_change_the_symbols_of_other_code():
    source = (ROOT / "reference_players/coolcow.py").read_text(encoding="utf-8")
    lines = source.split("\n")
    broken = "\n".join([*lines[:50], "    def unfinished(self, (((", *lines[50:]])
    untouched = "\n".join(lines[lines.index("    def play(self, board: HexBoard) -> tuple[int, int]:") :])

    assert codes(untouched) in codes(broken)
