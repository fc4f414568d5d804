"""From what a check has seen to what it comes to, one verdict for each thing that players get wrong."""

import re
from collections.abc import Iterator, Sequence

from grader.checks.observations import Observations
from grader.checks.subject import CheckSubject
from grader.checks.timing import time_verdict
from grader.games.exam import Exam, FinishedGame, Mark, Verdict
from grader.intake.files import printable_path
from grader.language import say
from grader.records import Ending, Fault, Finding

_SHOWN = 60


def all_verdicts(subject: CheckSubject, observed: Observations, exam: Exam | None) -> Iterator[Verdict]:
    """Everything that can be said by now."""
    yield player_verdict(subject)
    yield from code_verdicts(subject)
    if subject.entrant.entry is None:
        return
    yield loading_verdict(observed)
    if observed.load is None:
        return
    faults = [fault for _, fault in observed.faults()]
    if not faults and all(game.record is None for game in observed.games):
        yield no_games_verdict()
    if not observed.charges():
        yield no_moves_verdict()
        return
    yield from legality_verdicts(observed)
    several = (
        fresh_objects_verdict(subject, observed),
        other_board_verdict(observed) if not faults else None,  # else it may be the same, and is not that of the board
        unchanged_board_verdict(observed),
        exam.verdict(subject.game, observed.replies) if exam is not None else None,
        exam_fault_verdict(observed) if not faults else None,  # else it has been said
        review_games(subject, observed, exam),
        time_verdict(subject, observed) if not any(fault.ending is Ending.TIMEOUT for fault in faults) else None,
        output_verdict(observed),
    )
    yield from (verdict for verdict in several if verdict is not None)
    yield from loss_verdicts(subject, observed.finished_games)


def player_verdict(subject: CheckSubject) -> Verdict:
    """Which player it is."""
    entry = subject.entrant.entry
    if entry is None:
        why = subject.entrant.findings[0]
        return Verdict(mark=Mark.BAD, topic=say("a player"), text=_located_text(why), help=why.help)
    return Verdict(
        mark=Mark.GOOD,
        topic=say("found"),
        text=say("Found {name} in {file}.", name=entry.name, file=printable_path(entry.file)),
    )


def code_verdicts(subject: CheckSubject) -> Iterator[Verdict]:
    """What its text shows."""
    entrant = subject.entrant
    told = entrant.findings[:1] if entrant.entry is None else ()
    for finding in entrant.findings:
        if finding in told:
            continue
        bars = finding.code in (*entrant.assignment.forbidden, "forbidden_import")
        help_ = finding.help
        if bars:
            help_ = say("This disqualifies in this assignment. {help}", help=finding.help)
        yield Verdict(
            mark=Mark.BAD if bars else Mark.NOTE, topic=say("its code"), text=_located_text(finding), help=help_
        )


def loading_verdict(observed: Observations) -> Verdict:
    """Whether it gets ready."""
    topic = say("loads")
    if observed.load_fault is not None:
        return _fault_verdict(topic, say("It cannot be loaded"), observed.load_fault)
    if observed.load is None:
        return Verdict(
            mark=Mark.BAD,
            topic=topic,
            text=say("It was not loaded when the time of this check was over."),
            help=say("Do less on import and in the constructor, or give the check more time with --budget."),
        )
    return Verdict(mark=Mark.GOOD, topic=topic, text=say("Loaded in {seconds:.2f} s.", seconds=observed.load.charged))


def no_games_verdict() -> Verdict:
    """That nothing is known of whole games."""
    return Verdict(
        mark=Mark.OPEN,
        topic=say("games"),
        text=say("No game was finished, so how it fares in one is not known."),
        help=say("Give it more time with --budget, or play everything with --full."),
    )


def no_moves_verdict() -> Verdict:
    """That not even a first move was observed."""
    return Verdict(
        mark=Mark.OPEN,
        topic=say("moves"),
        text=say("There was no time for a single move of it, so whether it plays is not known."),
        help=say("Give it more time with --budget."),
    )


