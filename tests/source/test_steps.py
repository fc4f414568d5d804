"""Lists of steps to neighbouring cells are found however they are written, and nothing is run."""

import ast
import time

import pytest

from grader.source.steps import find_steps

STRAIGHT = {(0, -1), (0, 1), (-1, 0), (1, 0)}
RISING, LEFT, RIGHT = {(-1, 1), (1, -1)}, {(-1, -1), (1, -1)}, {(-1, 1), (1, 1)}
AXIAL = (STRAIGHT | RISING, STRAIGHT | RISING)
EVEN_R = (STRAIGHT | RIGHT, STRAIGHT | LEFT)
SIX = "[(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1)]"
EVEN, ODD = (
    "[(0,-1), (0,1), (-1,0), (1,0), (-1,1), (1,1)]",
    "[(0,-1), (0,1), (-1,0), (1,0), (-1,-1), (1,-1)]",
)

ALWAYS_THE_SAME = {
    "a list": f"STEPS = {SIX}",
    "an array of a class": f"import numpy as np\nclass A:\n  STEPS = np.array({SIX.replace('(', '[').replace(')', ']')})",
    "a dict of directions": "D = {'N': (-1,0), 'S': (1,0), 'W': (0,-1), 'E': (0,1), 'NE': (-1,1), 'SW': (1,-1)}",
    "two parallel lists": "class A:\n  DR = [-1,-1,0,0,1,1]\n  DC = [0,1,-1,1,-1,0]",
    "cells": "def near(r, c):\n  return [(r-1,c), (r+1,c), (r,c-1), (r,c+1), (r-1,c+1), (r+1,c-1)]",
    "cells of a tuple": "def near(p):\n  return [(p[0]-1,p[1]), (p[0]+1,p[1]), (p[0],p[1]-1), (p[0],p[1]+1), "
    "(p[0]-1,p[1]+1), (p[0]+1,p[1]-1)]",
    "one by one": "def near(r, c):\n  out = []\n  if r > 0: out.append((r-1,c))\n  if r < 9: out.append((r+1,c))\n"
    "  if c > 0: out.append((r,c-1))\n  if c < 9: out.append((r,c+1))\n  if r > 0 and c < 9: out.append((r-1,c+1))\n"
    "  if r < 9 and c > 0: out.append((r+1,c-1))\n  return out",
    "recursion": "def dfs(r, c):\n  return dfs(r-1,c) or dfs(r+1,c) or dfs(r,c-1) or dfs(r,c+1) or dfs(r-1,c+1) or dfs(r+1,c-1)",
    "nested loops": "def near(r, c):\n  for dr in (-1,0,1):\n    for dc in (-1,0,1):\n      if dr == dc: continue\n"
    "      nr, nc = r+dr, c+dc\n      yield nr, nc",
    "a list in a comprehension": f"def near(r, c):\n  return [(r+a, c+b) for a, b in {SIX} if r+a >= 0]",
    "a list in a call": f"def near(r, c):\n  best = min(f(r+a, c+b) for a, b in {SIX})\n  return best",
    "a list in a condition": f"def near(r, c):\n  if any(g[r+a][c+b] for a, b in {SIX}):\n    return 1",
    "a list that is continued": "def near(r, c):\n  out = [(r+a, c+b) for a, b in [(-1,0), (1,0), (0,-1), (0,1)]]\n"
    "  out += [(r-1,c+1), (r+1,c-1)]\n  return out",
    "a comprehension": "near = lambda r, c: 0\ndef f(r, c):\n  return [(r+a,c+b) for a in range(-1,2) for b in range(-1,2) if a != b and r+a < 9]",
}
BY_PARITY = {
    "two lists": f"EVEN = {EVEN}\nODD = {ODD}\ndef near(r):\n  return EVEN if r % 2 == 0 else ODD",
    "two attributes": f"class A:\n  def near(self, x, y):\n    return self.odd if x % 2 else self.even\n"
    f"  def __init__(self):\n    self.even = {EVEN}\n    self.odd = {ODD}",
    "an if": f"def near(r):\n  if r % 2 == 0:\n    steps = {EVEN}\n  else:\n    steps = {ODD}\n  return steps",
    "an if that returns": f"def near(r):\n  if r & 1:\n    return {ODD}\n  return {EVEN}",
    "a condition with a name": f"def near(r):\n  is_odd = r % 2 != 0\n  return {ODD} if is_odd else {EVEN}",
    "a dict by number": f"STEPS = {{0: {EVEN}, 1: {ODD}}}",
    "a dict by name": f"STEPS = {{'impar': {ODD}, 'par': {EVEN}}}",
    "an index": f"STEPS = [{ODD}, {EVEN}]\ndef near(r):\n  return STEPS[(r + 1) % 2]",
    "a list that grows": "def near(r):\n  steps = [(0,-1), (0,1), (-1,0), (1,0)]\n  if not r % 2:\n    steps += [(-1,1), (1,1)]\n"
    "  else:\n    steps.extend([(-1,-1), (1,-1)])\n  return steps",
    "a shift": "def near(r, c):\n  s = r % 2\n  for cell in ((r,c-1), (r,c+1), (r-1,c-s), (r-1,c-s+1), (r+1,c-s), (r+1,c-s+1)):\n    yield cell",
    "a sign": "def near(row, col):\n  d = 1 if row % 2 == 0 else -1\n"
    "  return [(row, col-1), (row, col+1)] + [(r, c) for r in (row-1, row+1) for c in (col, col+d)]",
    "yields": "def near(r, c):\n  yield r-1, c\n  yield r+1, c\n  yield (r, c-1)\n  yield (r, c+1)\n"
    "  if r % 2:\n    yield r-1, c-1\n    yield r+1, c-1\n  else:\n    yield r-1, c+1\n    yield r+1, c+1",
}


