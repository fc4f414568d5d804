"""A game in a single file: its defaults, and the messages about problems with it."""

import copy
import pickle
import random
from pathlib import Path

import pytest

from grader.errors import IllegalMove, OptionError
from grader.games import State, find_game, make_game
from grader.games.conformance import check_conformance
from grader.games.exam import Mark
from grader.games.game_files import GameFileError, load_game_file
from grader.games.known_games import UnknownGame, recorded_game
from grader.language import language
from grader.records import Outcome
from tests.games.takeaway import TakeAway

ROOT = Path(__file__).parent.parent.parent
CONNECT4 = ROOT / "docs" / "examples" / "connect4" / "connect4.py"
TAKEAWAY = (Path(__file__).parent / "takeaway.py").read_text(encoding="utf-8")


def written(folder: Path, source: str, name: str = "their_game.py") -> Path:
    file = folder / name
    file.write_text(source, encoding="utf-8")
    return file


def changed(folder: Path, old: str, new: str) -> Path:
    """The smallest game with a change."""
    assert old in TAKEAWAY
    return written(folder, TAKEAWAY.replace(old, new))


def problem(file: Path, games: int = 20) -> str:
    """The first problem of a game."""
    try:
        found = [
            verdict for verdict in check_conformance(make_game(load_game_file(file)), games) if verdict.mark is Mark.BAD
        ]
    except GameFileError as error:
        return error.text
    return found[0].text if found else ""


def test_the_connect_four_example_has_at_most_sixty_lines():
    assert len(CONNECT4.read_text(encoding="utf-8").splitlines()) <= 60
    assert {verdict.mark for verdict in check_conformance(make_game(load_game_file(CONNECT4)), 50)} == {Mark.GOOD}


def test_a_game_from_a_file_can_be_compared_copied_and_pickled():
    game = make_game(find_game("connect4.py", CONNECT4.parent), {"columns": 5})

    assert pickle.loads(pickle.dumps(game)) == game == copy.deepcopy(game)
    assert game != make_game(load_game_file(CONNECT4))
    assert game.spec()["source"] == CONNECT4.read_text(encoding="utf-8")


def test_a_state_has_everything_a_player_needs_and_is_immutable():
    state = TakeAway(stones=2).state()

    assert (state.moves(), state.turn, state.player, state.outcome(), str(state)) == ([1, 2], 0, 1, None, "oo")
    assert state.after(1).moves() == [1] and state.after(1).player == 2
    assert state.after(2).outcome() == Outcome("last_stone", winner=0)
    assert state.after(2).moves() == []
    assert state == TakeAway(stones=2).state() and state != state.after(1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        state.position = (5, 0)  # type: ignore[misc]


@pytest.mark.parametrize("move", [3, 0, -1, None, True, "1", (1,), 1.0, object], ids=repr)
def test_a_state_refuses_illegal_moves(move):
    with pytest.raises(IllegalMove):
        TakeAway(stones=2).state().after(move)


def test_a_state_can_be_copied_and_pickled():
    state = make_game(load_game_file(CONNECT4)).state().after(3)

    assert copy.deepcopy(state) == state == pickle.loads(pickle.dumps(state))


def test_an_ending_has_a_phrase_in_each_language_of_the_game():
    words = make_game(load_game_file(CONNECT4)).ending_words("four", drawn=False)

    assert language("es")(words.name) == "cuatro en línea"
    assert language("en")(words.won) == "You won: four in a row."


def test_an_ending_without_a_phrase_is_called_by_its_name():
    words = TakeAway().ending_words("last_stone", drawn=False)

    assert words.result("ana", "luis", "5 moves") == "ana wins: last stone (5 moves)."  # type: ignore[arg-type]


def test_the_usual_length_of_a_game_is_estimated_from_random_games():
    typical, longest = TakeAway().plies()

    assert 7 <= typical <= 21 and longest <= TakeAway().max_plies


def test_a_game_that_never_ends_is_a_draw_at_its_limit(tmp_path):
    file = changed(tmp_path, "(position[0] - move, 1 - position[1])", "(position[0], 1 - position[1])")
    game = make_game(load_game_file(file))

    assert game.outcome_after(game.start(), 999) is None
    assert game.outcome_after(game.start(), 1000) == Outcome("ply_limit", None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param("def start(self):", "def start(self:", "their_game.py:15: syntax error", id="syntax"),
        pytest.param("import Game, Outcome", "import Game, Outcomes", "their_game.py:5: ImportError", id="import"),
        pytest.param(
            "from grader import",
            "import nothing_like_it\nfrom grader import",
            "a game must be a single file",
            id="package",
        ),
        pytest.param("(Game)", "", "no class derives from Game", id="no game"),
        pytest.param("frozen=True", "", "must be a frozen dataclass", id="not frozen"),
        pytest.param("def draw(", "def drawn(", "TakeAway does not define draw(self, position)", id="no drawing"),
        pytest.param(
            "stones: int = 21", "stones: int", "every option of TakeAway must have a default", id="no default"
        ),
        pytest.param('"takeaway"', '"hex"', "an installed game is already called 'hex'", id="taken name"),
        pytest.param('"takeaway"', '"Take Away"', "name may contain only lower-case", id="odd name"),
        pytest.param(
            "return (self.stones, 0)", "return self.pebbles", "their_game.py:16: AttributeError", id="exception"
        ),
        pytest.param("return position[1]", "return position[1] + 1", "turn() must return 0 or 1, not 2", id="turn"),
        pytest.param("return [n for n", "return 3 or [n for n", "moves() must return a list", id="moves"),
        pytest.param('return "o"', 'return 3 or "o"', "draw() must return a string", id="drawing"),
        pytest.param("Outcome(", "bool(", "TypeError", id="outcome"),
        pytest.param('"last_stone"', '"timeout"', "reserved for faults of players", id="reserved ending"),
        pytest.param("winner=1 - position[1]", "winner=2", "0, 1 or None as the winner", id="winner"),
        pytest.param("(self.stones, 0)", "[self.stones, 0]", "use tuples instead of lists", id="a list"),
        pytest.param("(1, 2, 3) if", "(1, 2, 3, None) if n is None or", "None cannot be a move", id="None"),
        pytest.param("(1, 2, 3) if", "([1], [2]) if 1 or", "use ints, strings, or tuples", id="list moves"),
        pytest.param(
            "    def start(self):",
            "    @staticmethod\n    def legend():\n        return 1 / 0\n\n    def start(self, x):",
            "TypeError",
            id="parameters",
        ),
        pytest.param("from dataclasses", "raise SystemExit(3)\nfrom dataclasses", ":3: SystemExit: 3", id="exit"),
        pytest.param("(1, 2, 3)", "(1, 1, 3)", "lists a move twice", id="twice"),
        pytest.param("if position[0] == 0 else None", "if False else None", "No legal moves", id="no end"),
    ],
)
def test_a_problem_with_a_game_is_reported_in_one_sentence(tmp_path, old, new, message):
    text = problem(changed(tmp_path, old, new))

    assert message in text and "Traceback" not in text


