"""The test positions that tell neighbourhoods apart, and the verdicts about the answers."""

import itertools
import random
from functools import cache

import pytest

from grader.games.exam import ExamAnswer, FinishedGame, Mark, PlayedCode, Question, Reply, StepList, Verdict
from grader.games.hex import Hex
from grader.games.hex.exam import EXAM, review
from grader.games.hex.exam_positions import questions
from grader.games.hex.grid import ADJACENCIES, hex_grid
from grader.games.hex.neighbourhoods import EIGHT, FOUR, NAMES, NEIGHBOURS, connects, missing_stones, spread_of
from grader.records import Charge, MatchRecord, SeatReport, Turn

NO_LIST = PlayedCode()
"""The code of a player without a list of neighbours."""
NO_TIME = Charge(wall=0.0, cpu=0.0, waited=0.0, charged=0.0)
BOARDS = [
    pytest.param(Hex(size, adjacency), id=f"{size} {adjacency}") for size in (6, 8, 11) for adjacency in ADJACENCIES
]


@cache
def asked(game: Hex, seed: int) -> list[Question]:
    return list(EXAM.questions(game, seed))


def with_list(name: str) -> PlayedCode:
    """The code of a player with a list of these neighbours."""
    grid, spread = hex_grid(5, "axial"), spread_of(name, 5)

    def steps(row: int) -> frozenset[tuple[int, int]]:
        cell = grid.bits[row][2]
        return frozenset((r - row, c - 2) for r, c in grid.list_cells(spread(cell) & grid.full & ~cell))

    return PlayedCode(steps=(StepList(where="solution.py:7", even=steps(2), odd=steps(1)),))


def answers(game: Hex, decide, seed: int = 0, code: PlayedCode = NO_LIST) -> Verdict | None:
    """The verdict about a player that decides this way, asked as many questions as in a check."""
    replies: list[Reply] = []
    for question in asked(game, seed):
        move = decide(game, question)
        answer = ExamAnswer(player_id=question.player_id, position=question.position, charge=NO_TIME, move=move)
        replies.append((question, answer))
        if EXAM.has_enough(game, replies):
            break
    return EXAM.verdict(game, replies, code)


def believer(name: str, sides=lambda player: player):
    """A player that wins by that neighbourhood, else blocks a win, else does so in two moves, else plays anything.

    `sides` are those it connects.
    """

    def decide(game: Hex, question: Question):
        grid, spread = hex_grid(game.size, "axial"), spread_of(name, game.size)
        moves = list(game.moves(question.position))
        for player in (question.player_id, 3 - question.player_id):
            stones = question.position.one if player == 1 else question.position.two
            for row, col in moves:
                if connects(grid, spread, stones | grid.bits[row][col], sides(player)):
                    return row, col
        return in_two(game, name, question, sides) or moves[0]

    return decide


def in_two(game: Hex, name: str, question: Question, sides=lambda player: player):
    """The first move after which a player that needs two stones by that neighbourhood needs only one."""
    grid, spread = hex_grid(game.size, "axial"), spread_of(name, game.size)
    taken = question.position.one | question.position.two
    for player in (question.player_id, 3 - question.player_id):
        own = stones(question, player)
        if missing_stones(grid, spread, own, taken, sides(player)) == 2:
            for row, col in game.moves(question.position):
                bit = grid.bits[row][col]
                if missing_stones(grid, spread, own | bit, taken | bit, sides(player)) == 1:
                    return row, col
    return None


@pytest.mark.parametrize("game", BOARDS)
def test_a_question_has_a_win_by_the_rule_and_another_by_a_mistake(game):
    questions = list(EXAM.questions(game, 0))

    assert {question.player_id for question in questions} == {1, 2}
    for question in questions:
        real = question.moves_by_belief[game.adjacency]
        free = set(game.moves(question.position))
        assert game.turn(question.position) == question.player_id - 1
        assert real and real <= free
        assert all(moves <= free for moves in question.moves_by_belief.values())
        assert any(moves - real for moves in question.moves_by_belief.values())


