"""In `style="documented"`, players have the numbers that their documents state."""

import heapq
import random
from inspect import signature
from math import sqrt
from typing import Any

import pytest
from hypothesis import given

from grader.games.desconecta4 import Environment
from grader.games.hex import HexBoard
from grader.games.hex.grid import each_bit
from reference_players import alphabeta, coolcow, mcts, minimax, ultrapro
from reference_players.search import shape, tree
from reference_players.search.alpha_beta import best_move
from reference_players.search.bridges import standing_bridges
from reference_players.search.geometry import HexGeometry, geometry
from reference_players.search.promise import Weights, rank_all_moves, rank_promising_moves
from reference_players.search.tree import grow
from tests.reference_players.positions import hex_board, plain, scattered, to_move, undecided


def bit_of(board: HexBoard, row: int, col: int) -> int:
    return geometry(board).grid.bits[row][col]


def cells(board: HexBoard, bits: list[int]) -> list[tuple[int, int]]:
    return [geometry(board).cell(bit) for bit in bits]


# minimax: "Informe del Proyecto de IA: HEX"


def test_minimax_searches_two_plies_ahead():
    assert minimax.MinimaxPlayer(1, style="documented").depth == 2


def test_minimax_orders_moves_from_the_centre_with_a_bonus_of_5_for_its_own_edges():
    board = HexBoard(11)
    rules = minimax.CentreAndEdges(geometry(board), 1, "documented")
    order = cells(board, [move for move, _ in rules.moves(rules.node(0, 0))])

    def score(row: int, col: int) -> int:
        return -(abs(row - 5) + abs(col - 5)) + (5 if col in (0, 10) else 0)

    assert order == sorted(board.get_possible_moves(), key=lambda cell: score(*cell), reverse=True)


@pytest.mark.parametrize(
    ("style", "text", "player", "value"),
    [
        pytest.param("documented", "...../...../..1../...../.....", 1, 10, id="centre"),
        pytest.param("documented", "...../...../..2../...../.....", 1, -10, id="opponents centre"),
        pytest.param("documented", "...../.1.../...../...../.....", 1, 8, id="minus 1 per step"),
        pytest.param("documented", "...../1..../1..../....1/.....", 1, 7 + 8 + 7 + 45, id="15 per stone on an edge"),
        pytest.param("fixed", "...../1..../1..../....1/.....", 1, 7 + 8 + 7 + 30, id="fixed: 15 per edge"),
        pytest.param("documented", "2..../1..../...../...../.2...", 2, 6 + 7 - 7 + 30, id="edges of player 2"),
        pytest.param("documented", "1..../...../...../...../.....", 2, -6, id="no bonus for the opponent"),
    ],
)
def test_minimax_counts_10_minus_the_distance_and_15_on_an_edge(style, text, player, value):
    board = hex_board(text)
    rules = minimax.CentreAndEdges(geometry(board), player, style)

    assert rules.evaluate(rules.node(board.stones(player), board.stones(3 - player))) == value


def test_minimax_counts_1000_plus_the_remaining_depth_for_a_won_game():
    board = hex_board("11111/...../22.22/...../.....")
    rules = minimax.CentreAndEdges(geometry(board), 1, "documented")
    mine, theirs = board.stones(1), board.stones(2)

    for depth in (0, 1, 2):
        assert rules.value((mine, theirs, 0, False), depth) == -1000 - depth  # for the loser, who is to move
        lost = minimax.CentreAndEdges(geometry(board), 2, "documented").value((theirs, mine, 0, True), depth)
        assert lost == -1000 - depth


