"""Hex players that each write down a neighbourhood, right or wrong, in a way of their own, and search in a way of their own.

A player's file is a list of neighbours in one of `LISTS` followed by one of `SEARCHES`. `python -m
tests.checks.neighbourhood_players` prints what a check says about each of them.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grader.games.exam import ExamAnswer, Mark, PlayedCode, Reply, Verdict
from grader.games.hex import Hex, HexBoard
from grader.games.hex.exam import EXAM
from grader.inspection.entry import find_entry
from grader.inspection.played_code import read_played_code
from grader.inspection.submission_code import read_code
from grader.player import Player
from grader.records import Charge

_STRAIGHT = "(0, -1), (0, 1), (-1, 0), (1, 0)"
_LEFT, _RIGHT = "(-1, -1), (1, -1)", "(-1, 1), (1, 1)"
_DIAGONALS = {
    "axial": ("(-1, 1), (1, -1)", "(-1, 1), (1, -1)"),
    "mirrored": ("(-1, -1), (1, 1)", "(-1, -1), (1, 1)"),
    "even-r": (_RIGHT, _LEFT),
    "odd-r": (_LEFT, _RIGHT),
    "four": ("", ""),
    "eight": (f"{_LEFT}, {_RIGHT}", f"{_LEFT}, {_RIGHT}"),
}
"""The diagonal steps from even and from odd rows."""
_INSIDE = "    return [(a, b) for a, b in near if 0 <= a < size and 0 <= b < size]\n"


def _list(even: str, _: str) -> str:
    return f"""
DIRECCIONES = [{_STRAIGHT}, {even}]
def vecinos(r, c, size):
    near = [(r + dr, c + dc) for dr, dc in DIRECCIONES]
{_INSIDE}"""


def _array(even: str, _: str) -> str:
    rows = f"{_STRAIGHT}, {even}".replace("(", "[").replace(")", "]")
    return f"""
import numpy as np
OFFSETS = np.array([{rows}])
def vecinos(r, c, size):
    near = [(int(r + d[0]), int(c + d[1])) for d in OFFSETS]
{_INSIDE}"""


def _dict(even: str, odd: str) -> str:
    return f"""
OFFSETS = {{"par": [{_STRAIGHT}, {even}], "impar": [{_STRAIGHT}, {odd}]}}
def vecinos(r, c, size):
    near = [(r + dr, c + dc) for dr, dc in OFFSETS["par" if r % 2 == 0 else "impar"]]
{_INSIDE}"""


def _if_else(even: str, odd: str) -> str:
    return f"""
def vecinos(r, c, size):
    pasos = [{_STRAIGHT}]
    if r % 2 == 0:
        pasos += [{even}]
    else:
        pasos += [{odd}]
    near = [(r + dr, c + dc) for dr, dc in pasos]
{_INSIDE}"""


def _two_lists(even: str, odd: str) -> str:
    return f"""
class Geometria:
    EVEN = [{_STRAIGHT}, {even}]
    ODD = [{_STRAIGHT}, {odd}]
def vecinos(r, c, size):
    tabla = Geometria.ODD if r & 1 else Geometria.EVEN
    near = [(r + dr, c + dc) for dr, dc in tabla]
{_INSIDE}"""


def _cells(even: str, _: str) -> str:
    signs = {"(-1, 1), (1, -1)": ("+", "-"), "(-1, -1), (1, 1)": ("-", "+")}[even]
    return f"""
def vecinos(r, c, size):
    near = []
    if r > 0:
        near.append((r - 1, c))
    if c > 0:
        near.append((r, c - 1))
    near.append((r + 1, c))
    near.append((r, c + 1))
    near.append((r - 1, c {signs[0]} 1))
    near.append((r + 1, c {signs[1]} 1))
{_INSIDE}"""


def _shift(even: str, _: str) -> str:
    first, second = ("1", "-1") if even == _RIGHT else ("-1", "1")
    return f"""
def vecinos(r, c, size):
    lado = {first} if r % 2 == 0 else {second}
    near = [(r, c - 1), (r, c + 1), (r - 1, c), (r - 1, c + lado), (r + 1, c), (r + 1, c + lado)]
{_INSIDE}"""


def _parallel(even: str, _: str) -> str:
    steps = eval(f"[{_STRAIGHT}, {even}]")
    return f"""
DR = {[down for down, _ in steps]}
DC = {[right for _, right in steps]}
def vecinos(r, c, size):
    near = [(r + DR[i], c + DC[i]) for i in range(6)]
{_INSIDE}"""


def _inline(even: str, _: str) -> str:
    return f"""
def vecinos(r, c, size):
    near = [(r + dr, c + dc) for dr, dc in [{_STRAIGHT}, {even}]]
{_INSIDE}"""


def _index(even: str, _: str) -> str:
    first, second = {"(-1, 1), (1, -1)": ("+", "-"), "(-1, -1), (1, 1)": ("-", "+")}[even]
    return f"""
