"""Check that saved results follow from their games, without running any student's code.

Every recorded move is checked against the rules, every ending and winner is determined again, the fixtures are drawn up again,
and the resulting grades or standings are compared with those in the files. Changes that keep everything consistent, such as
another legal move or another time, are detected by the saved hashes of all games. If these were made again, too, the
reference players' own moves show it: they are recomputed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.competition.gauntlet import gauntlet_fixtures
from grader.competition.grades import RunResult
from grader.competition.records import Competition
from grader.competition.tournament import Tournament, able_players
from grader.errors import GraderError
from grader.fixtures import REFERENCE, Fixture
from grader.games import Game
from grader.language import Message, say
from grader.records import Answer, Ending, MatchRecord
from grader.referee import judge_answer
from grader.reports.interim import is_interim
from grader.reports.isolation import isolation_warning
from grader.results import saved
from grader.results.changed_games import change_since_saved, game_label
from grader.results.lookup import own_digests
from grader.results.publish import GRADES, STANDINGS, conclude
from grader.results.recheck import SAMPLE_SECONDS, PlayedGame, Recheck, recheck_games
from grader.results.report_checks import REPAIR, RESTORE, check_reports
from grader.sandbox.limits import TimeLimits
from grader.store import FILE, Store, UnreadableMatch

ROUNDING = 1e-5
"""Tolerance in seconds, because times are stored with six digits."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """An inconsistency in the results."""

    where: str
    """A file, or a submission's game."""
    text: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What was checked, and which inconsistencies were found."""

    submissions: int
    games: int
    moves: int
    doubts: tuple[Doubt, ...]
    assignments: tuple[Assignment, ...]
    own: Mapping[str, str]
    """The hashes of the course's own game and opponents, by name."""
    seal: str
    """A hash of everything that was saved. Kept in another place, it reveals any later change."""
    seal_matches: bool | None = None
    """Whether the seal that was given is that of these games; None if none was given."""
    recheck: Recheck = field(default_factory=Recheck)
    """The moves of reference players that were recomputed."""
    warning: Message | None = None
    """About a low isolation level, if the games were played at one."""


def verify(
    store: Store, folder: Path, seal: str | None = None, *, seconds: float | None = SAMPLE_SECONDS
) -> Verification:
    """Check everything in a results folder; with an earlier `seal`, also whether it has changed since then.

    `seconds` is how long moves of reference players are recomputed, if everything else is right; None recomputes all
    moves in any case.
    """
    saved.check_version(store)
    note = store.read_note(saved.NOTE)
    if note is None:
        return _verify_without_note(store, folder, seal)
    competition = saved.load(store, partial(_get_if_readable, store))
    where = partial(game_label, tournament=competition.pairing is not None)
    now = saved.seal(note)
    doubts = [*_check_seal(saved.saved_seal(store), now, seal)]
    doubts += _check_fixtures(competition)
    games = moves = changed = 0
    sound: list[PlayedGame] = []
    for fixture in competition.fixtures:
        record, wrong = _stored_game(store, note, fixture.key)
        changed += bool(wrong)
        if record is not None:
            games, moves = games + 1, moves + len(record.turns)
            wrong += _check_game(competition, fixture, record)
            sound += [] if wrong else [(fixture, record)]
        doubts += [Doubt(where(fixture), text) for text in wrong]
    result = conclude(competition)
    doubts += [Doubt(name, text) for name, text in check_reports(result, folder, RESTORE if doubts else REPAIR)]
    skip = bool(doubts) and seconds is not None  # a sample adds nothing to results that are known to be wrong
    recheck = Recheck(skipped=True) if skip else recheck_games(competition.setup, sound, seconds)
    doubts += [Doubt(where(fixture), text) for fixture, text in recheck.differences]
    return Verification(
        submissions=len(result.grades)
        if isinstance(result, RunResult)
        else sum(not row.competitor.reference for standings in result for row in standings.rows),
        games=games,
        moves=moves,
        doubts=tuple(doubts),
        assignments=competition.setup.assignments,
        own=own_digests(competition),
        seal=now,
        seal_matches=None if seal is None else _is_seal(seal, now) and not changed,
        recheck=recheck,
        warning=isolation_warning(str(competition.setup.level)),
    )


def _verify_without_note(store: Store, folder: Path, seal: str | None) -> Verification:
    """Verify a folder that has reports but no saved competition."""
    doubts = [
        Doubt(FILE, say("the data behind {file} is missing; restore the folder from a backup", file=file))
        for file in (GRADES, STANDINGS)
        if (folder / file).exists() and not (saved.load_plan(store) is not None and is_interim(folder / file))
    ]
    if not doubts:
        saved.load(store)  # raises the appropriate error
    matches = None if seal is None else False
    return Verification(
        submissions=0, games=0, moves=0, doubts=tuple(doubts), assignments=(), own={}, seal="", seal_matches=matches
    )


def _check_seal(then: str | None, now: str, given: str | None) -> Iterator[Doubt]:
    """Whether the saved competition was changed."""
    if given is not None and not _is_seal(given, now):
        yield Doubt(FILE, say("the results have changed since that seal was made (the seal is now {now})", now=now))
    if then is None:
        yield Doubt(
            FILE, say("the seal is missing: it was removed, or an older version of the grader wrote these results")
        )
    elif then != now:
        yield Doubt(FILE, say("the data about submissions, assignment or games was changed afterwards"))


def _is_seal(given: str, seal: str) -> bool:
    """Whether a seal that was typed is this one."""
    return given.strip().lower() == seal