@pytest.mark.parametrize("style", ["fixed", "documented"])
@given(undecided(largest=7))
def test_the_remaining_depth_in_a_won_game_changes_no_move_of_minimax_at_depth_two(style, board):
    class Flat(minimax.CentreAndEdges):
        """A won game is worth 1000 at any depth."""

        def value(self, node: minimax.MinimaxNode, depth: int) -> float | None:
            value = super().value(node, depth)
            return value if value is None else max(-1000, value)

    player = to_move(board)
    flat = Flat(geometry(board), player, style)
    root = flat.node(board.stones(player), board.stones(3 - player))

    move, _ = best_move(flat, flat.moves(root), 2)
    assert minimax.MinimaxPlayer(player, style=style).play(board) == flat.geometry.cell(move)


def test_an_evaluation_of_minimax_is_never_as_high_as_a_won_game():
    board = HexBoard(26)
    where = geometry(board)
    rules = minimax.CentreAndEdges(where, 1, "documented")
    near = sum(1 << at for at in where.places if rules._from_centre[1 << at] < 10)
    edges, corners = where.grid.left | where.grid.right, where.grid.full & ~near

    assert rules.evaluate(rules.node(near | edges, corners & ~edges)) == 999
    assert rules.evaluate(rules.node(corners & ~edges, near)) == -999
    assert rules.evaluate(rules.node(near, 0)) == 670


# coolcow: "Jugador de Hex utilizando Minimax con Alpha-Beta Pruning"


def test_coolcow_searches_three_plies_ahead_and_by_default_40_moves():
    assert coolcow.CoolcowPlayer(1, style="documented").depth == 3
    assert coolcow.CoolcowPlayer(1).width == 40


def test_coolcow_counts_the_opponents_shortest_connection_minus_its_own():
    board = hex_board("...../11.11/..2../...../.....")

    assert coolcow.evaluate(geometry(board), (board.stones(1), board.stones(2), 1)) == 4 - 1
    assert coolcow.evaluate(geometry(board), (board.stones(2), board.stones(1), 2)) == 1 - 4


def test_coolcow_documented_considers_every_move_in_board_order():
    board = scattered(6, 5, seed=1)
    rules = coolcow.Connections(geometry(board), width=None)
    moves = [move for move, _ in rules.moves((board.stones(2), board.stones(1), 2))]

    assert cells(board, moves) == board.get_possible_moves()


def test_coolcow_values_a_won_game_above_every_heuristic_value():
    board = hex_board("11111/...../22.22/...../.....")
    rules = coolcow.Connections(geometry(board), width=None)

    assert rules.value((board.stones(2), board.stones(1), 2), 0) == -coolcow.WIN
    assert coolcow.WIN > 26 * 26


# mcts: "HEX AI Player"


def test_mcts_documented_explores_by_ucb1_with_the_square_root_of_two_and_without_widening():
    assert mcts.MctsPlayer(1, style="documented").exploration == sqrt(2)
    board = scattered(4, 2, seed=1)
    rules = mcts.HexRules(geometry(board), random.Random(1), "documented", 1)
    root = tree.TreeNode(0, rules.position(board.stones(1), board.stones(2), 1))
    tree.grow(rules, root, range(14), tree.Growth(sqrt(2), widening=False))

    assert sorted(geometry(board).cell(child.move) for child in root.children) == board.get_possible_moves()
    assert {child.visits for child in root.children} == {1}


def test_mcts_expands_the_untried_move_with_the_highest_score_first():
    board = scattered(6, 7, seed=3)
    rules = mcts.HexRules(geometry(board), random.Random(1), "documented", 1)
    position = rules.position(board.stones(1), board.stones(2), 2)
    mine, theirs = position.stones
    ranked = rank_all_moves(geometry(board), mine, theirs, 2, mcts.DOCUMENTED_WEIGHTS, 36)

    assert len(ranked) == 36 - 7
    assert [move for move, _ in rules.moves(position)] == ranked