def vecinos(r, c, size):
    i = (r + 1) * (size + 2) + c + 1
    ancho = size + 2
    cerca = (i - 1, i + 1, i - ancho, i + ancho, i - ancho {first} 1, i + ancho {second} 1)
    near = [(j // ancho - 1, j % ancho - 1) for j in cerca]
{_INSIDE}"""


def _unused(even: str, _: str) -> str:
    mirrored = _DIAGONALS["mirrored"][0]
    return f"""
ANTIGUAS = [{_STRAIGHT}, {mirrored}]
__all__ = ["ANTIGUAS", "SmartPlayer"]
def vecinos(r, c, size):
    otras = [{_STRAIGHT}, {mirrored}]
    near = [(r + dr, c + dc) for dr, dc in [{_STRAIGHT}, {even}]]
{_INSIDE}
def vecinos_antiguos(r, c):
    return [(r + dr, c + dc) for dr, dc in ANTIGUAS]
"""


def _unreadable(even: str, odd: str) -> str:
    return f"""
def vecinos(r, c, size):
    textos = "{even};{odd}".replace(" ", "").split(";")[r % 2].strip("()").split("),(")
    near = [(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c)]
    near += [(r + int(dr), c + int(dc)) for dr, dc in (texto.split(",") for texto in textos)]
{_INSIDE}"""


LISTS: dict[str, Callable[[str, str], str]] = {
    "a list": _list,
    "an array": _array,
    "a dict": _dict,
    "if and else": _if_else,
    "two lists": _two_lists,
    "cells": _cells,
    "a shift": _shift,
    "parallel lists": _parallel,
    "inline": _inline,
    "index arithmetic": _index,
    "next to an unused list": _unused,
    "unreadable": _unreadable,
}

_START = """
import heapq, random
from player import Player
from board import HexBoard
"""
_BOARD_WINS = """
    def gana_ya(self, board):
        for who in (self.player_id, 3 - self.player_id):
            for move in board.get_possible_moves():
                copia = board.clone()
                copia.place_piece(*move, who)
                if copia.check_connection(who):
                    return move
"""
_BOARD_WINS_IN_TWO = (
    _BOARD_WINS
    + """
        libres = board.get_possible_moves()
        for who in (self.player_id, 3 - self.player_id):
            for move in libres:
                copia = board.clone()
                copia.place_piece(*move, who)
                ganan = 0
                for otra in libres:
                    if otra != move:
                        doble = copia.clone()
                        doble.place_piece(*otra, who)
                        ganan += doble.check_connection(who)
                if ganan >= 2:
                    return move
"""
)
_AXIAL_LIST = """
        for paso in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1)]:
            self.ultimo = paso
"""
_NO_WINS = """
    def gana_ya(self, board):
        return None
"""
_DISTANCE = """
def distancia(cells, size, who):
    starts = [(i, 0) if who == 1 else (0, i) for i in range(size)]
    cost = {0: 1, who: 0}
    heap = [(cost[cells[r][c]], r, c) for r, c in starts if cells[r][c] in cost]
    heapq.heapify(heap)
    seen = set()
    while heap:
        d, r, c = heapq.heappop(heap)
        if (r, c) in seen:
            continue
        seen.add((r, c))
        if (c if who == 1 else r) == size - 1:
            return d
        for a, b in vecinos(r, c, size):
            if cells[a][b] in cost and (a, b) not in seen:
                heapq.heappush(heap, (d + cost[cells[a][b]], a, b))
    return 99

def valor(board, me):
    return distancia(board.board, board.size, 3 - me) - distancia(board.board, board.size, me)

def con(board, move, who):
    copia = board.clone()
    copia.place_piece(*move, who)
    return copia
"""
_CONNECTED = """
def conectado(stones, size, who):
    waiting = [p for p in stones if p[who == 1] == 0]
    seen = set(waiting)
    while waiting:
        p = waiting.pop()
        if p[who == 1] == size - 1:
            return True
        for q in vecinos(*p, size):
            if q in stones and q not in seen:
                seen.add(q)
                waiting.append(q)
    return False
"""
_DIJKSTRA = (
    _DISTANCE
    + """
class SmartPlayer(Player):
    def play(self, board):
        return self.gana_ya(board) or max(
            board.get_possible_moves(), key=lambda move: valor(con(board, move, self.player_id), self.player_id)
        )
"""
)
_ALPHABETA = (
    _DISTANCE
    + """