@pytest.mark.parametrize("game", BOARDS)
def test_a_few_wins_need_no_diagonal_and_the_others_need_several_moves_without_one(game):
    questions = [question for question in EXAM.questions(game, 0) if question.depth == 1]
    straight = [question for question in questions if FOUR in question.moves_by_belief]

    assert len(straight) == 4
    for question in questions:
        hot = next(
            player for player in (1, 2) if game.grid.connects(stones(question, player) | win(game, question), player)
        )
        taken = question.position.one | question.position.two
        lacking = missing_stones(game.grid, spread_of(FOUR, game.size), stones(question, hot), taken, hot)
        assert lacking == 1 if question in straight else lacking >= 3


def stones(question: Question, player: int) -> int:
    own: int = question.position.one if player == 1 else question.position.two
    return own


def win(game: Hex, question: Question) -> int:
    row, col = min(question.moves_by_belief[game.adjacency])
    bit: int = game.grid.bits[row][col]
    return bit


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("name", [name for name in NEIGHBOURS if name != FOUR])
def test_the_neighbourhood_that_a_player_uses_is_recognised(game, name):
    verdict = answers(game, believer(name))

    assert verdict is not None
    if name == game.adjacency:
        assert verdict.mark is Mark.OPEN and verdict.help == "No list of neighbours was found in its code."
        confirmed = answers(game, believer(name), code=with_list(name))
        assert confirmed is not None and confirmed.mark is Mark.GOOD
    else:
        assert verdict.mark is Mark.NOTE
        assert NAMES[name] in verdict.text or "the wrong neighbours (the assignment's are" in verdict.text


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("name", [FOUR, EIGHT])
def test_four_and_eight_neighbours_are_nearly_always_recognised(adjacency, name):
    game = Hex(7, adjacency)
    told = [answers(game, believer(name), seed) for seed in range(10)]

    assert all(verdict is not None and verdict.mark is Mark.NOTE for verdict in told)
    assert sum(NAMES[name] in verdict.text for verdict in told if verdict is not None) >= 9


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("size", [5, 7, 11])
def test_a_player_that_knows_the_rule_is_never_accused_whichever_win_it_takes(size, adjacency):
    game = Hex(size, adjacency)
    for seed in range(10):
        for pick in (min, max, random.Random(seed).choice):
            verdict = answers(
                game,
                lambda game, question, p=pick: p(sorted(question.moves_by_belief[game.adjacency])),
                seed,
                with_list(adjacency),
            )
            assert verdict is not None and verdict.mark is (Mark.GOOD if size > 5 else Mark.OPEN)


@pytest.mark.parametrize("game", BOARDS)
def test_in_some_questions_both_rules_need_two_moves_and_want_different_ones(game):
    questions = [question for question in asked(game, 0) if question.depth == 2]

    assert len(questions) >= 10 and {question.player_id for question in questions} == {1, 2}
    for question in questions:
        assert asked(game, 0).index(question) < 28, "they come in turn with the others"
        taken = question.position.one | question.position.two
        for player, adjacency in itertools.product((1, 2), ADJACENCIES):
            spread = spread_of(adjacency, game.size)
            assert missing_stones(game.grid, spread, stones(question, player), taken, player) >= 2
        real = question.moves_by_belief[game.adjacency]
        assert len(real) <= 4 and any(not moves & real for moves in question.moves_by_belief.values())


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("name", ["axial", "even-r", "odd-r", "mirrored"])
def test_a_player_that_asks_the_board_for_wins_in_one_is_confirmed_only_if_its_search_is_right(game, name):
    def decide(game: Hex, question: Question):
        rule = game.adjacency if question.depth == 1 else name
        return believer(rule)(game, question)

    verdict = answers(game, decide, code=with_list(name) if name == game.adjacency else NO_LIST)

    assert verdict is not None
    if name == game.adjacency:
        assert verdict.mark is Mark.GOOD
    elif game.size > 6:
        assert verdict.mark is Mark.NOTE and verdict.text.startswith("Its search seems to use the wrong neighbours")
    else:
        assert verdict.mark is not Mark.GOOD


def test_a_player_that_only_looks_for_wins_in_one_is_not_confirmed():
    game = Hex(7)
    verdict = answers(
        game, lambda game, question: believer(game.adjacency)(game, question) if question.depth == 1 else (0, 0)
    )

    assert verdict is not None and verdict.mark is Mark.OPEN
    assert verdict.text.endswith("whether its search uses them too.")


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("sees", [0.6, 0.7, 0.85])
def test_a_player_that_knows_the_rule_but_overlooks_some_wins_is_not_accused(adjacency, sees):
    game = Hex(7, adjacency)
    for seed in range(10):
        chance = random.Random(seed)

        def decide(game: Hex, question: Question, chance=chance):
            moves = list(game.moves(question.position))
            return believer(game.adjacency)(game, question) if chance.random() < sees else chance.choice(moves)

        verdict = answers(game, decide, seed)
        assert verdict is None or not verdict.text.startswith("It seems")