def plain_scores(board: HexBoard, player: int, weights: Weights) -> dict[tuple[int, int], float]:
    """The score of every empty cell, from the description of the heuristic and a plain Dijkstra."""
    last = board.size - 1
    scores = {}
    for row, col in board.get_possible_moves():
        near = plain(board).neighbours(row, col)
        total = 0
        for who in (player, 3 - player):
            shortest = through(board, (row, col), who)
            total += board.size**2 if shortest is None else shortest
        where, bit = geometry(board), bit_of(board, row, col)
        after = len(standing_bridges(where, board.stones(player) | bit, board.stones(3 - player), player))
        kept = len(
            [
                pair
                for pair in standing_bridges(where, board.stones(player), board.stones(3 - player), player)
                if not pair & bit
            ]
        )
        along = col if player == 1 else row
        scores[row, col] = (
            weights.bridge * min(2, after - kept)
            + weights.neighbour * [board.board[r][c] for r, c in near].count(player)
            + weights.mobility * [board.board[r][c] for r, c in near].count(0)
            - weights.centre * where.from_centre[bit.bit_length() - 1]
            - weights.edge * min(along, last - along)
            - total
        )
    return scores


def through(board: HexBoard, cell: tuple[int, int], player: int) -> int | None:
    """The cost of a player's shortest path through an empty cell, from there to both edges."""
    axis = 1 if player == 1 else 0
    twin = plain(board)
    costs = {cell: 1}
    heap = [(1, cell)]
    while heap:
        cost, at = heapq.heappop(heap)
        for near in twin.neighbours(*at):
            stone = twin.board[near[0]][near[1]]
            if stone != 3 - player and cost + (stone == 0) < costs.get(near, 10_000):
                costs[near] = cost + (stone == 0)
                heapq.heappush(heap, (costs[near], near))
    edges = [[cost for at, cost in costs.items() if at[axis] == edge] for edge in (0, board.size - 1)]
    return sum(map(min, edges)) - 1 if all(edges) else None


@given(undecided(largest=7))
def test_mcts_documented_ranks_all_cells_by_their_full_score(board):
    player = to_move(board)
    weights = mcts.DOCUMENTED_WEIGHTS
    scores = plain_scores(board, player, weights)
    highest = sorted(scores.values(), reverse=True)
    for count in (1, 3, len(scores)):
        ranked = rank_all_moves(geometry(board), board.stones(player), board.stones(3 - player), player, weights, count)
        found = cells(board, ranked)
        assert len(set(found)) == len(found) == min(count, len(scores))
        assert [scores[cell] for cell in found] == pytest.approx(highest[:count])


def test_with_a_larger_budget_mcts_considers_more_than_26_moves(monkeypatch):
    board, asked = HexBoard(9), []

    def spy(*given: Any) -> list[int]:
        asked.append(given[-1])
        return rank_promising_moves(*given)

    monkeypatch.setattr(mcts, "rank_promising_moves", spy)
    monkeypatch.setattr(tree, "grow", lambda rules, root, _, growth: grow(rules, root, range(1), growth))
    budgets: list[tuple[dict[str, Any], int]] = [
        ({"simulations": 60}, 26),
        ({"simulations": 2000}, 26),
        ({"simulations": 10_000}, 54),
        ({"seconds": 0.2}, 81),
    ]
    for options, expected in budgets:
        mcts.MctsPlayer(1, **options).play(board)
        assert asked[-1] == expected
    assert tree.max_children(10_000) == 54
    assert len(rank_promising_moves(geometry(board), 0, 0, 1, Weights(), 54)) >= 54


def test_mcts_documented_uses_all_six_features_of_the_document():
    weights = mcts.DOCUMENTED_WEIGHTS

    assert (weights.bridge, weights.neighbour, weights.centre) == (0.5, 0.2, 0.1)
    assert weights.mobility > 0
    assert weights.edge > 0
    assert Weights().mobility == Weights().edge == 0


