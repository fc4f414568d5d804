"""A tournament: a round robin, or Swiss rounds between players with about equal points.

A submission that cannot be loaded does not take part; the others get no points for that. A player that fails in a game
loses it.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from grader.assignment import Assignment
from grader.competition.pairings import Pair, all_pairs, swiss_round
from grader.competition.patience import PATIENT, Patience
from grader.competition.play import play_schedules
from grader.competition.progress import Watch
from grader.competition.records import Competition, CompetitionResult, Pairing, Setup
from grader.competition.repeats import TELLING, PlayQueue, counted_matches
from grader.engine.base import Engine
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.fixtures import REFERENCE, Fixture, Match, Unit, content_key, opponent_text
from grader.inspection.chance import Chance
from grader.language import Message, say
from grader.records import MatchRecord
from grader.scoring.estimate import Estimate, estimate, start_of_a_game
from grader.scoring.standings import Competitor, Exclusion, Standings, Terms, standings
from grader.seeds import derived_seed, public_seed, short_seed
from grader.store import Store

_NAMED = 5
"""The most names in a message."""

Recall = Callable[[str], MatchRecord | None]
"""Returns the game with a key, if it has been played before."""


def able_players(setup: Setup, unloadable: Mapping[str, Trial], assignment: Assignment) -> tuple[str, ...]:
    """The players of a tournament, reference players first; empty if there are fewer than two."""
    game = assignment.rules.name
    able = [
        entrant.id
        for entrant in setup.entrants
        if entrant.game == game and not why_unable(setup, unloadable, entrant.id)
    ]
    reference = [REFERENCE + opponent.name for opponent in assignment.opponents]
    return (*reference, *able) if able and len(able) + len(reference) > 1 else ()


def why_unable(setup: Setup, unloadable: Mapping[str, Trial], id_: str) -> str:
    """Why a submission cannot play, or an empty text."""
    entrant = setup.entrant(id_)
    if entrant.is_excused:
        return say("Excused from this assignment.")
    trial = unloadable.get(id_)
    return entrant.disqualification or (trial.fault.text if trial is not None and trial.fault is not None else "")


def tournament_fixtures(
    setup: Setup, assignment: Assignment, pair: Pair, games: int, before: int = 0
) -> tuple[Fixture, ...]:
    """The games of a pair, with alternating sides. `before` is the number of their games in earlier rounds."""
    return tuple(
        _fixture(setup, assignment, pair if number % 2 == 0 else (pair[1], pair[0]), number, before + games)
        for number in range(before, before + games)
    )


def _fixture(setup: Setup, assignment: Assignment, players: Pair, number: int, games: int) -> Fixture:
    game = assignment.rules.name
    identities = [setup.identity(assignment, player) for player in players]
    # The seed depends on the players' code: different pairs get different seeds, and identical submissions share games.
    pair = json.dumps(identities, sort_keys=True)
    pair_seed = derived_seed(assignment.secret, "tournament", pair)
    seed = derived_seed(pair_seed, "match", number // 2)
    learning = assignment.lifetime != "game"
    key = content_key(
        assignment,
        {"rules": setup.rules, "isolation": str(setup.level)},
        players=identities,
        tournament=[assignment.secret, number // 2],
        seeds=[seed],
        **({"series": games} if learning else {}),
    )
    code = " ".join(_code(setup, player) for player in players)
    return Fixture(
        game=game,
        players=players,
        number=number,
        seed=seed,
        seeds=(
            _player_seed(setup, assignment, players[0], derived_seed(pair_seed, 1), (pair, number // 2, 1)),
            _player_seed(setup, assignment, players[1], derived_seed(pair_seed, 2), (pair, number // 2, 2)),
        ),
        key=key,
        code=hashlib.sha256(code.encode()).hexdigest(),
        telling=None if learning else _telling(setup, players),
    )


def _player_seed(setup: Setup, assignment: Assignment, player: str, secret: int, public: tuple[str, int, int]) -> int:
    """The seed of one player. A submission's depends only on the pair, the opening and the order.

    That of a reference player stays the same: its openings vary instead.
    """
    if not player.startswith(REFERENCE):
        return public_seed("tournament", *public)
    opponent, _ = setup.opponent(assignment, player)
    return short_seed(derived_seed(secret, public[1])) if opponent.is_own else secret


def _telling(setup: Setup, players: Pair) -> int | None:
    chances = {
        Chance.SOME if player.startswith(REFERENCE) else setup.entrant(player).chance for player in players
    }  # a reference player varies its openings
    if Chance.SOME in chances:
        return None
    return 1 if chances == {Chance.NONE} else TELLING


def _code(setup: Setup, player: str) -> str:
    return player if player.startswith(REFERENCE) else setup.entrant(player).submission.contents


class Tournament:
    """The schedule of a tournament of one game: a round robin, or Swiss rounds."""

    def __init__(
        self,
        setup: Setup,
        assignment: Assignment,
        players: Sequence[str],
        pairing: Pairing,
        results: dict[str, MatchRecord],
        recall: Recall = lambda _: None,
    ) -> None:
        self.fixtures: list[Fixture] = []
        self._prepared, self._assignment, self._players, self._pairing = setup, assignment, players, pairing
        self._results, self._recall = results, recall
        self._round = 0
        self._failed = False
        self._queue = PlayQueue([], results, learning=False)
        self._advance()

    @property
    def phase(self) -> Message:
        """What is being played, for the progress display."""
        if self._pairing.rounds is None:
            return say("Playing")
        return say("Round {number}", number=self._round)

    @property
    def remaining(self) -> list[Fixture]:
        """The games of this round still to be played, judging by the results so far."""
        return self._queue.remaining

    @property
    def left(self) -> int:
        """The number of these games."""
        return self._queue.left

    @property
    def in_later_rounds(self) -> int:
        """The largest possible number of games in rounds that are not paired yet."""
        rounds = self._pairing.rounds
        return 0 if rounds is None else (rounds - self._round) * (len(self._players) // 2) * self._pairing.games

    def next(self) -> Unit | None:
        """The next unit, or None if there is none until another result is known."""
        return self._queue.next()

    def settle(self, unit: Unit) -> None:
        """Record that a unit has ended. Its results are known unless it failed."""
        self._failed |= any(fixture.key not in self._results for fixture in unit)
        self._queue.settle(unit)
        if not self._failed:  # the next pairings would depend on it
            self._advance()

    def _advance(self) -> None:
        """Start the next round, and further ones while all their games are known already."""
        rounds = 1 if self._pairing.rounds is None else self._pairing.rounds
        while not self._queue.left and self._round < rounds and len(self._players) > 1:
            self._round += 1
            pairs = self._all_pairs() if self._pairing.rounds is None else self._next_pairs()
            # The first game of every pair, then the second, and so on: if interrupted, all have played about equally many.
            new = [fixture for same in zip(*pairs, strict=True) for fixture in same]
            for fixture in new:
                if fixture.key not in self._results and (record := self._recall(fixture.key)) is not None:
                    self._results[fixture.key] = record
            self.fixtures += new
            learning = self._assignment.lifetime != "game"
            self._queue = PlayQueue(self.fixtures, self._results, learning=learning)

    def _all_pairs(self) -> list[tuple[Fixture, ...]]:
        pairs = all_pairs(self._players, self._assignment.secret)
        return [tournament_fixtures(self._prepared, self._assignment, pair, self._pairing.games) for pair in pairs]

    def _next_pairs(self) -> list[tuple[Fixture, ...]]:
        """The pairs of the next Swiss round."""
        games = self._pairing.games
        byes = count_byes(self.fixtures, self._players, games)
        points = {player: float(byes[player] * games) for player in self._players}
        for match in counted_matches(self.fixtures, self._results, self._assignment.rules):
            for player in match.fixture.players:
                points[player] += match.seen_by(player).score
        met = Counter(frozenset(fixture.players) for fixture in self.fixtures)
        found = swiss_round(self._round, points, met, byes, self._assignment.secret)
        return [
            tournament_fixtures(self._prepared, self._assignment, pair, games, met[frozenset(pair)])
            for pair in found.pairs
        ]


def play_tournament(
    setup: Setup,
    pairing: Pairing,
    trials: Mapping[str, Trial],
    engine: Engine,
    store: Store,
    watch: Watch,
    announce: Callable[[Estimate], None] = lambda _: None,
    patience: Patience = PATIENT,
) -> Competition:
    """Play all tournament games that have not been played before, for each game with submissions."""
    unloadable = {name: trial for name, trial in trials.items() if trial.fault is not None}
    players = {each.rules.name: able_players(setup, unloadable, each) for each in setup.assignments}
    if not any(players.values()):
        raise OptionError(explain_no_players(setup, unloadable))
    results: dict[str, MatchRecord] = {}
    schedules = [
        Tournament(setup, each, players[each.rules.name], pairing, results, store.get) for each in setup.assignments
    ]
    planned = [(setup.assignment(fixture), fixture) for schedule in schedules for fixture in schedule.remaining]
    pace = {name: trial.seconds for name, trial in trials.items()}
    later = sum(schedule.in_later_rounds for schedule in schedules)
    start = start_of_a_game(trial.start for trial in trials.values())
    announce(estimate(planned, pace, engine.workers, later, start))
    return play_schedules(setup, pairing, schedules, results, unloadable, engine, store, watch, patience)


def count_byes(fixtures: Sequence[Fixture], players: Sequence[str], games: int) -> Counter[str]:
    """The number of Swiss rounds in which each player had no opponent."""
    pairs = len(players) // 2
    rounds = len(fixtures) // (pairs * games) if pairs else 0
    own = Counter(player for fixture in fixtures for player in fixture.players)
    return Counter({player: rounds - own[player] // games for player in players})


class TournamentResult(CompetitionResult[Standings]):
    """The result of a tournament: the standings of each game."""


def rate(competition: Competition) -> TournamentResult:
    """Rate the players of each game with submissions."""
    setup = competition.setup
    submitted = {entrant.game for entrant in setup.entrants}
    return TournamentResult(
        competition=competition,
        items=tuple(_standings(competition, each) for each in setup.assignments if each.rules.name in submitted),
    )


def tournament_matches(competition: Competition) -> list[Match]:
    """The games of a tournament that count, in the order of their fixtures, from the first player's point of view."""
    return [
        match
        for assignment in competition.setup.assignments
        for match in counted_matches(
            [fixture for fixture in competition.fixtures if fixture.game == assignment.rules.name],
            competition.results,
            assignment.rules,
        )
    ]