def test_beliefs_that_fit_equally_well_are_not_guessed():
    game = Hex(7)
    alike = [
        question
        for seed in range(40)
        for question in questions(game, seed)
        if FOUR not in question.moves_by_belief
        and (by := question.moves_by_belief.get("even-r"))
        and by == question.moves_by_belief.get("mirrored")
        and not by & question.moves_by_belief["axial"]
    ]
    replies = [
        (
            one,
            ExamAnswer(
                player_id=one.player_id,
                position=one.position,
                charge=NO_TIME,
                move=min(one.moves_by_belief["mirrored"]),
            ),
        )
        for one in alike[:6]
    ]
    verdict = EXAM.verdict(game, replies, NO_LIST)

    assert verdict is not None and verdict.mark is Mark.NOTE
    assert "the wrong neighbours (the assignment's are axial)" in verdict.text
    assert "Its moves suggest" not in verdict.help and NEIGHBOURS["axial"] in verdict.help


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_player_with_another_belief_is_never_said_to_know_the_rule(adjacency, seed):
    game = Hex(7, adjacency)
    for name in set(NEIGHBOURS) - {adjacency}:
        verdict = answers(game, believer(name), seed)
        assert verdict is not None and verdict.mark is Mark.NOTE


@pytest.mark.parametrize("game", BOARDS)
def test_a_player_that_connects_the_wrong_sides_is_told_which_are_its_own(game):
    verdict = answers(game, believer(game.adjacency, sides=lambda player: 3 - player))

    assert verdict is not None and verdict.mark is Mark.BAD
    assert "seems to connect the other player's sides" in verdict.text
    assert verdict.help.startswith("Player 1 connects left and right")


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("always", [1, 2])
def test_a_player_that_always_thinks_it_is_the_same_player_is_told_as_which_it_sees_nothing(game, always):
    def decide(game: Hex, question: Question):
        right = question.player_id == always
        return believer(game.adjacency, sides=lambda player: player if right else 3 - player)(game, question)

    verdict = answers(game, decide)

    assert verdict is not None and verdict.mark is Mark.NOTE
    assert (
        verdict.text.startswith(f"As player {3 - always} it played the winning or blocking move ")
        and verdict.topic == "sides"
    )
    assert "self.player_id" in verdict.help


@pytest.mark.parametrize("game", [*BOARDS, Hex(4), Hex(5), Hex(5, "even-r")])
def test_a_player_that_ignores_the_position_is_not_said_to_believe_anything(game):
    def by_chance(seed):
        rng = random.Random(seed)
        return lambda game, question: rng.choice(game.moves(question.position))

    for decide in [
        lambda game, question: game.moves(question.position)[0],
        lambda game, question: game.moves(question.position)[-1],
        *map(by_chance, range(30)),
    ]:
        verdict = answers(game, decide)
        assert verdict is None or (verdict.topic == "neighbours could not be checked" and "seems" not in verdict.text)


def test_the_smallest_board_has_no_questions():
    assert not list(EXAM.questions(Hex(1), 0))
    assert EXAM.verdict(Hex(1), [], PlayedCode()) is None


def test_the_wrong_neighbourhoods_have_four_six_or_eight_neighbours_and_are_symmetric():
    for name in NEIGHBOURS:
        grid, spread = hex_grid(7, "axial"), spread_of(name, 7)
        cells = {
            cell: set(grid.list_cells(spread(grid.bits[cell[0]][cell[1]]) & grid.full)) - {cell} for cell in grid.cells
        }
        assert len(cells[3, 3]) == len(cells[2, 3]) == {FOUR: 4, EIGHT: 8}.get(name, 6)
        assert all(cell in cells[other] for cell, others in cells.items() for other in others)