def test_mcts_documented_playouts_stop_at_2n_plies_with_one_half(monkeypatch):
    asked = []

    def in_row_order(where: HexGeometry, mine: int, theirs: int, *_: Any) -> list[int]:
        asked.append((mine | theirs).bit_count())
        return [next(each_bit(where.grid.full & ~(mine | theirs)))]

    monkeypatch.setattr(mcts, "rank_all_moves", in_row_order)
    for size in (5, 7, 9):  # the stones of two rows in turn connect nothing
        asked.clear()
        rules = mcts.HexRules(geometry(HexBoard(size)), random.Random(1), "documented", 1)
        assert rules.playout(rules.position(0, 0, 1)) == 0.5
        assert asked == list(range(2 * size))


@pytest.mark.parametrize(("player", "result"), [(1, 0), (2, 1)])
def test_mcts_documented_playouts_end_with_the_connection(player, result, monkeypatch):
    board = hex_board("...../11.11/.2.2./.2.2./.....")
    plan = iter([bit_of(board, *cell) for cell in ([(1, 2)] if player == 1 else [(0, 0), (1, 2)])])
    monkeypatch.setattr(mcts, "rank_all_moves", lambda *_: [next(plan)])
    rules = mcts.HexRules(geometry(board), random.Random(1), "documented", 1)

    # The result is for the player that has just moved: a loss if player 1 is to move, a win if player 2 does not block.
    assert rules.playout(rules.position(board.stones(1), board.stones(2), player)) == result
    assert next(plan, None) is None