def legality_verdicts(observed: Observations) -> Iterator[Verdict]:
    """Whether its moves as either player were moves; said once if both fail in the same way, whatever the numbers in it."""
    firsts = [next((fault for player, fault in observed.faults() if player == number), None) for number in (1, 2)]
    if firsts[0] is not None and firsts[1] is not None and _kind(firsts[0]) == _kind(firsts[1]):
        yield _fault_verdict(say("either player"), say("As either player it fails"), firsts[0])
        return
    yield from (legality_verdict(observed, number) for number in (1, 2) if observed.moves(number))


def legality_verdict(observed: Observations, player_id: int) -> Verdict:
    """Whether all its moves as one of the players were moves."""
    topic = say("player {number}", number=player_id)
    faults = [fault for player, fault in observed.faults() if player == player_id]
    if faults:
        return _fault_verdict(topic, say("As player {number} it fails", number=player_id), faults[0])
    late = sum(answer.late for answer in observed.answers if answer.player_id == player_id) + sum(
        turn.late
        for game in observed.finished_games
        if game.seat + 1 == player_id
        for turn in game.record.turns_of(game.seat)
    )
    if late:
        once = say("As player {number} it was too late once, and a random move was made for it.", number=player_id)
        often = say(
            "As player {number} it was too late {late} times, and a random move was made for it.",
            number=player_id,
            late=late,
        )
        return Verdict(
            mark=Mark.BAD,
            topic=topic,
            text=once if late == 1 else often,
            help=say("Look at the time inside the search and return the best move so far before the limit."),
        )
    return Verdict(
        mark=Mark.GOOD,
        topic=topic,
        text=say(
            "As player {number} it made only legal moves ({moves}).", number=player_id, moves=observed.moves(player_id)
        ),
    )


def fresh_objects_verdict(subject: CheckSubject, observed: Observations) -> Verdict | None:
    """Whether further objects play as well as the first."""
    if not observed.fresh:
        return None
    topic = say("fresh objects")
    fault = _first_fault(observed.fresh)
    if fault is None and observed.disturbed is None:
        return Verdict(
            mark=Mark.GOOD, topic=topic, text=say("Fresh objects in the same process play, too, as either player.")
        )
    official = say("In the official run each game has a process of its own, so this may cost nothing there.")
    if subject.assignment.lifetime != "game":
        official = say("In the official run several games are played in one process.")
    if fault is not None:
        text = say("A second object in the same process fails: {what}", what=_fault_text(fault))
    else:
        before, after = (subject.game.move_text(move) for move in observed.disturbed or ())
        text = say(
            "A later object in the same process plays otherwise: in one position the first chose {before} and the third {after}, "
            "in each of two processes.",
            before=before,
            after=after,
        )
    return Verdict(
        mark=Mark.NOTE,
        topic=topic,
        text=text,
        help=say("Keep what belongs to a game in self, not in the class or the module. {official}", official=official),
        detail=_trace(fault) if fault is not None else (),
    )


def other_board_verdict(observed: Observations) -> Verdict | None:
    """Whether it plays on another board."""
    if not observed.elsewhere:
        return None
    topic = say("another board")
    fault = _first_fault(observed.elsewhere)
    if fault is None:
        return Verdict(mark=Mark.GOOD, topic=topic, text=say("It also plays on {board}.", board=observed.variant))
    return Verdict(
        mark=Mark.NOTE,
        topic=topic,
        text=say("On {board} it fails: {what}", board=observed.variant, what=_fault_text(fault)),
        help=say(
            "The assignment uses another board, so this costs nothing there; but ask the board for its size instead of "
            "assuming one."
        ),
        detail=_trace(fault),
    )


def review_games(subject: CheckSubject, observed: Observations, exam: Exam | None) -> Verdict | None:
    """What the games show about what it believes."""
    return exam.review(subject.game, observed.finished_games, observed.replies) if exam is not None else None


