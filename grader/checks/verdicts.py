"""Turn what a check has observed into verdicts, one for each thing that players get wrong."""

from collections.abc import Iterator, Sequence

from grader.checks.faults import fault_kind, fault_text, fault_trace, fault_verdict, first_fault
from grader.checks.legality import legality_verdicts
from grader.checks.observations import Observations
from grader.checks.subject import CheckSubject
from grader.checks.timing import time_verdict
from grader.games.exam import Exam, FinishedGame, Mark, Verdict
from grader.intake.files import printable_path
from grader.language import say
from grader.records import Finding

_SHOWN = 60
"""The most characters of a player's output that are shown."""


def all_verdicts(subject: CheckSubject, observed: Observations, exam: Exam | None) -> Iterator[Verdict]:
    """All verdicts that follow from what was observed so far. No finding or fault appears in two of them."""
    yield player_verdict(subject)
    yield from code_verdicts(subject, observed)
    if subject.entrant.entry is None:
        return
    yield loading_verdict(observed)
    if observed.load is None:
        return
    if exam is not None:
        yield from exam.review_code(subject.game, subject.code)
    yield from dict.fromkeys(observed.unplayed)
    if not observed.players_at_fault() and all(game.record is None for game in observed.games):
        yield no_games_verdict()
    if not observed.charges():
        yield no_moves_verdict()
        return
    yield from legality_verdicts(observed)
    yield from _special_verdicts(subject, observed)
    several = (
        unchanged_board_verdict(observed),
        exam_verdict(subject, observed, exam),
        review_games(subject, observed, exam),
        time_verdict(subject, observed),
        output_verdict(observed),
    )
    yield from (verdict for verdict in several if verdict is not None)
    yield from loss_verdicts(subject, observed.finished_games)


def _special_verdicts(subject: CheckSubject, observed: Observations) -> Iterator[Verdict]:
    """How it plays in special circumstances, without those that only show a fault again that was already reported."""
    known = {fault_kind(fault) for _, fault in observed.faults()}
    for answers, verdict in (
        (observed.instance_answers, instances_verdict(subject, observed)),
        ([answer for _, answer in observed.replies], exam_fault_verdict(observed)),
        (observed.variant_answers, other_board_verdict(observed)),
    ):
        fault = first_fault(answers)
        if verdict is not None and (fault is None or fault_kind(fault) not in known):
            yield verdict
            known |= {fault_kind(fault)} if fault is not None else set()


def player_verdict(subject: CheckSubject) -> Verdict:
    """Which class is the player, or why there is none."""
    entry = subject.entrant.entry
    if entry is None:
        reason = subject.entrant.no_player
        return Verdict(
            mark=Mark.BAD, topic=say("player"), text=_located_text(reason, [_place(reason)]), help=reason.help
        )
    return Verdict(
        mark=Mark.GOOD,
        topic=say("player"),
        text=say("Found {name} in {file}.", name=entry.name, file=printable_path(entry.file)),
    )


def code_verdicts(subject: CheckSubject, observed: Observations) -> Iterator[Verdict]:
    """The findings about its code, those with the same advice together, without those that a fault has confirmed."""
    entrant = subject.entrant
    faults = [observed.load_fault, *(fault for _, fault in observed.faults())]
    confirmed = {fault.where for fault in faults if fault is not None}
    groups: dict[tuple[str, str], list[Finding]] = {}
    explained = () if entrant.entry is not None else (entrant.no_player,)
    for finding in (finding for finding in entrant.findings if finding not in explained):
        groups.setdefault((finding.code, finding.help), []).append(finding)
    for (code, advice), findings in groups.items():
        forbidden = code in (*entrant.assignment.forbidden, "forbidden_import")
        lines = _finding_lines([finding for finding in findings if forbidden or _place(finding) not in confirmed])
        if lines:
            yield Verdict(
                mark=Mark.BAD if forbidden else Mark.NOTE,
                topic=say("code"),
                text=lines[0],
                help=say("This assignment disqualifies players for this. {help}", help=advice) if forbidden else advice,
                detail=tuple(lines[1:]),
            )