def found(code: str) -> list[tuple[set[tuple[int, int]], set[tuple[int, int]]]]:
    return [(set(steps.even), set(steps.odd)) for steps in find_steps(ast.parse(code))]


@pytest.mark.parametrize("way", ALWAYS_THE_SAME)
def test_steps_that_are_the_same_on_every_row_are_found(way):
    assert found(ALWAYS_THE_SAME[way]) == [AXIAL]


@pytest.mark.parametrize("way", BY_PARITY)
def test_steps_that_depend_on_the_parity_of_the_row_are_found(way):
    tables = found(BY_PARITY[way])

    assert tables and all(table == EVEN_R for table in tables)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("BRIDGES = [(-2,1), (-1,2), (1,1), (2,-1), (1,-2), (-1,-1)]", id="steps that lead further"),
        pytest.param("STEPS = [(random(), 1), (f(), 0), (g(), 1), (h(), 1)]", id="steps that only running would show"),
        pytest.param(f"def near(r):\n  if r % 2 == 0:\n    steps = {EVEN}\n  return steps", id="only even rows"),
    ],
)
def test_other_lists_are_left_out(code):
    assert found(code) == []


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("def near(i, n):\n  return [i-1, i+1, i-n, i+n, i-n+1, i+n-1]", id="numbers of cells"),
        pytest.param("def near(i, n):\n  f(i-n+1)\n  f(i+n-1)", id="numbers of cells, one by one"),
        pytest.param("def near(i, n):\n  for d in (-1, 1, -n, n):\n    yield i+d", id="steps between numbers"),
        pytest.param("def near(r, c, n):\n  return g[(r-1)*n + c + 1], g[(r+1)*n + c - 1]", id="rows and columns"),
        pytest.param("def near(r, c):\n  return [(r+a, c+b) for a, b in loads(TEXT)]", id="steps from a text"),
        pytest.param("def near(r, c):\n  for a, b in product(N, N):\n    x = r + a\n    y = c + b", id="all products"),
        pytest.param("def near(r, c):\n  d = make()\n  for a, b in d:\n    f(r + a, c + b)", id="steps in a variable"),
    ],
)
def test_neighbours_that_cannot_be_read_are_reported_without_steps(code):
    assert found(code) == [(set(), set())]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(f"def near(r):\n  old = {SIX}\n  return r", id="a list that its function never uses"),
        pytest.param("def f(r, size):\n  return size - r - 1, size - 1, -size, r + 1", id="the opposite side"),
        pytest.param("def f(g, h, w):\n  for a, b in w:\n    yield (g + h, a, b)", id="a priority"),
        pytest.param("from x import D\ndef f(r, c):\n  return [(r+a, c+b) for a, b in D]", id="a list in another file"),
    ],
)
def test_code_without_a_list_is_not_reported(code):
    assert found(code) == []


def test_a_table_for_each_of_two_settings_is_found_separately():
    code = (
        "def near(board, row):\n  steps = [(0,-1), (0,1), (-1,0), (1,0)]\n  if board.kind == 'axial':\n"
        "    steps += [(-1,1), (1,-1)]\n  elif row % 2 == 0:\n    steps += [(-1,1), (1,1)]\n"
        "  else:\n    steps += [(-1,-1), (1,-1)]\n  return steps"
    )

    assert found(code) == [AXIAL, EVEN_R]


def test_code_that_unrolls_without_end_is_read_in_bounded_time():
    depth = 12
    loops = "".join(f"{' ' * at}for a{at} in range(30):\n" for at in range(depth))
    began = time.process_time()

    found(loops + " " * depth + "x = [(a1, a2), (a3, a4), (a5, a6)]\n")

    assert time.process_time() - began < 3
