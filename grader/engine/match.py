"""Play a match or a series between two players in sandboxed processes, and decide whether the machine was too busy for a fair game."""

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from grader.engine.move_counts import CountMove
from grader.errors import GraderFault, MachineBusy, OptionError
from grader.games import Game, find_game, installed_games, make_game
from grader.inspection.players import ResolvedPlayer, player_for_game
from grader.inspection.reference_catalogue import reference_players
from grader.language import Message, say
from grader.records import Answer, Ending, Fault, Finding, MatchRecord, SeatReport
from grader.referee import MoveListener, Seat, play_match
from grader.sandbox.clock import CoreUse
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.machine import machine_summary
from grader.sandbox.process import PlayerProcess, Seating
from grader.seeds import public_seed

TRIES = 3
PAUSE = 5.0
"""Seconds to wait before a second attempt if the machine was too busy for the first; twice as long before the third."""
STARVED_SHARE = 0.10
"""A player that waited for a core for more than this share of its time was treated unfairly."""
STARVED_SECONDS = 0.25
"""Less waiting than this is jitter, whatever its share."""
CAUSED_SHARE = 0.5
"""Share of a wait for which other processes must have used the core; otherwise they did not cause it."""
LONG_MOVE = 0.25
"""Share of the time limit. A shorter move was not cut short by the player's own clock."""
MOVES_IN_A_BANK = 20


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """The seat of a submission in which no player was found: it loses when it is loaded."""

    player: ResolvedPlayer

    reference = installed = may_read_clock = False

    def load(self) -> Fault:
        """The fault that says why there is no player."""
        return no_player_fault(self.player.findings[0])

    def choose(self, position: Any) -> Answer:
        """Never asked."""
        raise AssertionError(f"an empty seat was asked for a move in {position}")

    def learn(self, result: int) -> None:
        """Do nothing: there is no player."""

    def report(self) -> SeatReport:
        """A report with only the findings of the search for a player."""
        return SeatReport(name=self.player.name, isolation="none", findings=self.player.findings)


def no_player_fault(why: Finding) -> Fault:
    """The fault of a submission without a player, which is what the finding says."""
    where = f"{why.file}:{why.line}" if why.file and why.line else None
    return Fault(ending=Ending.LOAD_ERROR, text=why.text, help=why.help, where=where)


SeatPair = tuple[Seating | EmptySeat, Seating | EmptySeat]
"""The two players of a match; the first moves first."""


def prepare_match(
    players: tuple[ResolvedPlayer, ResolvedPlayer], game: str | type[Game] | None, options: Mapping[str, Any], seed: int
) -> tuple[Game, SeatPair]:
    """The game that two players play, and their seatings, each with a seed of its own that follows from `seed`."""
    kind = game if isinstance(game, type) else find_game(game or detect_game(players) or next(iter(installed_games())))
    configured = make_game(kind, options)
    first, second = (player_for_game(player, configured) for player in players)
    return configured, (_seating(first, second, 1, seed), _seating(second, first, 2, seed))


def detect_game(players: Sequence[ResolvedPlayer]) -> str | None:
    """The game that the players' code is for, or the only one that these reference players all play; None if unclear."""
    games = [player.entry.game for player in players if player.entry and player.entry.game and not player.reference]
    if games:
        return games[0]
    if not all(player.reference for player in players):
        return None
    names = [player.name.partition("(")[0].strip() for player in players]
    common = [
        game
        for game, kind in installed_games().items()
        if all(any(player.name == name and player.plays(kind()) for player in reference_players()) for name in names)
    ]
    return common[0] if len(common) == 1 else None


def _seating(player: ResolvedPlayer, other: ResolvedPlayer, player_id: int, seed: int) -> Seating | EmptySeat:
    if player.entry is None:
        return EmptySeat(player)
    return Seating(
        name=player.name,
        entry=player.entry.as_order(),
        player_id=player_id,
        seed=public_seed("match", seed, player_id),
        options=player.options,
        hidden=_files_to_hide(player, other),
        findings=player.findings,
        reference=player.reference or bool(player.digest),
        installed=player.reference,
        may_read_clock=player.entry.may_read_clock,
    )