class SmartPlayer(Player):
    def play(self, board):
        return self.gana_ya(board) or self.buscar(board, 3, -999, 999, self.player_id)[1]

    def buscar(self, board, depth, alpha, beta, who):
        here = valor(board, self.player_id)
        if depth == 0 or abs(here) > 50 or not board.get_possible_moves():
            return here, None
        sign = 1 if who == self.player_id else -1
        moves = sorted(
            board.get_possible_moves(), key=lambda move: -sign * valor(con(board, move, who), self.player_id)
        )[:4]
        best = None
        for move in moves:
            found = self.buscar(con(board, move, who), depth - 1, alpha, beta, 3 - who)[0]
            if best is None or sign * found > sign * best[0]:
                best = found, move
            if sign > 0:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                break
        return best
"""
)
_MCTS = (
    _CONNECTED
    + """
class SmartPlayer(Player):
    def play(self, board):
        found = self.gana_ya(board)
        if found:
            return found
        free, me = board.get_possible_moves(), self.player_id
        mine = {(r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == me}
        rng, wins = random.Random(1), {}
        for move in free:
            rest = [cell for cell in free if cell != move]
            for _ in range(12):
                rng.shuffle(rest)
                stones = mine | {move} | set(rest[: len(rest) // 2])
                wins[move] = wins.get(move, 0) + conectado(stones, board.size, me)
        return max(free, key=lambda move: wins[move])
"""
)
_UNION_FIND = """
class Conjuntos:
    def __init__(self):
        self.padre = {}
    def raiz(self, x):
        self.padre.setdefault(x, x)
        while self.padre[x] != x:
            x = self.padre[x]
        return x
    def unir(self, a, b):
        self.padre[self.raiz(a)] = self.raiz(b)

class SmartPlayer(Player):
    def play(self, board):
        found = self.gana_ya(board)
        if found:
            return found
        for who in (self.player_id, 3 - self.player_id):
            stones = [(r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == who]
            for move in board.get_possible_moves():
                if self.une(set(stones) | {move}, board.size, who):
                    return move
        middle = board.size // 2
        return min(board.get_possible_moves(), key=lambda m: abs(m[0] - middle) + abs(m[1] - middle))

    def une(self, stones, size, who):
        grupos = Conjuntos()
        for p in stones:
            if p[who == 1] == 0:
                grupos.unir(p, "inicio")
            if p[who == 1] == size - 1:
                grupos.unir(p, "fin")
            for q in vecinos(*p, size):
                if q in stones:
                    grupos.unir(p, q)
        return grupos.raiz("inicio") == grupos.raiz("fin")
"""
_MIXTURE = (
    _DIJKSTRA
    + """
    def gana_ya(self, board):
        me = self.player_id
        mine = {(r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == me}
        for move in board.get_possible_moves():
            if self.conectado(mine | {move}, board.size, me):
                return move

    def conectado(self, stones, size, who):
        waiting = [p for p in stones if p[who == 1] == 0]
        seen = set(waiting)
        while waiting:
            r, c = waiting.pop()
            if (r, c)[who == 1] == size - 1:
                return True
            for q in [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1), (r - 1, c + 1), (r + 1, c - 1)]:
                if q in stones and q not in seen:
                    seen.add(q)
                    waiting.append(q)
        return False
"""
)
SEARCHES = {
    "shortest path": _DIJKSTRA + _NO_WINS,
    "shortest path, asks the board for wins": _DIJKSTRA + _BOARD_WINS,
    "alpha-beta": _ALPHABETA + _NO_WINS,
    "alpha-beta, asks the board for wins": _ALPHABETA + _BOARD_WINS,
    "playouts": _MCTS + _NO_WINS,
    "playouts, asks the board for wins": _MCTS + _BOARD_WINS,
    "union-find": _UNION_FIND + _NO_WINS,
    "shortest path, axial wins": _MIXTURE,
    "shortest path, asks the board for wins in two": _DIJKSTRA + _BOARD_WINS_IN_TWO,
    "shortest path, asks the board for wins in two, axial list elsewhere": _DIJKSTRA + _BOARD_WINS_IN_TWO + _AXIAL_LIST,
}


@dataclass(frozen=True)
class Sample:
    """A player: how it writes its list and searches, the neighbourhood in it, and the assignment's."""

    written: str
    search: str
    believed: str
    real: str

    def __str__(self) -> str:
        return f"{self.search} with {self.believed} as {self.written}, where {self.real} is right"

    @property
    def code(self) -> str:
        """Its file."""
        return _START + LISTS[self.written](*_DIAGONALS[self.believed]) + SEARCHES[self.search]


_ASKS = "asks the board for wins"
WRONG = [
    Sample("a list", f"shortest path, {_ASKS}", "axial", "even-r"),
    Sample("a dict", f"shortest path, {_ASKS}", "even-r", "axial"),
    Sample("if and else", "shortest path", "odd-r", "even-r"),
    Sample("two lists", f"alpha-beta, {_ASKS}", "odd-r", "even-r"),
    Sample("an array", f"alpha-beta, {_ASKS}", "mirrored", "axial"),
    Sample("cells", "playouts", "axial", "even-r"),
    Sample("a shift", f"playouts, {_ASKS}", "odd-r", "axial"),
    Sample("parallel lists", "union-find", "axial", "even-r"),
    Sample("unreadable", f"shortest path, {_ASKS}", "even-r", "axial"),
    Sample("two lists", "shortest path, axial wins", "odd-r", "axial"),
]
RIGHT = [
    Sample("a list", f"shortest path, {_ASKS}", "axial", "axial"),
    Sample("a dict", f"shortest path, {_ASKS}", "even-r", "even-r"),
    Sample("if and else", "shortest path", "even-r", "even-r"),
    Sample("two lists", f"alpha-beta, {_ASKS}", "even-r", "even-r"),
    Sample("an array", "alpha-beta", "axial", "axial"),
    Sample("cells", "playouts", "axial", "axial"),
    Sample("a shift", f"playouts, {_ASKS}", "even-r", "even-r"),
    Sample("parallel lists", "union-find", "axial", "axial"),
    Sample("unreadable", f"shortest path, {_ASKS}", "even-r", "even-r"),
    Sample("parallel lists", "shortest path, axial wins", "axial", "axial"),
]
_ASKS_TWICE = "shortest path, asks the board for wins in two"
HIDDEN = [
    *(
        Sample(written, _ASKS_TWICE, "mirrored", "axial")
        for written in ("a list", "inline", "index arithmetic", "unreadable")
    ),
    *(Sample(written, _ASKS_TWICE, name, "axial") for written in ("a list", "inline") for name in ("four", "eight")),
    *(
        Sample(written, f"{_ASKS_TWICE}, axial list elsewhere", name, "axial")
        for written, name in (("inline", "mirrored"), ("a list", "four"), ("inline", "eight"), ("an array", "mirrored"))
    ),
    *(
        Sample(written, f"{_ASKS_TWICE}, axial list elsewhere", "mirrored", "axial")
        for written in ("index arithmetic", "unreadable")
    ),
    *(Sample(written, _ASKS_TWICE, "axial", "even-r") for written in ("cells", "parallel lists", "index arithmetic")),
]
"""Players whose moves in the test positions all come from the board, while their own search uses the wrong neighbours."""
INLINE = [
    Sample(written, f"shortest path, {_ASKS}", "axial", "axial") for written in ("inline", "next to an unused list")
]
"""Players with the right neighbours in a comprehension."""
SLOW = 8
"""The number of test positions that a slow player is asked in a check."""


def exam_verdict(sample: Sample, folder: Path, size: int = 7, most: int = 100) -> Verdict | None:
    """What the exam says about a player: its code is read from a file, and it is asked in this process."""
    (folder / "solution.py").write_text(sample.code, encoding="utf-8")
    entry, _ = find_entry(folder)
    assert entry is not None
    code = read_played_code(read_code(folder), entry)
    return _asked(sample, Hex(size, sample.real), code, most)


def _asked(sample: Sample, game: Hex, code: PlayedCode, most: int) -> Verdict | None:
    names: dict[str, Any] = {"Player": Player, "HexBoard": HexBoard}
    text = sample.code.replace("from player import Player", "").replace("from board import HexBoard", "")
    exec(compile(text, "solution.py", "exec"), names)
    replies: list[Reply] = []
    for question in EXAM.questions(game, 0):
        move = names["SmartPlayer"](question.player_id).play(game.board(question.position))
        charge = Charge(wall=0.0, cpu=0.0, waited=0.0, charged=0.0)
        answer = ExamAnswer(player_id=question.player_id, position=question.position, charge=charge, move=move)
        replies.append((question, answer))
        if len(replies) == most or EXAM.has_enough(game, replies):
            break
    return EXAM.verdict(game, replies, code)


def outcome(sample: Sample, verdict: Verdict | None) -> str:
    """`named`, `not told`, `confirmed` or `false alarm`."""
    if verdict is None or verdict.mark is Mark.OPEN or "could not be checked" in verdict.text:
        return "not told"
    if verdict.mark is Mark.GOOD:
        return "confirmed"
    return "named" if sample.believed != sample.real else "false alarm"


def main() -> None:
    """Print the outcome for each player, for quick and for slow ones."""
    for most in (100, SLOW):
        for samples in (WRONG, HIDDEN, RIGHT, INLINE):
            counts: Counter[str] = Counter()
            for sample in samples:
                with TemporaryDirectory() as folder:
                    verdict = exam_verdict(sample, Path(folder), most=most)
                counts[outcome(sample, verdict)] += 1
                print(f"{outcome(sample, verdict):11} {sample}: {verdict.text if verdict else None}")
            print(dict(counts), "\n")


if __name__ == "__main__":
    main()