def played(moves: str, winner: int) -> FinishedGame:
    """A game on 4×4 in which the checked player moved first."""
    seats = (SeatReport(name="mine", isolation="none"), SeatReport(name="random", isolation="none"))
    record = MatchRecord(
        game="hex",
        options={"size": 4, "adjacency": "axial"},
        seed=0,
        seats=seats,
        turns=tuple(Turn(move=move, charge=NO_TIME) for move in moves.split()),
        ending="connected",
        winner=winner,
    )
    return FinishedGame(opponent="random", seat=0, record=record)


def test_a_chain_by_another_neighbourhood_in_a_lost_game_is_reported_with_the_board():
    # a1 and b2 touch, and so do c2 and d3, only if the rows are shifted the other way.
    game = played("a1 a4 b2 b4 c2 c4 d3 d4 a2 a3", winner=1)

    verdict = review(Hex(4), [game], [])

    assert verdict is not None and "after move 7 according to the wrong neighbours (mirrored axial)" in verdict.text
    assert verdict.detail == (Hex(4).draw(_after(Hex(4), "a1 a4 b2 b4 c2 c4 d3")),)


def test_a_chain_in_a_lost_game_is_not_reported_if_the_answers_already_showed_the_belief():
    game, replies = Hex(6), []
    for question in asked(game, 0):
        move = believer("mirrored")(game, question)
        replies.append(
            (question, ExamAnswer(player_id=question.player_id, position=question.position, charge=NO_TIME, move=move))
        )
    lost = played("a1 a6 b2 b6 c3 c6 d4 d6 e5 e6 f6 a5 f1 f2", winner=1)

    assert review(game, [lost], []) is not None
    assert review(game, [lost], replies) is None


def test_a_chain_in_a_game_that_was_won_is_not_reported():
    assert review(Hex(4), [played("a1 a4 b2 b4 c2 c4 d3 d4 b1 a3", winner=0)], []) is None


def line_builder(rules: Hex, seat: int, opponent_seed: int, *, exchanged: bool) -> FinishedGame:
    """A game against random moves of a player that fills the line in the middle, towards its own or the other sides."""
    rng, position, moves = random.Random(opponent_seed), rules.start(), []
    along = seat if not exchanged else 1 - seat
    while (outcome := rules.outcome(position)) is None:
        free = rules.moves(position)
        if rules.turn(position) == seat:
            move = min(free, key=lambda cell: (abs(cell[along] - rules.size // 2), cell[1 - along]))
        else:
            move = rng.choice(free)
        moves.append(rules.move_text(move))
        position = rules.play(position, move)
    seats = (SeatReport(name="a", isolation="none"), SeatReport(name="b", isolation="none"))
    record = MatchRecord(
        game="hex",
        options={},
        seed=0,
        seats=seats,
        turns=tuple(Turn(move=move, charge=NO_TIME) for move in moves),
        ending=outcome.ending,
        winner=outcome.winner,
    )
    return FinishedGame(opponent="random", seat=seat, record=record)


@pytest.mark.parametrize("game", BOARDS)
def test_a_player_that_builds_towards_the_other_sides_is_told_from_its_games(game):
    wrong = [line_builder(game, seat, seed, exchanged=True) for seat in (0, 1) for seed in range(4)]
    verdict = review(game, wrong, [])

    assert verdict is not None and verdict.mark is Mark.BAD and verdict.topic == "sides"
    assert f" of 8 games, its first {game.size} stones were much closer" in verdict.text
    assert verdict.help.startswith("Player 1 connects left and right")
    assert "here against random as player " in verdict.detail[0]


@pytest.mark.parametrize("game", BOARDS)
def test_a_player_that_builds_towards_its_own_sides_is_not_accused(game):
    for seed in range(20):
        right = [line_builder(game, seat, seed, exchanged=False) for seat in (0, 1)]
        verdict = review(game, right, [])
        assert verdict is None or verdict.topic != "sides"


@pytest.mark.parametrize("game", BOARDS)
def test_a_player_that_builds_the_wrong_way_as_one_player_only_is_not_accused(game):
    games = [line_builder(game, seat, seed, exchanged=seat == 1) for seat in (0, 1) for seed in range(2)]
    verdict = review(game, games[1:], [])

    assert verdict is None or verdict.topic != "sides"


def _after(game: Hex, moves: str):
    position = game.start()
    for move in moves.split():
        position = game.play(position, game.parse_move(move))
    return position
