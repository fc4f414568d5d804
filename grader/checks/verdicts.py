"""From what a check has seen to what it comes to, one verdict for each thing that players get wrong."""

import re
from collections.abc import Iterator, Sequence

from grader.checks.observations import CheckedGame, Seen
from grader.checks.subject import Subject
from grader.checks.timing import in_time
from grader.games.exam import Exam, FinishedGame, Mark, Verdict
from grader.intake.files import printable_path
from grader.language import say
from grader.records import Ending, Fault, Finding

_SHOWN = 60


def verdicts(subject: Subject, seen: Seen, exam: Exam | None) -> Iterator[Verdict]:
    """Everything that can be said by now."""
    yield found(subject)
    yield from code(subject)
    if subject.entrant.entry is None:
        return
    yield loaded(seen)
    if seen.load is None:
        return
    faults = [fault for _, fault in seen.faults()]
    if not faults and all(game.record is None for game in seen.games):
        yield unfinished()
    if not seen.charges():
        yield unmoved()
        return
    yield from legality(seen)
    several = (
        fresh(subject, seen),
        other_board(seen) if not faults else None,  # else it may be the same, and is not that of the board
        unchanged(seen),
        exam.verdict(subject.game, seen.replies) if exam is not None else None,
        staged_fault(seen) if not faults else None,  # else it has been said
        review(subject, seen, exam),
        in_time(subject, seen) if not any(fault.ending is Ending.TIMEOUT for fault in faults) else None,
        quiet(seen),
    )
    yield from (verdict for verdict in several if verdict is not None)
    yield from lost(subject, seen.games)


def found(subject: Subject) -> Verdict:
    """Which player it is."""
    entry = subject.entrant.entry
    if entry is None:
        why = subject.entrant.findings[0]
        return Verdict(mark=Mark.BAD, topic=say("a player"), text=_placed(why), help=why.help)
    return Verdict(
        mark=Mark.GOOD,
        topic=say("found"),
        text=say("Found {name} in {file}.", name=entry.name, file=printable_path(entry.file)),
    )


def code(subject: Subject) -> Iterator[Verdict]:
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
        yield Verdict(mark=Mark.BAD if bars else Mark.NOTE, topic=say("its code"), text=_placed(finding), help=help_)


def loaded(seen: Seen) -> Verdict:
    """Whether it gets ready."""
    topic = say("loads")
    if seen.load_fault is not None:
        return _at_fault(topic, say("It cannot be loaded"), seen.load_fault)
    if seen.load is None:
        return Verdict(
            mark=Mark.BAD,
            topic=topic,
            text=say("It was not loaded when the time of this check was over."),
            help=say("Do less on import and in the constructor, or give the check more time with --budget."),
        )
    return Verdict(mark=Mark.GOOD, topic=topic, text=say("Loaded in {seconds:.2f} s.", seconds=seen.load.charged))


def unfinished() -> Verdict:
    """That nothing is known of whole games."""
    return Verdict(
        mark=Mark.OPEN,
        topic=say("games"),
        text=say("No game was finished, so how it fares in one is not known."),
        help=say("Give it more time with --budget, or play everything with --full."),
    )


def unmoved() -> Verdict:
    """That not even a first move was seen."""
    return Verdict(
        mark=Mark.OPEN,
        topic=say("moves"),
        text=say("There was no time for a single move of it, so whether it plays is not known."),
        help=say("Give it more time with --budget."),
    )


def legality(seen: Seen) -> Iterator[Verdict]:
    """Whether its moves as either player were moves; said once if both fail in the same way, whatever the numbers in it."""
    firsts = [next((fault for player, fault in seen.faults() if player == number), None) for number in (1, 2)]
    if firsts[0] is not None and firsts[1] is not None and _kind(firsts[0]) == _kind(firsts[1]):
        yield _at_fault(say("either player"), say("As either player it fails"), firsts[0])
        return
    yield from (legal(seen, number) for number in (1, 2) if seen.moves(number))


def legal(seen: Seen, player_id: int) -> Verdict:
    """Whether all its moves as one of the players were moves."""
    topic = say("player {number}", number=player_id)
    faults = [fault for player, fault in seen.faults() if player == player_id]
    if faults:
        return _at_fault(topic, say("As player {number} it fails", number=player_id), faults[0])
    late = sum(answer.late for answer in seen.answers if answer.player_id == player_id) + sum(
        turn.late
        for game in seen.games
        if game.record is not None and game.fixture.seat + 1 == player_id
        for turn in game.record.turns_of(game.fixture.seat)
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
            "As player {number} it made only legal moves ({moves}).", number=player_id, moves=seen.moves(player_id)
        ),
    )