def _files_to_hide(player: ResolvedPlayer, other: ResolvedPlayer) -> tuple[str, ...]:
    """The other player's files in a folder that this player may read."""
    if player.entry is None or other.entry is None or other.reference or other.entry == player.entry:
        return ()
    shared = player.entry.root == other.entry.root or other.entry.root in player.entry.root.parents
    hidden = other.entry.root / other.entry.file if shared else other.entry.root
    return () if hidden == player.entry.root / player.entry.file else (str(hidden),)


def run_match(
    game: Game,
    seatings: SeatPair,
    limits: Limits,
    *,
    seed: int,
    watch: MoveListener = lambda *_: None,
    again: Callable[[str], None] = lambda _: None,
    pause: float = PAUSE,
) -> MatchRecord:
    """Play a match in fresh processes. If the machine was too busy, call `again` with the reason, wait, and play it again.

    Raises `GraderFault` if no try was fair.
    """
    attempts: tuple[str, ...] = ()
    busy = 0
    while True:
        try:
            (record,) = _play_series(game, (seatings,), limits, (seed,), lambda _: watch)
        except GraderFault as fault:
            attempts += (fault.text,)
            if len(attempts) == TRIES:
                raise GraderFault(unfair_text(fault.text, TRIES)) from fault
            again(fault.text)
            if isinstance(fault, MachineBusy):
                time.sleep(pause * 2**busy)
                busy += 1
        else:
            return replace(record, attempts=attempts, busy_attempts=busy)


def run_series(
    game: Game,
    pairs: Sequence[SeatPair],
    limits: Limits,
    *,
    seeds: Sequence[int],
    count_move: CountMove = lambda *_: None,
) -> tuple[MatchRecord, ...]:
    """Play matches one after the other, with a student's player kept alive so that it may learn.

    A reference player is new in each match, so that its openings vary. Raises `GraderFault` if the machine was unfair in one
    match: then none of them counts.
    """

    def listener(match: int) -> MoveListener:
        moves = itertools.count(1)
        return lambda *_: count_move(match, next(moves))

    return _play_series(game, pairs, limits, seeds, listener)


def unfair_text(reason: str, attempts: int) -> Message:
    """That a game was given up after some attempts, with the reason for the last one."""
    return say(
        "The game could not be played fairly in {n} attempt. {unfair}",
        "The game could not be played fairly in {n} attempts. {unfair}",
        n=attempts,
        unfair=reason,
    )


def _play_series(
    game: Game,
    pairs: Sequence[SeatPair],
    limits: Limits,
    seeds: Sequence[int],
    listener: Callable[[int], MoveListener],
) -> tuple[MatchRecord, ...]:
    records = []
    with ExitStack() as long_lived:
        lasting: dict[int, Seat] = {}

        def open_seat(side: int, seating: Seating | EmptySeat, fresh: ExitStack) -> Seat:
            """Start a player's process. In a series, a student's player has one process for all matches."""
            if isinstance(seating, EmptySeat):
                return seating
            if len(pairs) == 1 or seating.reference:
                return fresh.enter_context(PlayerProcess(seating, game, limits))
            if side not in lasting:
                lasting[side] = long_lived.enter_context(PlayerProcess(seating, game, limits, lasting=True))
            return lasting[side]

        for match, (pair, seed) in enumerate(zip(pairs, seeds, strict=True)):
            with ExitStack() as fresh:
                seats = [open_seat(side, seating, fresh) for side, seating in enumerate(pair)]
                used_before, use = _cpu(seats), CoreUse(limits.core)
                record = play_match(game, (seats[0], seats[1]), seed=seed, watch=listener(match))
                others = use.by_others(_cpu(seats) - used_before)
            if record.ending == Ending.LOAD_ERROR and record.at_fault is not None and pair[record.at_fault].reference:
                assert record.fault is not None
                raise OptionError(
                    say("{name}: {text}", name=record.seats[record.at_fault].name, text=record.fault.text)
                )  # trying again would not help
            if (failure := _opponent_failure(record, pair)) is not None:
                raise GraderFault(failure)
            if (unfair := starvation(record, pair, limits.time_in_force, others)) is not None:
                raise MachineBusy(unfair)
            records.append(_with_machine(record, limits))
    return tuple(records)


