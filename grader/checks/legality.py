"""Whether a player's moves were legal and in time, as player 1 and as player 2."""

from collections.abc import Iterator

from grader.checks.faults import fault_kind, fault_verdict
from grader.checks.observations import Observations
from grader.games.exam import Mark, Verdict
from grader.language import say
from grader.records import Fault


def legality_verdicts(observed: Observations) -> Iterator[Verdict]:
    """Whether all its moves were legal: one verdict for each kind of fault, then one for each player without a fault."""
    kinds: dict[tuple[str, ...], list[tuple[int, Fault]]] = {}
    for player_id, fault in observed.faults():
        kinds.setdefault(fault_kind(fault), []).append((player_id, fault))
    for occurrences in kinds.values():
        players = {player_id for player_id, _ in occurrences}
        yield _legality_fault_verdict(players, occurrences[0][1], len(occurrences))
    for player_id in {1, 2} - observed.players_at_fault():
        if observed.moves(player_id):
            yield legality_verdict(observed, player_id)


def _legality_fault_verdict(players: set[int], fault: Fault, count: int) -> Verdict:
    if len(players) > 1:
        topic, seat = say("moves as both players"), say("as player 1 and as player 2")
    else:
        (number,) = players
        topic, seat = say("moves as player {number}", number=number), say("as player {number}", number=number)
    text = say("Your player fails {seat}.", seat=seat)
    if count > len(players):
        text = say("Your player fails {seat} ({n} time).", "Your player fails {seat} ({n} times).", n=count, seat=seat)
    return fault_verdict(topic, text, fault)


def legality_verdict(observed: Observations, player_id: int) -> Verdict:
    """Whether all its moves as one of the players were legal and in time."""
    topic = say("moves as player {number}", number=player_id)
    fault = next((fault for player, fault in observed.faults() if player == player_id), None)
    if fault is not None:
        return _legality_fault_verdict({player_id}, fault, 1)
    late = sum(answer.late for answer in observed.answers if answer.player_id == player_id) + sum(
        turn.late
        for game in observed.finished_games
        if game.seat + 1 == player_id
        for turn in game.record.turns_of(game.seat)
    )
    if late:
        return Verdict(
            mark=Mark.BAD,
            topic=topic,
            text=say(
                "As player {number}, your player exceeded the time limit {n} time, and a random move was played instead.",
                "As player {number}, your player exceeded the time limit {n} times, and random moves were played instead.",
                n=late,
                number=player_id,
            ),
            help=say("Check the time inside your search, and return the best move so far before the limit."),
        )
    return Verdict(
        mark=Mark.GOOD,
        topic=topic,
        text=say(
            "Only legal moves as player {number} ({n} move).",
            "Only legal moves as player {number} ({n} moves).",
            n=observed.moves(player_id),
            number=player_id,
        ),
    )