def test_a_game_with_randomness_is_refused(tmp_path):
    source = TAKEAWAY.replace("position[0] - move,", "position[0] - move * random.choice((1, 1, 0)),")
    text = problem(written(tmp_path, f"import random\n{source}"), games=200)

    assert "two different positions for the same move" in text


def test_options_are_checked_by_the_game_itself(tmp_path):
    check = "    def __post_init__(self):\n        if self.stones < 1:\n            raise ValueError('at least one stone')\n\n"
    kind = load_game_file(changed(tmp_path, "    def start(self)", f"{check}    def start(self)"))

    with pytest.raises(OptionError, match="takeaway: at least one stone"):
        make_game(kind, {"stones": 0})
    with pytest.raises(OptionError, match="takeaway has no option 'pebbles': choose from stones"):
        make_game(kind, {"pebbles": 3})


def test_results_can_use_only_games_that_this_user_has_played(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    digest = make_game(load_game_file(CONNECT4)).digest()

    assert recorded_game("connect4", digest).name == "connect4"
    with pytest.raises(UnknownGame, match="with that version"):
        recorded_game("connect4", "0" * 64)
    with pytest.raises(UnknownGame):
        recorded_game("connect4", "../../etc/passwd")


def test_turns_need_not_alternate(tmp_path):
    source = TAKEAWAY.replace(
        "1 - position[1])\n\n    def outcome", "position[1] if move == 3 else 1 - position[1])\n\n    def outcome"
    )
    source = source.replace("winner=1 - position[1]", "winner=0")
    game = make_game(load_game_file(written(tmp_path, source)))
    verdicts = list(check_conformance(game, 50))

    assert any("do not strictly alternate" in verdict.text for verdict in verdicts)
    assert {verdict.mark for verdict in verdicts} <= {Mark.GOOD, Mark.NOTE}


def test_a_players_board_is_a_state_with_the_position():
    game = TakeAway()
    position = game.play(game.start(), 2)

    assert isinstance(game.board(position), State)
    assert game.position_of(game.board(position)) == position
    assert game.read_position(game.position_json(position)) == position
    assert random.Random(1).choice(game.board(position).moves()) in (1, 2, 3)
