"""`grader replay`: a recorded game in the terminal, move by move or as a list of moves."""

from collections.abc import Sequence
from textwrap import fill

from tabulate import tabulate

from grader.competition.replay import Replay, record_game
from grader.fixtures import Match
from grader.games import Game
from grader.games.endings import ending_label, move_count, result_sentence
from grader.games.notation import NotatedMatch
from grader.intake.names import printable
from grader.language import Language, Message, verbatim
from grader.records import MatchRecord
from grader.reports import match as match_report
from grader.reports.board import heading, paint
from grader.reports.labels import result_label

_WIDTH = 78
"""The width of a list of moves, in characters."""


def notation_input(replay: Replay) -> NotatedMatch:
    """The replayed match, as the notations of other programs need it."""
    return notated_match(replay.record, replay.game, replay.moves, replay.problem)


def notated_match(
    record: MatchRecord, game: Game, moves: Sequence[str], problem: Message | None = None
) -> NotatedMatch:
    """A match with these moves, as the notations of other programs need it; `problem` is why they stop early."""
    remarks = [result_sentence(record, game), *([record.fault.text] if record.fault else []), *filter(None, [problem])]
    return NotatedMatch(
        game=game,
        record=record,
        moves=moves,
        remarks=[remark if isinstance(remark, Message) else verbatim(remark) for remark in remarks],
    )


def frame(replay: Replay, ply: int, speak: Language, *, colour: bool) -> str:
    """The match after `ply` moves: the players, the last move, the board, and at the end the result."""
    lines = [
        _heading(replay, speak, colour=colour),
        _board(replay, ply, speak, colour=colour),
        "",
        speak(replay.game.legend()),
    ]
    return "\n".join([*lines, *(["", *end_lines(replay, speak)] if ply == last_step(replay) else [])])


def last_step(replay: Replay) -> int:
    """The number of the last step: the last move, or the answer after it that failed."""
    failed = replay.problem is None and replay.record.last_charge is not None
    return len(replay.moves) + (failed or replay.refused is not None)


def listing(replay: Replay, speak: Language, *, every: bool, ply: int | None = None) -> str:
    """The whole match as text: its moves, the board after `ply` moves (by default the last) or all boards, and the result."""
    numbered = " ".join(f"{ply}.\xa0{move}" for ply, move in enumerate(replay.moves, start=1))
    last = last_step(replay)
    blocks = [
        f"{_heading(replay, speak, colour=False)}\n{speak(replay.game.legend())}",
        fill(numbered, _WIDTH, break_on_hyphens=False).replace("\xa0", " "),
        *(
            _board(replay, ply, speak, colour=False)
            for ply in (range(last + 1) if every else [last if ply is None else ply])
        ),
        match_report.render(replay.record, replay.game, speak),
        *_hint(replay, speak),
    ]
    return "\n\n".join(block for block in blocks if block)


def list_games(matches: Sequence[tuple[int, Match]], speak: Language) -> str:
    """A table of games to choose from, each with its number."""
    rows = [
        [
            match.opponent,
            number,
            match.seat + 1,
            result_label(match.record, match.seat, speak),
            speak(ending_label(match.record.ending, match.game)),
            len(match.record.turns),
            "" if match.played else speak.say("not played again (same as an earlier game)"),
        ]
        for number, match in matches
    ]
    heads = [
        *(speak.say("opponent"), speak.say("game"), speak.say("plays as")),
        *(speak.say("result"), speak.say("ending"), speak.say("moves"), ""),
    ]
    if all(match.played for _, match in matches):
        rows, heads = [row[:-1] for row in rows], heads[:-1]
    return tabulate(rows, heads, disable_numparse=True)


def list_records(records: Sequence[tuple[int, MatchRecord]], speak: Language) -> str:
    """A table of games in a file to choose from, each with its number."""
    rows = [
        [
            number,
            *(printable(seat.name) for seat in record.seats),
            speak.say("drawn") if record.winner is None else printable(record.seats[record.winner].name),
            speak(ending_label(record.ending, record_game(record))),
            len(record.turns),
        ]
        for number, record in records
    ]
    heads = [
        *(speak.say("game"), speak.say("player 1"), speak.say("player 2")),
        *(speak.say("winner"), speak.say("ending"), speak.say("moves")),
    ]
    return tabulate(rows, heads, disable_numparse=True)


def _heading(replay: Replay, speak: Language, *, colour: bool) -> str:
    first, second = replay.record.seats
    return heading(replay.game, (first.name, second.name), speak, colour=colour)


def _board(replay: Replay, ply: int, speak: Language, *, colour: bool) -> str:
    text = _move(replay, ply, speak)
    if ply > len(replay.moves):
        cross = None if replay.refused is None else replay.game.place_in_drawing(replay.refused)
        return f"{text}\n\n{paint(replay.game, replay.positions[-1], cross=cross, colour=colour)}"
    before = replay.positions[ply - 1] if ply else None
    return f"{text}\n\n{paint(replay.game, replay.positions[ply], before, colour=colour)}"


def _move(replay: Replay, ply: int, speak: Language) -> str:
    if ply == 0:
        return speak.say("Starting position. The game has {moves}.", moves=move_count(len(replay.moves)))
    if ply > len(replay.moves) and replay.refused is None:
        return _failed_answer(replay, ply, speak)
    if ply > len(replay.moves):
        return speak.say(
            "✗ Move {ply}: player {side} returned {move}, an illegal move",
            ply=ply,
            side=replay.game.turn(replay.positions[-1]) + 1,
            move=replay.game.move_label(replay.refused),
        )
    turn = replay.record.turns[ply - 1]
    side = replay.record.mover(ply - 1)
    late = speak.say(", too late: replaced by a random move") if turn.late else ""
    return speak.say(
        "Move {ply} of {plies}: player {side} plays {move} ({seconds:.2f} s{late})",
        ply=ply,
        plies=len(replay.moves),
        side=side + 1,
        move=replay.moves[ply - 1],
        seconds=turn.charge.charged,
        late=late,
    )


def _failed_answer(replay: Replay, ply: int, speak: Language) -> str:
    record = replay.record
    return speak.say(
        "✗ Move {ply}: player {side} failed: {ending} ({seconds:.2f} s)",
        ply=ply,
        side=(record.at_fault or 0) + 1,
        ending=ending_label(record.ending, replay.game),
        seconds=record.last_charge.charged if record.last_charge else 0.0,
    )


def end_lines(replay: Replay, speak: Language) -> list[str]:
    """How a match ended, or why its replay stops early."""
    if replay.problem is not None:
        return [speak(replay.problem)]
    return [
        speak(result_sentence(replay.record, replay.game)),
        *match_report.fault_lines(replay.record, speak),
        *_hint(replay, speak),
    ]


def _hint(replay: Replay, speak: Language) -> list[str]:
    """How to try the position of a fault at home, unless there is no fault in it."""
    if replay.problem is not None or replay.record.last_charge is None:
        return []
    return [speak.say("To try this position with your player, add --python.")]