def test_mcts_reserves_a_tenth_of_a_second_for_choosing_the_move(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr("reference_players.mcts.time.monotonic", lambda: next(clock) / 16)
    player = mcts.MctsPlayer(1, seconds=1)

    # The clock is read at 0, 1/16, … 15/16, the first time later than 0.9. The first round does not read it.
    assert sum(1 for _ in player._rounds(started=0.0)) == 1 + 15
    assert next(clock) == 16


def test_mcts_documented_has_its_own_defaults():
    parameters = signature(mcts.MctsPlayer).parameters
    fixed, documented = mcts.MctsPlayer(1), mcts.MctsPlayer(1, style="documented")
    changed = mcts.MctsPlayer(1, style="documented", simulations=30, exploration=0.7)

    assert (parameters["simulations"].default, parameters["exploration"].default) == (2000, 0.4)
    assert (fixed.simulations, fixed.exploration) == (2000, 0.4)
    assert (documented.simulations, documented.exploration) == (500, sqrt(2))
    assert (changed.simulations, changed.exploration) == (30, 0.7)


# ultrapro: "Documentación de UltraProHexPlayer"


def test_ultrapro_opens_in_the_centre():
    for size in (1, 4, 5, 11):
        assert ultrapro.UltraProPlayer(1, style="documented").play(HexBoard(size)) == (size // 2, size // 2)


@pytest.mark.parametrize(("filled", "depth"), [(0.0, 2), (0.19, 2), (0.2, 3), (0.59, 3), (0.6, 4), (0.99, 4), (1.0, 4)])
def test_ultrapro_searches_deeper_as_the_board_fills(filled, depth):
    assert ultrapro.depth_at(filled) == depth


def test_ultrapro_has_the_documents_widths_weights_and_limits():
    assert (ultrapro.ROOT_WIDTH, ultrapro.WIDTH) == (12, 8)
    assert (ultrapro.DISTANCE, ultrapro.TERRITORY, ultrapro.PATTERNS) == (60, 40, 25)
    assert (ultrapro.OPENING["documented"], ultrapro.OPENING_MOVES, ultrapro.OPENING_PLAYOUTS) == (0.8, 10, 200)
    assert (ultrapro.WIN, ultrapro.TABLE_LIMIT, ultrapro.HISTORY_LIMIT) == (10_000, 200_000, 200)


def test_ultrapro_considers_8_replies_in_order_of_priority():
    board = scattered(6, 7, seed=3)
    rules = ultrapro.Hybrid(geometry(board), None)
    root = rules.root(board.stones(2), board.stones(1), 2)
    moves = [move for move, _ in rules.moves(root)]
    ranked = rules.rank_moves(root)
    priorities = [shape.priority(geometry(board), root.mine, root.theirs, bit, 2) for bit in ranked]

    assert moves == ranked[:8]
    assert priorities == sorted(priorities, reverse=True)


def test_ultrapro_evaluates_60_distance_40_territory_25_patterns():
    board = hex_board("...../..1../.1.../...2./.....")
    rules = ultrapro.Hybrid(geometry(board), None)
    node = rules.root(board.stones(1), board.stones(2), 1)
    where: HexGeometry = geometry(board)
    ground = shape.territory(where, node.mine, 1) - shape.territory(where, node.theirs, 2)
    forms = shape.patterns(where, node.mine, node.theirs, 1) - shape.patterns(where, node.theirs, node.mine, 2)

    assert rules.evaluate(node) == 60 * (4 - 3) + 40 * ground + 25 * forms


def test_ultrapro_counts_10000_plus_the_remaining_depth_for_a_won_game():
    board = hex_board("11111/...../22.22/...../.....")
    rules = ultrapro.Hybrid(geometry(board), None)

    assert rules.value(rules.root(board.stones(2), board.stones(1), 2), 3) == -10_003


def test_ultrapros_priority_is_that_of_the_document():
    board = hex_board("...../..1../...2./...../.....")
    where = geometry(board)
    mine, theirs = board.stones(1), board.stones(2)

    def priority(row: int, col: int) -> float:
        return shape.priority(where, mine, theirs, bit_of(board, row, col), 1)

    assert priority(2, 0) == 5 + 4  # the middle row; a stone there would bridge to the stone at (1, 2)
    assert priority(4, 4) == 0 + 2  # an outer row, all the way along
    assert priority(1, 1) == 2.5 + 0.5 + 3 + 1 + 4  # next to its own stone, along its direction, bridge to the edge
    assert priority(0, 2) == 0 + 1 + 3  # next to it, but not along its direction


@pytest.mark.parametrize("size", [2, 3, 4, 5, 10, 11])
def test_ultrapros_centrality_is_the_same_from_either_edge(size):
    where = geometry(HexBoard(size))
    found = [shape._centrality(where, at) for at in range(size)]

    assert found == found[::-1]
    assert found[0] == 0
    assert found == sorted(found[: (size + 1) // 2]) + sorted(found[(size + 1) // 2 :], reverse=True)
    assert max(found) == (1 if size % 2 else pytest.approx(1 - 1 / (size - 1)))


def test_ultrapros_territory_and_patterns_are_those_of_the_document():
    board = hex_board("...../...../.11../...../....1")
    where = geometry(board)

    assert shape.territory(where, board.stones(1), 1) == pytest.approx(3 * 1 + 2 * 0.5 + 2 * 0.2)
    assert shape.patterns(where, board.stones(1), 0, 1) == 1 - 1  # a bridge to the left edge, an isolated stone
    assert shape.patterns(where, bit_of(board, 2, 1), 0, 1) == 1  # a stone with a bridge is not isolated


def test_ultrapros_opening_prefers_the_move_that_wins_most_playouts():
    board = HexBoard(5)
    where = geometry(board)
    root = ultrapro.Hybrid(where, None).root(0, 0, 1)
    corner, centre = bit_of(board, 0, 0), bit_of(board, 2, 2)

    for moves in ([corner, centre], [centre, corner]):
        assert ultrapro._most_winning_move(where, root, moves, random.Random(1)) == centre


# alphabeta: "Desconecta-4 BOOM"


def test_alphabeta_searches_8_plies_ahead_and_counts_10_per_two_and_100_per_three():
    environment = Environment()
    for action in (0, 3, 1, 3, 2, 4):  # a three for player 1; a vertical, a horizontal and a diagonal two for player 2
        environment.apply(action)

    assert alphabeta.AlphaBetaPlayer(1).depth == 8
    assert alphabeta.evaluate(environment.state) == 10 * (3 - 0) + 100 * (0 - 1)
    assert alphabeta.WIN == 1_000_000
