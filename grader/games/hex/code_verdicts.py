"""Verdicts of the Hex exam that look at a player's code, or at positions with a win in two moves."""

from collections.abc import Iterator, Sequence

from grader.games.exam import Mark, PlayedCode, Reply, Verdict
from grader.games.hex.beliefs import count_right, mistakes
from grader.games.hex.neighbour_tables import OTHER, UNCLEAR, NeighbourTables
from grader.games.hex.neighbourhoods import EIGHT, FOUR, NAMES, SIX, advice, general_advice
from grader.games.hex.rules import Hex
from grader.language import Message, say

TOPIC = say("neighbours")


def wrong_search_verdict(
    rules: Hex, believed: Sequence[str], replies: Sequence[Reply], tables: NeighbourTables
) -> Verdict:
    """The verdict about a player whose search continues chains by a wrong rule: one rule, or one of several."""
    name = next((name for name in believed if name in tables.by_name), believed[0])
    is_named = len(believed) == 1 or name in tables.by_name
    told = [reply for reply in replies if mistakes(rules, name, reply)]
    mistaken = [reply for reply in told if reply[1].move in mistakes(rules, name, reply)]
    values: dict[str, str | int] = {"real": rules.adjacency, "asked": len(told), "taken": count_right(rules, told)}
    text = say(
        "Its search seems to use the wrong neighbours (the assignment's are {real}): in {asked} test positions with a win in "
        "two moves, it followed the right rule in {taken}.",
        **values,
    )
    if is_named:
        text = say(
            "Its search seems to use the wrong neighbours: {believed} instead of {real}. In {asked} test positions with a win "
            "in two moves, it followed the right rule in {taken}, and the wrong one in {mistaken}.",
            believed=NAMES[name],
            mistaken=len(mistaken),
            **values,
        )
    question, answer = mistaken[0]
    example = say(
        "For example, as player {player} it played {move} here, but the right chain continues with {right}:",
        player=question.player_id,
        move=rules.move_label(answer.move),
        right=", ".join(map(rules.move_label, sorted(question.moves_by_belief[rules.adjacency]))),
    )
    return Verdict(
        mark=Mark.NOTE,
        topic=TOPIC,
        text=text,
        help=advice(rules.adjacency, name) if is_named else general_advice(rules.adjacency),
        detail=(*list_places(rules, tables), example, rules.draw(question.position)),
    )


def wrong_table_verdict(rules: Hex, tables: NeighbourTables, *, follows_rule: bool) -> Verdict | None:
    """A warning if the only lists of neighbours in the code are wrong.

    An unusual list does not lead to a warning if the search follows the rule: it may be meant for something else.
    """
    name = tables.wrong_name(rules.adjacency)
    if name is None or rules.adjacency in tables.by_name or (name == OTHER and follows_rule):
        return None
    where, *more = list_places(rules, tables)
    return Verdict(mark=Mark.NOTE, topic=TOPIC, text=where, help=general_advice(rules.adjacency), detail=tuple(more))


def unclear_verdict(rules: Hex, replies: Sequence[Reply], tables: NeighbourTables, *, follows_rule: bool) -> Verdict:
    """That it finds wins in one move by the right neighbours, but that its search could not be checked, and why."""
    why: Message = say("No list of neighbours was found in its code.")
    if places := list_places(rules, tables):
        why = say("{where} Check that its search does not use it by mistake.", where=places[0])
    elif not replies:
        why = say("No position with a win in two moves was tried.")
    elif not follows_rule:
        why = say(
            "In {asked} test positions with a win in two moves, its moves do not clearly match any kind of neighbourhood.",
            asked=len(replies),
        )
    return Verdict(
        mark=Mark.OPEN,
        topic=TOPIC,
        optional=True,
        text=say(
            "It uses the right neighbours ({real}) to find wins in one move, but it could not be checked whether "
            "its search uses them too.",
            real=rules.adjacency,
        ),
        help=why,
    )


def too_few_verdict(asked: int) -> Verdict:
    """That there were too few answers to say anything."""
    return Verdict(
        mark=Mark.OPEN,
        topic=TOPIC,
        optional=True,
        text=say(
            "Its idea of neighbouring cells could not be checked: only {n} test position was tried.",
            "Its idea of neighbouring cells could not be checked: only {n} test positions were tried.",
            n=asked,
        ),
    )


def refused_stone_verdicts(code: PlayedCode) -> Iterator[Verdict]:
    """A warning if a stone is placed for a player that does not exist, e.g. to undo a move."""
    refused = [
        call
        for call in code.calls
        if call.method == "place_piece" and len(call.arguments) == 3 and call.arguments[2] not in (1, 2, None)
    ]
    if refused:
        yield Verdict(
            mark=Mark.NOTE,
            topic=say("board"),
            text=say(
                "{where}: place_piece(…, {player}) changes nothing and returns False, because the player must be 1 or 2.",
                where=", ".join(call.where for call in refused),
                player=str(refused[0].arguments[2]),
            ),
            help=say("To undo a move, set board.board[row][col] = 0; or try moves on board.clone() instead."),
        )


def list_places(rules: Hex, tables: NeighbourTables) -> list[Message]:
    """A sentence about each list of neighbours in the code that is not the assignment's, the usual mistakes first."""
    names = [name for name in (*SIX, OTHER, FOUR, EIGHT, UNCLEAR) if name != rules.adjacency]
    return [_place(rules, name, where) for name in names for where in tables.by_name.get(name, ())]


def _place(rules: Hex, name: str, where: str) -> Message:
    if name == UNCLEAR:
        return say("{where} seems to lead to neighbouring cells in a way that could not be read.", where=where)
    if name == OTHER:
        return say(
            "{where} lists six neighbours that are not the assignment's ({real}).", where=where, real=rules.adjacency
        )
    if name in (FOUR, EIGHT):
        return say(
            "{where} lists {believed} instead of the assignment's six ({real}).",
            where=where,
            believed=NAMES[name],
            real=rules.adjacency,
        )
    return say(
        "{where} lists the wrong neighbours: {believed} instead of {real}.",
        where=where,
        believed=NAMES[name],
        real=rules.adjacency,
    )