def _finding_lines(findings: Sequence[Finding]) -> list[str]:
    """Findings as lines, those with the same text in one. The last of many ends with how many more there are."""
    merged: list[list[Finding]] = []
    for finding in findings:
        if merged and finding.text.startswith(merged[-1][-1].text):
            merged[-1].append(finding)
        else:
            merged.append([finding])
    return [_located_text(same[-1], [_place(finding) for finding in same]) for same in merged]


def loading_verdict(observed: Observations) -> Verdict:
    """Whether it can be loaded."""
    topic = say("loading")
    if observed.load_fault is not None:
        return fault_verdict(say("cannot be loaded"), say("Your player cannot be loaded."), observed.load_fault)
    if observed.load is None:
        return Verdict(
            mark=Mark.BAD,
            topic=say("cannot be loaded"),
            text=say("Your player did not finish loading within the time limit of this check."),
            help=say("Do less on import and in the constructor, or allow more time with --budget."),
        )
    return Verdict(mark=Mark.GOOD, topic=topic, text=say("Loaded in {seconds:.2f} s.", seconds=observed.load.charged))


def no_games_verdict() -> Verdict:
    """That no game was finished."""
    return Verdict(
        mark=Mark.OPEN,
        topic=say("games"),
        text=say("No game was finished, so the strength of your player is unknown."),
        help=say("Allow more time with --budget, or play all games with --full."),
    )


def no_moves_verdict() -> Verdict:
    """That time ran out before the first move."""
    return Verdict(
        mark=Mark.OPEN,
        topic=say("moves"),
        text=say("Time ran out before the first move, so it is unknown whether your player works."),
        help=say("Allow more time with --budget."),
    )


def instances_verdict(subject: CheckSubject, observed: Observations) -> Verdict | None:
    """Whether further instances in the same process play like the first."""
    if not observed.instance_answers:
        return None
    fault = first_fault(observed.instance_answers)
    if fault is None and observed.differing_moves is None:
        return Verdict(
            mark=Mark.GOOD,
            topic=say("a second instance in the same process"),
            text=say("A second instance in the same process works, as player 1 and as player 2."),
        )
    official = say("In the official run each game has its own process, so this may not matter there.")
    if subject.assignment.lifetime != "game":
        official = say("The official run plays several games in the same process.")
    if fault is not None:
        topic = say("a second instance in the same process fails")
        text = say("A second instance in the same process fails. {fault}", fault=fault_text(fault))
    else:
        topic = say("a later instance in the same process plays differently")
        before, after = (subject.game.move_label(move) for move in observed.differing_moves or ())
        text = say(
            "A later instance in the same process plays differently: in the same position, the first chose {before}, but the "
            "third chose {after}, both times this was tried.",
            before=before,
            after=after,
        )
    return Verdict(
        mark=Mark.NOTE,
        topic=topic,
        text=text,
        help=say("Keep the state of a game in self, not in the class or the module. {official}", official=official),
        detail=fault_trace(fault) if fault is not None else (),
    )


def other_board_verdict(observed: Observations) -> Verdict | None:
    """Whether it plays on another board."""
    if not observed.variant_answers:
        return None
    fault = first_fault(observed.variant_answers)
    if fault is None:
        text = say("Also plays on a {board} board.", board=observed.variant)
        return Verdict(mark=Mark.GOOD, topic=say("a board of another size"), text=text)
    return Verdict(
        mark=Mark.NOTE,
        topic=say("fails on a {board} board", board=observed.variant),
        text=say("Your player fails on a {board} board. {fault}", board=observed.variant, fault=fault_text(fault)),
        help=say(
            "The assignment uses another board, so this does not affect your grade; but read the size from the "
            "board instead of assuming it."
        ),
        detail=fault_trace(fault),
    )


