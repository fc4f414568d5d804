"""Positions in which a player's move tells what it believes about the rules."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.check.asking import Answer
from grader.games import AnyGame
from grader.reports.check import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A position, and what some of the moves in it tell."""

    player_id: int
    """Who is to move."""
    position: Any
    telling: Mapping[str, frozenset[Any]]
    """The moves that somebody would make who believes this."""


Reply = tuple[Question, Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """What a game can ask a player."""

    questions: Callable[[AnyGame, int], Iterator[Question]]
    """By a seed, the most telling ones first."""
    settled: Callable[[AnyGame, Sequence[Reply]], bool]
    """Whether the answers so far tell enough."""
    verdict: Callable[[AnyGame, Sequence[Reply]], Verdict | None]
    """What they come to, if they tell anything."""