def _with_machine(record: MatchRecord, limits: Limits) -> MatchRecord:
    return replace(record, machine=machine_summary(), speed=limits.speed, time_scale=limits.time_scale)


def _cpu(seats: Sequence[Seat]) -> float:
    return sum(seat.cpu() for seat in seats if isinstance(seat, PlayerProcess))


def _opponent_failure(record: MatchRecord, seatings: SeatPair) -> str | None:
    """Why a match does not count, if a reference player or a course's opponent failed in it."""
    if record.fault is None or record.at_fault is None or not seatings[record.at_fault].reference:
        return None
    name, fault = record.seats[record.at_fault].name, record.fault
    if seatings[record.at_fault].installed:
        return say("The reference player {name} failed. {text}", name=name, text=fault.text)
    if fault.ending == Ending.TIMEOUT:
        return say(
            "The course's opponent {name} failed. {text} Give it more time in the assignment, e.g. time: {{move: 30}}.",
            name=name,
            text=fault.text,
        )
    return say("The course's opponent {name} failed. {text}", name=name, text=fault.text)


def starvation(record: MatchRecord, seatings: SeatPair, times: TimeLimits, others: float | None) -> str | None:
    """Why a finished match must be played again because a player waited too long for a core; None if it need not be.

    A player that watches the clock thinks less when it has to wait. This does not matter if it won, for moves that were too
    short to be limited by the clock, for reference players, which do not use one, and for players whose code cannot read one,
    unless they ran out of time. A wait counts only if other processes used the core meanwhile (`others`: for how many seconds,
    if known): no player can have a lost game played again by itself. Below level good a player can start such processes, so
    its waits do not count there.
    """
    long = LONG_MOVE * (times.move if times.bank is None else times.bank / MOVES_IN_A_BANK)
    for side, seat in enumerate(record.seats):
        if record.winner == side or seatings[side].installed or Level[seat.isolation.upper()] < Level.GOOD:
            continue
        if not seatings[side].may_read_clock and not _was_late(record, side):
            continue
        charges = [turn.charge for turn in record.turns_of(side) if turn.charge.wall >= long]
        waited, wall = sum(charge.waited for charge in charges), sum(charge.wall for charge in charges)
        if others is not None and others < CAUSED_SHARE * waited:
            continue
        if waited > STARVED_SECONDS and waited > STARVED_SHARE * wall:
            return _starvation_text(seat.name, waited, wall, others)
    return None


def _was_late(record: MatchRecord, side: int) -> bool:
    """Whether a player exceeded its time at least once."""
    overran = record.at_fault == side and record.ending == Ending.TIMEOUT
    return overran or any(turn.late for turn in record.turns_of(side))


def _starvation_text(name: str, waited: float, wall: float, others: float | None) -> str:
    if others is None:
        return say(
            "During its long moves ({wall:.1f} s in total), {name} spent {waited:.1f} s waiting for a CPU core: the machine "
            "is too busy for a fair game.",
            name=name,
            waited=waited,
            wall=wall,
        )
    return say(
        "During its long moves ({wall:.1f} s in total), {name} spent {waited:.1f} s waiting for a CPU core, and other programs "
        "used that core for {others:.1f} s during the game: the machine is too busy for a fair game.",
        name=name,
        waited=waited,
        wall=wall,
        others=others,
    )