def _stored_game(store: Store, note: dict[str, Any], key: str) -> tuple[MatchRecord | None, list[Message]]:
    """The record of a game if it was played and is readable, and the problems with how it is stored."""
    try:
        record, change = store.get(key), change_since_saved(store, note, key)
    except UnreadableMatch as error:
        return None, [say("the record cannot be read: {problem}", problem=error.problem)]
    return record, [] if change is None else [change]


def _get_if_readable(store: Store, key: str) -> MatchRecord | None:
    try:
        return store.get(key)
    except UnreadableMatch:
        return None


def _check_fixtures(competition: Competition) -> Iterator[Doubt]:
    """Whether players, sides, seeds and keys follow from the assignment, the submissions and the results."""
    setup = competition.setup
    for entrant in setup.entrants:
        if not entrant.is_excused and entrant.identity.get("content") != entrant.submission.digest:
            yield Doubt(
                entrant.id, say("its games were played with files other than those submitted (the hashes differ)")
            )
        if competition.pairing is None and gauntlet_fixtures([entrant]) != competition.fixtures_of(entrant.id):
            yield Doubt(entrant.id, say("its games are not the ones that the assignment and the seed produce"))
    if competition.pairing is not None:
        for assignment in setup.assignments:
            players = able_players(setup, competition.unloadable, assignment)
            game = assignment.rules.name
            planned = [fixture for fixture in competition.fixtures if fixture.game == game]
            expected = Tournament(setup, assignment, players, competition.pairing, dict(competition.results))
            if expected.fixtures != planned:
                yield Doubt(game, say("its games are not the ones that the assignment and the seed produce"))


def _check_game(competition: Competition, fixture: Fixture, record: MatchRecord) -> Iterator[Message]:
    assignment = competition.setup.assignment(fixture)
    game = assignment.rules
    if (record.game, record.options, record.rules) != (game.name, game.options(), game.digest()):
        yield say("it was played with rules other than the assignment's")
        return
    if record.seed != fixture.seed:
        yield say("it was played with seed {seed} instead of {planned}", seed=record.seed, planned=fixture.seed)
    if record.at_fault is not None and fixture.players[record.at_fault].startswith(REFERENCE):
        yield say("a fault of the reference player is recorded, but such a game never counts")
    yield from _check_moves(game, record, lenient=assignment.overrun == "random-move")
    for seat, player in enumerate(fixture.players):
        if not player.startswith(REFERENCE):
            yield from _check_times(record, seat, assignment)


def _check_moves(game: Game, record: MatchRecord, *, lenient: bool) -> Iterator[Message]:
    """Whether the moves are legal and lead to the recorded ending. If `lenient`, a late move is replaced by a random one."""
    position = game.start()
    for ply, turn in enumerate(record.turns, 1):
        if game.outcome(position) is None and game.turn(position) != record.mover(ply - 1):
            yield say("move {ply} ({move}) was made out of turn", ply=ply, move=turn.move[:20])
            return
        try:
            move, before = game.parse_move(turn.move), position
            position = game.apply(position, move)
        except (ValueError, GraderError):
            yield say("move {ply} ({move}) is not legal", ply=ply, move=turn.move[:20])
            return
        late = Answer(charge=turn.charge, late=True)
        if turn.late and not (lenient and judge_answer(game, before, late, f"{record.seed}/{ply - 1}")[0] == move):
            yield say("move {ply} ({move}) is not the random move for a late player", ply=ply, move=turn.move[:20])
            return
    outcome = game.outcome_after(position, len(record.turns))
    if record.fault is None:
        if outcome is None or (outcome.ending, outcome.winner) != (record.ending, record.winner):
            yield say("the moves do not lead to the recorded ending ({ending}) and winner", ending=str(record.ending))
        return
    side = game.turn(position)
    if outcome is not None:
        yield say("a fault is recorded after the end of the game")
    elif record.ending != record.fault.ending or record.at_fault is None or record.winner != 1 - record.at_fault:
        yield say("the recorded winner contradicts the fault")
    elif record.ending != Ending.LOAD_ERROR and record.at_fault != side:
        yield say("the fault is recorded for the wrong player: it was not its turn")


def _check_times(record: MatchRecord, seat: int, assignment: Assignment) -> Iterator[Message]:
    """Whether a player lost on time exactly if it exceeded its time. A time bank is checked as a whole."""
    time, scale = assignment.time, record.time_scale
    if scale != TimeLimits(reference_speed=time.reference_speed).scale(record.speed):
        yield say("the recorded speed does not lead to the recorded scale of the time limits")
    limit = (time.move or 0.0) * scale + time.grace
    own = record.turns_of(seat)
    if assignment.time.bank is not None:
        limit = (assignment.time.bank + assignment.time.increment * len(own)) * scale + assignment.time.grace
        slowest = sum(turn.charge.charged for turn in own if not turn.late)
    else:
        slowest = max((turn.charge.charged for turn in own if not turn.late), default=0.0)
    if slowest > limit + ROUNDING:
        yield say(
            "the player used {seconds:.2f} s ({limit:g} s allowed) but did not lose on time",
            seconds=slowest,
            limit=limit,
        )
    timed_out = record.ending == Ending.TIMEOUT and record.at_fault == seat
    if (
        timed_out
        and assignment.time.bank is None
        and (record.last_charge is None or record.last_charge.charged < limit)
    ):
        yield say("a timeout is recorded, but the player was within its time limit")
