"""A model of the Hex board: its lists are all there is, and every answer is worked out from them."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.bench.plain_board import PlainBoard


class ListBoard:
    """A board whose `board` is the only place where its stones are."""

    def __init__(self, size: int, adjacency: str) -> None:
        self.size = size
        self.adjacency = adjacency
        self.board: list[Any] = [[0] * size for _ in range(size)]

    def clone(self) -> "ListBoard":
        self._complete()
        twin = ListBoard(self.size, self.adjacency)
        twin.board = [row[: self.size] for row in self.board[: self.size]]
        return twin

    @property
    def player_positions(self) -> dict[int, set[tuple[int, int]]]:
        return {player: set(self._cells(player)) for player in (1, 2)}

    def place_piece(self, row: int, col: int, player_id: int) -> bool:
        self._complete()
        if self.board[row][col] != 0:
            return False
        self.board[row][col] = player_id
        return True

    def get_possible_moves(self) -> list[tuple[int, int]]:
        return list(self._cells(0))

    def check_connection(self, player_id: int) -> bool:
        searched = PlainBoard(self.size, self.adjacency)
        searched.board, searched.player_positions = self.board, self.player_positions
        return searched.check_connection(player_id)

    def _cells(self, value: int) -> Iterator[tuple[int, int]]:
        self._complete()
        return ((row, col) for row, col in product(range(self.size), repeat=2) if self.board[row][col] == value)

    def _complete(self) -> None:
        """Make every row a full list, as a method of `HexBoard` does: missing cells cannot be played."""
        self.board = self.board if isinstance(self.board, list) else list(self.board)
        self.board += [[-1] * self.size for _ in range(self.size - len(self.board))]
        for at in range(self.size):
            if type(self.board[at]) is not list:
                self.board[at] = list(self.board[at])
            self.board[at] += [-1] * (self.size - len(self.board[at]))