def exam_verdict(subject: CheckSubject, observed: Observations, exam: Exam | None) -> Verdict | None:
    """What the test positions and its code show about how the player understands the rules."""
    return exam.verdict(subject.game, observed.replies, subject.code) if exam is not None else None


def review_games(subject: CheckSubject, observed: Observations, exam: Exam | None) -> Verdict | None:
    """What the games show about how the player understands the rules."""
    return exam.review(subject.game, observed.finished_games, observed.replies) if exam is not None else None


def unchanged_board_verdict(observed: Observations) -> Verdict | None:
    """Whether it modifies the boards it is given; unknown if it has never made a move."""
    topic = say("changes to the board")
    if not observed.changed and not observed.has_moved():
        return None
    if not observed.changed:
        return Verdict(mark=Mark.GOOD, topic=topic, text=say("Does not modify the board it is given."))
    return Verdict(
        mark=Mark.NOTE,
        topic=say("modifies the board"),
        text=say("Your player modifies the board it is given."),
        help=say("It is only a copy, so this is harmless; but try moves on board.clone(), or undo them."),
    )


def exam_fault_verdict(observed: Observations) -> Verdict | None:
    """Whether it fails in a test position. In games it may not, because it remembers how they went."""
    fault = first_fault(answer for _, answer in observed.replies)
    if fault is None:
        return None
    return Verdict(
        mark=Mark.NOTE,
        topic=say("fails in a position it did not reach itself"),
        text=say("Your player fails in a position it did not reach itself. {fault}", fault=fault_text(fault)),
        help=say(
            "{help} Official games always start from the empty board, but it is safer to rely on the board you are given than "
            "on what you remember.",
            help=fault.help,
        ),
        detail=fault_trace(fault),
    )


def output_verdict(observed: Observations) -> Verdict:
    """Whether it prints."""
    topic = say("output")
    if not observed.output.strip():
        return Verdict(mark=Mark.GOOD, topic=topic, text=say("Prints nothing."))
    first = next(line for line in observed.output.splitlines() if line.strip()).strip()
    return Verdict(
        mark=Mark.NOTE,
        topic=say("prints while playing"),
        text=say('Your player prints, e.g. "{first}".', first=first[:_SHOWN]),
        help=say("This does not affect the game, but printing costs time: remove it."),
    )


def loss_verdicts(subject: CheckSubject, games: Sequence[FinishedGame]) -> Iterator[Verdict]:
    """Losses that matter: against an opponent that disqualifies, or against the weakest."""
    for index, opponent in enumerate(subject.assignment.opponents):
        played = [game for game in games if game.opponent == opponent.name]
        counted = [game for game in played if opponent.disqualify_on_loss or game.record.fault is None]
        losses = sum(game.record.winner == 1 - game.seat for game in counted)
        if not losses or not (opponent.disqualify_on_loss or index == 0):
            continue
        yield Verdict(
            mark=Mark.BAD if opponent.disqualify_on_loss else Mark.NOTE,
            topic=say("losses"),
            text=say(
                "Your player lost {losses} of {n} game against {opponent}.",
                "Your player lost {losses} of {n} games against {opponent}.",
                n=len(played),
                losses=losses,
                opponent=opponent.name,
            ),
            help=say("This assignment disqualifies players that lose to this opponent.")
            if opponent.disqualify_on_loss
            else say("This is the first and weakest opponent."),
        )


def _place(finding: Finding) -> str:
    return f"{finding.file}:{finding.line}" if finding.file and finding.line else ""


def _located_text(finding: Finding, places: Sequence[str]) -> str:
    """The text of a finding after its places, unless it names its file itself."""
    where = ", ".join(filter(None, dict.fromkeys(places)))
    if not where or (finding.file or "") in finding.text:
        return finding.text
    return say("{where}: {text}", where=where, text=finding.text)