def unchanged_board_verdict(observed: Observations) -> Verdict | None:
    """Whether it left the boards alone that it was handed; nobody knows of one that has never answered."""
    topic = say("leaves the board as it is")
    if not observed.changed and not observed.has_moved():
        return None
    if not observed.changed:
        return Verdict(mark=Mark.GOOD, topic=topic, text=say("It left the boards that it was handed as they were."))
    return Verdict(
        mark=Mark.NOTE,
        topic=topic,
        text=say("It changes the board that it is handed."),
        help=say("That is a copy, so nothing is lost here; but try moves on its clone(), or take each of them back."),
    )


def exam_fault_verdict(observed: Observations) -> Verdict | None:
    """What went wrong in a position that it had not seen coming. It need not in a game, whose course it may remember."""
    fault = _first_fault([answer for _, answer in observed.replies])
    if fault is None:
        return None
    return Verdict(
        mark=Mark.NOTE,
        topic=say("any position"),
        text=say("In a position that it had not seen coming it fails: {what}", what=_fault_text(fault)),
        help=say(
            "{help} An official game always begins with the empty board; but a player that trusts the board it is handed, and not "
            "its memory, is safer.",
            help=fault.help,
        ),
        detail=_trace(fault),
    )


def output_verdict(observed: Observations) -> Verdict:
    """Whether it prints."""
    topic = say("prints nothing")
    if not observed.output.strip():
        return Verdict(mark=Mark.GOOD, topic=topic, text=say("It prints nothing."))
    first = next(line for line in observed.output.splitlines() if line.strip()).strip()
    return Verdict(
        mark=Mark.NOTE,
        topic=topic,
        text=say("It prints, as in: {first}", first=first[:_SHOWN]),
        help=say("Nobody reads it, and it is dropped: harmless, but it takes time of each move. Take it out."),
    )


def loss_verdicts(subject: CheckSubject, games: Sequence[FinishedGame]) -> Iterator[Verdict]:
    """Losses that tell more than that the other was stronger."""
    topic = say("first opponent")
    for at, opponent in enumerate(subject.assignment.opponents):
        played = [game for game in games if game.opponent == opponent.name]
        counted = [game for game in played if opponent.disqualify_on_loss or game.record.fault is None]
        losses = sum(game.record.winner == 1 - game.seat for game in counted)
        values: dict[str, str | int] = {"losses": losses, "games": len(played), "opponent": opponent.name}
        text = say("It lost {losses} of {games} games against {opponent}.", **values)
        if losses and opponent.disqualify_on_loss:
            help_ = say(
                "In this assignment, who loses to it is disqualified: look at the game with --save and `grader replay`."
            )
            yield Verdict(mark=Mark.BAD, topic=topic, text=text, help=help_)
        elif losses and at == 0:
            help_ = say("It is the first and weakest: look at the game with --save and `grader replay`.")
            yield Verdict(mark=Mark.NOTE, topic=topic, text=text, help=help_)


def _fault_verdict(topic: str, how: str, fault: Fault) -> Verdict:
    return Verdict(
        mark=Mark.BAD,
        topic=topic,
        text=say("{how}: {what}", how=how, what=_fault_text(fault)),
        help=fault.help,
        detail=_trace(fault),
    )


def _fault_text(fault: Fault) -> str:
    if fault.where and fault.where not in fault.text:
        return say("{text} ({where})", text=fault.text, where=fault.where)
    return fault.text


def _kind(fault: Fault) -> tuple[str, ...]:
    return fault.ending, fault.where or "", fault.help, re.sub(r"\d+", "0", fault.text)


def _trace(fault: Fault) -> tuple[str, ...]:
    return tuple(fault.trace.splitlines()[-5:])


def _first_fault(tried: Sequence[object]) -> Fault | None:
    for one in tried:
        fault = one if isinstance(one, Fault) else getattr(one, "fault", None)
        if isinstance(fault, Fault):
            return fault
    return None


def _located_text(finding: Finding) -> str:
    if finding.file and finding.line and f"{finding.file}:{finding.line}" not in finding.text:
        return say("{text} ({where})", text=finding.text, where=f"{finding.file}:{finding.line}")
    return finding.text
