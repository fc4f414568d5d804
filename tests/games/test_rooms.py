"""Everything about a game is in its package: no file outside `grader/games/` names a game, its classes or its members."""

import re
from pathlib import Path

import pytest

from grader.games import Game, find_game, installed_games, make_game

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted(
    path
    for path in (ROOT / "grader").rglob("*")
    if path.suffix in {".py", ".js", ".css", ".j2", ".yaml"} and ROOT / "grader" / "games" not in path.parents
)


GAMES = [kind() for kind in installed_games().values()]
MEMBERS = {
    *(member for game in GAMES for member in game.code().members if "_" in member),
    *(shared.name for game in GAMES for shared in game.code().classes if shared.name != "Environment"),
    *("adjacency", "axial", "even-r", "BOOM", "desconecta", "edition of 2022", "2022 edition"),
}
MENTIONED = re.compile(
    "|".join(
        [
            *(rf"""["']{re.escape(game.name)}["']""" for game in GAMES),
            *(rf"(?<!\w){re.escape(word)}(?!\w)" for game in GAMES for word in (game.title, type(game).__name__)),
            *(rf"(?<!\w)(?i:{re.escape(member)})(?!\w)" for member in sorted(MEMBERS)),
        ]
    )
)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_source_outside_the_game_packages_names_a_game(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [f"{number}: {line}" for number, line in enumerate(lines, 1) if MENTIONED.search(line)] == []


def test_the_search_for_names_works():
    assert len(SOURCES) > 150
    for text in (
        'game == "hex"',
        "from grader.games.hex import Hex",
        "board.check_connection(1)",
        "class HexBoard:",
        "Hex(size=3)",
    ):
        assert MENTIONED.search(text), text
    assert not MENTIONED.search("uuid4().hex") and not MENTIONED.search("token_hex(8)")


def test_built_in_games_are_found_by_their_folders():
    assert list(installed_games())[:2] == ["hex", "desconecta4"]
    assert all(issubclass(kind, Game) for kind in installed_games().values())
    assert all(find_game(name) is kind for name, kind in installed_games().items())


def test_a_package_registers_its_games_by_an_entry_point(tmp_path, monkeypatch):
    package = tmp_path / "their_games-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: their_games\nVersion: 1\n", encoding="utf-8")
    (package / "entry_points.txt").write_text(
        "[grader.games]\ntakeaway = tests.games.takeaway:TakeAway\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    installed_games.cache_clear()
    try:
        assert make_game("takeaway", {"stones": 5}).start() == (5, 0)
        assert "takeaway" in installed_games()
    finally:
        installed_games.cache_clear()
