"""Results as `print` and notebooks show them: a match with its board, and the conclusion of a check.

A notebook shows HTML of this kind as it is, so everything that comes from a player or its files is escaped.
"""

from typing import Any

from markupsafe import Markup

from grader.checks.conclusion import Conclusion
from grader.competition.replay import Replay, replay_record
from grader.errors import GraderError
from grader.games import Game
from grader.games.exam import Mark, Verdict
from grader.language import Language, language, system_language
from grader.records import MatchRecord
from grader.reports import check as check_report
from grader.reports import replay as replay_report
from grader.reports.board import heading
from grader.reports.second_person import to_student

_WIDE, _HIGH = 12, 21
"""The size of a character of a board's drawing, in pixels."""
_STONES = ("#d55e00", "#0072b2")
"""The colours of the first and of the second player, as on the pages."""
_COLOURS = {Mark.BAD: "#c0392b", Mark.NOTE: "#b9770e", Mark.GOOD: "#1e8449", Mark.INFO: "inherit", Mark.OPEN: "inherit"}


def match_record_text(record: MatchRecord) -> str:
    """The players, the moves, the last board and the result."""
    speak = language(system_language())
    try:
        return replay_report.listing(replay_record(record), speak, every=False)
    except GraderError:  # e.g. a game that is not known here
        return repr(record)


def match_record_html(record: MatchRecord) -> str:
    """The players, a drawing of the last board, and the result."""
    speak = language(system_language())
    try:
        replay = replay_record(record)
    except GraderError:
        return Markup("<pre>{}</pre>").format(repr(record))
    first, second = replay.record.seats
    title = heading(replay.game, (first.name, second.name), speak, colour=False)
    result = Markup("<br>").join([*replay_report.end_lines(replay, speak), speak(replay.game.legend())])
    return Markup("<div><p><strong>{}</strong></p>{}<p>{}</p></div>").format(title, _drawing(replay, speak), result)


def conclusion_text(conclusion: Conclusion) -> str:
    """What `grader check` prints: everything that was checked, and then the conclusion."""
    speak = language(conclusion.language)
    done = [
        check_report.render_observation(verdict, speak) for verdict in conclusion.verdicts if verdict.mark is Mark.GOOD
    ]
    return "\n".join([*done, "", check_report.render(conclusion, "", speak)]).strip()


def conclusion_html(conclusion: Conclusion) -> str:
    """The headline, the problems with what to do about them, what is fine, and the results of the games."""
    speak = language(conclusion.language)
    headline, *_ = check_report.render(conclusion, "", speak).splitlines()
    order = (Mark.BAD, Mark.NOTE, Mark.OPEN, Mark.GOOD)
    verdicts = [verdict for mark in order for verdict in conclusion.verdicts if verdict.mark is mark]
    items = Markup("").join(_item(verdict, speak) for verdict in verdicts)
    lines = Markup("<br>").join(speak(text) for text in (conclusion.results, conclusion.official) if text)
    shown = Markup("<div><p><strong>{}</strong></p><ul style='list-style:none;padding-left:0'>{}</ul><p>{}</p></div>")
    return shown.format(headline, items, lines)


def _item(verdict: Verdict, speak: Language) -> Markup:
    text = to_student(speak)(verdict.text)
    sign = Markup("<span style='color:{}'>{}</span>").format(_COLOURS[verdict.mark], check_report.SIGNS[verdict.mark])
    details = "\n".join(speak(line) for line in verdict.detail)
    detail = Markup("<pre style='margin-left:2em'>{}</pre>").format(details) if details else ""
    help_ = Markup("<br><small>{}</small>").format(speak(verdict.help)) if verdict.help else ""
    return Markup("<li>{} {}{}{}</li>").format(sign, text, help_, detail)


def _drawing(replay: Replay, speak: Language) -> Markup:
    """The last position as an image: stones, empty cells and labels where the game's own drawing has them."""
    game, positions = replay.game, replay.positions
    lines, before = _lines(game, positions[-1]), _lines(game, positions[-2] if len(positions) > 1 else positions[-1])
    empty = _lines(game, positions[0])
    if not [len(line) for line in lines] == [len(line) for line in before] == [len(line) for line in empty]:
        return Markup("<pre>{}</pre>").format("\n".join(lines))  # then characters cannot be compared one by one
    signs = [
        _sign(game, at, row, sign, vacant=sign == empty[row][at], new=sign != before[row][at])
        for row, line in enumerate(lines)
        for at, sign in enumerate(line)
        if sign != " "
    ]
    width, height = _WIDE * (max(map(len, lines), default=0) + 1), _HIGH * (len(lines) + 1)
    return Markup(
        "<svg xmlns='http://www.w3.org/2000/svg' role='img' aria-label='{}' width='{}' height='{}' "
        "style='max-width:100%' font-family='monospace' font-size='13' text-anchor='middle'>{}</svg>"
    ).format(speak.say("The board at the end"), width, height, Markup("").join(signs))


def _sign(game: Game, at: int, row: int, sign: str, *, vacant: bool, new: bool) -> Markup:
    """One character of a drawing as a stone, an empty cell or a label."""
    x, y = _WIDE * (at + 1), _HIGH * (row + 1)
    side = next((side for side, own in enumerate(game.signs) if sign in own), None)
    if not vacant and side is not None:
        ring = Markup(" stroke='#888' stroke-width='3'") if new else ""
        return Markup("<circle cx='{}' cy='{}' r='9' fill='{}'{}><title>{}</title></circle>").format(
            x, y, _STONES[side], ring, side + 1
        )
    if sign == ".":
        return Markup("<circle cx='{}' cy='{}' r='3' fill='#999'/>").format(x, y)
    return Markup("<text x='{}' y='{}' fill='currentColor'>{}</text>").format(x, y + 5, sign)


def _lines(game: Game, position: Any) -> list[str]:
    return game.draw(position).splitlines()
