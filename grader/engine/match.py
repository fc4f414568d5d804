"""One match between two players, from finding their code to the record, replayed where the machine was unfair."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from grader.errors import GraderFault, OptionError
from grader.games import Game, find_game, installed_games, make_game
from grader.inspection.players import ResolvedPlayer, player_for_game
from grader.inspection.reference_catalogue import reference_players
from grader.language import say
from grader.records import Ending, Fault, MatchRecord, SeatReport
from grader.referee import Seat, Watch, play_match
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.machine import described
from grader.sandbox.process import PlayerProcess, Reply, Seating

TRIES = 3
STARVED_SHARE = 0.10
"""A seat that waited for a core for more than this share of its time had less to think with than it should."""
STARVED_SECONDS = 0.25
"""Less waiting than this is jitter, whatever its share."""
LONG_MOVE = 0.25
"""Of the limit. A move that took less was not cut short by a player's own look at the clock."""
MOVES_IN_A_BANK = 20


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """The seat of a submission in which no player was found: it loses before it has begun."""

    player: ResolvedPlayer

    @property
    def reference(self) -> bool:
        """Whether it is one of ours."""
        return self.player.reference

    @property
    def installed(self) -> bool:
        """Whether its code is installed with the grader."""
        return self.player.reference

    def load(self) -> Fault:
        """Say why there is nobody."""
        why = self.player.findings[0] if self.player.findings else None
        return Fault(
            ending=Ending.LOAD_ERROR,
            text=why.text if why else say("There is no player."),
            help=why.help if why else say("Submit one."),
            where=f"{why.file}:{why.line}" if why and why.file and why.line else None,
        )

    def choose(self, position: Any) -> Reply:
        """Never asked."""
        raise AssertionError(f"nobody is there to answer in {position}")

    def learn(self, result: int) -> None:
        """Nobody learns."""

    def report(self) -> SeatReport:
        """Only what was found when looking for the player."""
        return SeatReport(name=self.player.name, isolation="none", findings=self.player.findings)


Pair = tuple[Seating | EmptySeat, Seating | EmptySeat]
"""Who sits where: the first moves first."""


def arrange(
    players: tuple[ResolvedPlayer, ResolvedPlayer], game: str | type[Game] | None, options: Mapping[str, Any], seed: int
) -> tuple[Game, Pair]:
    """The game that these two play, and how they sit down to it."""
    kind = game if isinstance(game, type) else find_game(game or game_told(players) or next(iter(installed_games())))
    played = make_game(kind, options)
    one, two = (player_for_game(player, played) for player in players)
    return played, (_seating(one, two, 1, seed), _seating(two, one, 2, seed))


def game_told(players: Sequence[ResolvedPlayer]) -> str | None:
    """The game that the code of these players tells of, or the only one that these reference players have in common."""
    told = [player.entry.game for player in players if player.entry and player.entry.game and not player.reference]
    if told:
        return told[0]
    if not all(player.reference for player in players):
        return None
    names = [player.name.partition("(")[0].strip() for player in players]
    common = [
        game
        for game, kind in installed_games().items()
        if all(any(one.name == name and one.plays(kind()) for one in reference_players()) for name in names)
    ]
    return common[0] if len(common) == 1 else None


def _seating(player: ResolvedPlayer, other: ResolvedPlayer, player_id: int, seed: int) -> Seating | EmptySeat:
    if player.entry is None:
        return EmptySeat(player)
    return Seating(
        name=player.name,
        entry=player.entry.as_order(),
        player_id=player_id,
        seed=seed,
        options=player.options,
        hidden=_beside(player, other),
        findings=player.findings,
        reference=player.reference or bool(player.digest),
        installed=player.reference,
    )


def _beside(player: ResolvedPlayer, other: ResolvedPlayer) -> tuple[str, ...]:
    """What of the other's lies in a folder that this player may read."""
    if player.entry is None or other.entry is None or other.reference or other.entry == player.entry:
        return ()
    shared = player.entry.root == other.entry.root or other.entry.root in player.entry.root.parents
    hidden = other.entry.root / other.entry.file if shared else other.entry.root
    return () if hidden == player.entry.root / player.entry.file else (str(hidden),)


def run_match(
    game: Game,
    seatings: Pair,
    limits: Limits,
    *,
    seed: int,
    watch: Watch = lambda *_: None,
    again: Callable[[str], None] = lambda _: None,
) -> MatchRecord:
    """Play a match in fresh processes. If the machine was unfair, play it again; `again` hears why.

    Raises `GraderFault` when it could not be played fairly in all its tries.
    """
    (record,) = _fairly(lambda: _series(game, (seatings,), limits, (seed,), watch), again)
    return record