def _standings(competition: Competition, assignment: Assignment) -> Standings:
    setup, pairing, unloadable = competition.setup, competition.pairing, competition.unloadable
    assert pairing is not None, "a run has grades, not standings"
    game = assignment.rules
    players = able_players(setup, unloadable, assignment)
    fixtures = [fixture for fixture in competition.fixtures if fixture.game == game.name]
    return standings(
        Terms(
            title=assignment.title,
            game=game.name,
            seed=assignment.secret,
            isolation=str(setup.level),
            games_per_pair=pairing.games,
            rounds=pairing.rounds,
        ),
        [_competitor(setup, assignment, player) for player in players],
        counted_matches(fixtures, competition.results, game),
        byes={} if pairing.rounds is None else count_byes(fixtures, players, pairing.games),
        excluded=[
            Exclusion(
                id=entrant.id,
                name=entrant.submission.name,
                reason=why_unable(setup, unloadable, entrant.id) or say("There is no other player."),
            )
            for entrant in setup.entrants
            if entrant.game == game.name and entrant.id not in players
        ],
        unplayed=[each.text for each in competition.unplayed if each.game == game.name],
    )


def _competitor(setup: Setup, assignment: Assignment, player: str) -> Competitor:
    if player.startswith(REFERENCE):
        opponent, _ = setup.opponent(assignment, player)
        return Competitor(id=player, name=opponent_text(opponent), reference=True)
    return Competitor(id=player, name=setup.entrant(player).submission.name)


def explain_no_players(setup: Setup, unloadable: Mapping[str, Trial]) -> str:
    """Why there is no tournament: the submissions that can play, and why the others cannot."""
    reasons = {entrant.id: why_unable(setup, unloadable, entrant.id) for entrant in setup.entrants}
    unable = [(name, why) for name, why in reasons.items() if why]
    able = [name for name, why in reasons.items() if not why]
    text = say(
        "A tournament needs two players of the same game (able to play: {able}). Add submissions, or a reference player "
        "with e.g. --anchor random.",
        able=", ".join(able[:_NAMED]) or say("none"),
    )
    for name, why in unable[:_NAMED]:
        text = say("{text}\n  {name} cannot play: {why}", text=text, name=name, why=why)
    return text