def fresh(subject: Subject, seen: Seen) -> Verdict | None:
    """Whether further objects play as well as the first."""
    if not seen.fresh:
        return None
    topic = say("fresh objects")
    fault = _first_fault(seen.fresh)
    if fault is None and seen.disturbed is None:
        return Verdict(
            mark=Mark.GOOD, topic=topic, text=say("Fresh objects in the same process play, too, as either player.")
        )
    official = say("In the official run each game has a process of its own, so this may cost nothing there.")
    if subject.assignment.lifetime != "game":
        official = say("In the official run several games are played in one process.")
    if fault is not None:
        text = say("A second object in the same process fails: {what}", what=_what(fault))
    else:
        before, after = (subject.game.move_text(move) for move in seen.disturbed or ())
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


def other_board(seen: Seen) -> Verdict | None:
    """Whether it plays on another board."""
    if not seen.elsewhere:
        return None
    topic = say("another board")
    fault = _first_fault(seen.elsewhere)
    if fault is None:
        return Verdict(mark=Mark.GOOD, topic=topic, text=say("It also plays on {board}.", board=seen.variant))
    return Verdict(
        mark=Mark.NOTE,
        topic=topic,
        text=say("On {board} it fails: {what}", board=seen.variant, what=_what(fault)),
        help=say(
            "The assignment uses another board, so this costs nothing there; but ask the board for its size instead of "
            "assuming one."
        ),
        detail=_trace(fault),
    )


def review(subject: Subject, seen: Seen, exam: Exam | None) -> Verdict | None:
    """What the games show about what it believes."""
    finished = [
        FinishedGame(opponent=game.opponent, seat=game.fixture.seat, record=game.record)
        for game in seen.games
        if game.record is not None
    ]
    return exam.review(subject.game, finished, seen.replies) if exam is not None else None


def unchanged(seen: Seen) -> Verdict | None:
    """Whether it left the boards alone that it was handed; nobody knows of one that has never answered."""
    topic = say("leaves the board as it is")
    if not seen.changed and not seen.answered():
        return None
    if not seen.changed:
        return Verdict(mark=Mark.GOOD, topic=topic, text=say("It left the boards that it was handed as they were."))
    return Verdict(
        mark=Mark.NOTE,
        topic=topic,
        text=say("It changes the board that it is handed."),
        help=say("That is a copy, so nothing is lost here; but try moves on its clone(), or take each of them back."),
    )


def staged_fault(seen: Seen) -> Verdict | None:
    """What went wrong in a position that it had not seen coming. It need not in a game, whose course it may remember."""
    fault = _first_fault([answer for _, answer in seen.replies])
    if fault is None:
        return None
    return Verdict(
        mark=Mark.NOTE,
        topic=say("any position"),
        text=say("In a position that it had not seen coming it fails: {what}", what=_what(fault)),
        help=say(
            "{help} An official game always begins with the empty board; but a player that trusts the board it is handed, and not "
            "its memory, is safer.",
            help=fault.help,
        ),
        detail=_trace(fault),
    )


def quiet(seen: Seen) -> Verdict:
    """Whether it prints."""
    topic = say("prints nothing")
    if not seen.output.strip():
        return Verdict(mark=Mark.GOOD, topic=topic, text=say("It prints nothing."))
    first = next(line for line in seen.output.splitlines() if line.strip()).strip()
    return Verdict(
        mark=Mark.NOTE,
        topic=topic,
        text=say("It prints, as in: {first}", first=first[:_SHOWN]),
        help=say("Nobody reads it, and it is dropped: harmless, but it takes time of each move. Take it out."),
    )


def lost(subject: Subject, games: Sequence[CheckedGame]) -> Iterator[Verdict]:
    """Losses that tell more than that the other was stronger."""
    topic = say("first opponent")
    for at, opponent in enumerate(subject.assignment.opponents):
        played = [game for game in games if game.opponent == opponent.name and game.record is not None]
        fairly = [game for game in played if game.record is not None and game.record.fault is None]
        counted = played if opponent.disqualify_on_loss else fairly
        losses = sum(game.record is not None and game.record.winner == 1 - game.fixture.seat for game in counted)
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


def _at_fault(topic: str, how: str, fault: Fault) -> Verdict:
    return Verdict(
        mark=Mark.BAD,
        topic=topic,
        text=say("{how}: {what}", how=how, what=_what(fault)),
        help=fault.help,
        detail=_trace(fault),
    )


def _what(fault: Fault) -> str:
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


def _placed(finding: Finding) -> str:
    if finding.file and finding.line and f"{finding.file}:{finding.line}" not in finding.text:
        return say("{text} ({where})", text=finding.text, where=f"{finding.file}:{finding.line}")
    return finding.text