def run_series(game: Game, pairs: Sequence[Pair], limits: Limits, *, seeds: Sequence[int]) -> tuple[MatchRecord, ...]:
    """Play matches one after the other in which a student's player stays alive and may learn.

    A reference player is fresh in each of them, so that its openings vary. If the machine was unfair in one match, all are
    played again.
    """
    return _fairly(lambda: _series(game, pairs, limits, seeds, lambda *_: None))


def _fairly(
    play: Callable[[], tuple[MatchRecord, ...]], again: Callable[[str], None] = lambda _: None
) -> tuple[MatchRecord, ...]:
    unfair = ""
    for number in range(1, TRIES + 1):
        try:
            return play()
        except GraderFault as fault:
            unfair = fault.text
        if number < TRIES:
            again(unfair)
    raise GraderFault(
        say("The match was tried {tries} times and could not be played fairly. {unfair}", tries=TRIES, unfair=unfair)
    )


def _series(
    game: Game, pairs: Sequence[Pair], limits: Limits, seeds: Sequence[int], watch: Watch
) -> tuple[MatchRecord, ...]:
    records = []
    with ExitStack() as lasting:
        kept: dict[int, Seat] = {}
        for pair, seed in zip(pairs, seeds, strict=True):
            with ExitStack() as fresh:
                first, second = (
                    _seat(fresh, lasting, kept, side, seating, game, limits, lasts=len(pairs) > 1)
                    for side, seating in enumerate(pair)
                )
                record = play_match(game, (first, second), seed=seed, watch=watch)
            if record.ending == Ending.LOAD_ERROR and record.at_fault is not None and pair[record.at_fault].reference:
                assert record.fault is not None
                raise OptionError(
                    say("{name}: {text}", name=record.seats[record.at_fault].name, text=record.fault.text)
                )  # trying again is no use
            if (unfair := _our_own_fault(record, pair) or starved(record, pair, limits.time)) is not None:
                raise GraderFault(unfair)
            records.append(replace(record, machine=described()))
    return tuple(records)


def _seat(
    fresh: ExitStack,
    lasting: ExitStack,
    kept: dict[int, Seat],
    side: int,
    seating: Seating | EmptySeat,
    game: Game,
    limits: Limits,
    *,
    lasts: bool,
) -> Seat:
    """A process for a seat: one for all matches of a series if it is a student's, and else a new one."""
    if isinstance(seating, EmptySeat):
        return seating
    if not lasts or seating.reference:
        return fresh.enter_context(PlayerProcess(seating, game, limits))
    if side not in kept:
        kept[side] = lasting.enter_context(PlayerProcess(seating, game, limits, lasting=True))
    return kept[side]


def _our_own_fault(record: MatchRecord, seatings: Pair) -> str | None:
    """Why nobody can have won a match in which a reference player failed, if one did."""
    if record.fault is None or record.at_fault is None or not seatings[record.at_fault].reference:
        return None
    seating = seatings[record.at_fault]
    name, fault = record.seats[record.at_fault].name, record.fault
    if isinstance(seating, Seating) and seating.installed:
        return say("The reference player {name} failed. {text}", name=name, text=fault.text)
    if fault.ending == Ending.TIMEOUT:
        return say(
            "Your opponent {name} failed. {text} Give it more in the assignment, e.g. time: {{move: 30}}.",
            name=name,
            text=fault.text,
        )
    return say("Your opponent {name} failed. {text}", name=name, text=fault.text)


def starved(record: MatchRecord, seatings: Pair, times: TimeLimits) -> str | None:
    """Why a match should be played again though it came to an end, if it should.

    A player that goes by the clock thinks less where it has to wait. That cannot have made it win; its short moves were not
    cut by any clock; and reference players do not go by one.
    """
    long = LONG_MOVE * (times.move if times.bank is None else times.bank / MOVES_IN_A_BANK)
    for side, seat in enumerate(record.seats):
        if record.winner == side or seatings[side].installed:
            continue
        charges = [turn.charge for turn in record.turns_of(side) if turn.charge.wall >= long]
        waited, wall = sum(charge.waited for charge in charges), sum(charge.wall for charge in charges)
        if waited > STARVED_SECONDS and waited > STARVED_SHARE * wall:
            return say(
                "{name} waited for a core for {waited:.1f} s of the {wall:.1f} s of its long moves: the machine is too busy "
                "to be fair.",
                name=seat.name,
                waited=waited,
                wall=wall,
            )
    return None
