"""`grader run --dry-run`: who was found with which player, how many games each plays, and how long all of them may take."""

from collections import Counter
from collections.abc import Sequence

from grader.assignment import Assignment
from grader.competition.grades import absent_students
from grader.competition.records import Entrant, Setup
from grader.fixtures import Fixture
from grader.intake.files import printable_path
from grader.intake.names import name_with_id
from grader.intake.second_uploads import UNCLEAR_UPLOAD
from grader.language import Language, Message, say
from grader.reports.labels import finding_label, finding_place
from grader.reports.table import Column, Report, make_table
from grader.scoring.estimate import duration, estimate

PlannedGames = Sequence[tuple[Assignment, Fixture]]


def render(setup: Setup, planned: PlannedGames, speak: Language) -> Report:
    """A table of the students, and a sentence on the games and their time."""
    games = Counter(fixture.submission for _, fixture in planned)
    names = {entry.id.casefold(): entry.name for entry in setup.request.roster}
    rows = [
        [
            name_with_id(names.get(entrant.id.casefold()) or entrant.submission.name, entrant.id),
            _player(entrant, speak),
            str(games[entrant.id] or "–"),
        ]
        for entrant in setup.entrants
    ]
    absent = absent_students(setup)
    rows += [[name_with_id(entry.name, entry.id), speak.say("nothing submitted"), "–"] for entry in absent]
    columns = [
        Column(speak.say("submission"), wraps=True),
        Column(speak.say("player"), wraps=True),
        Column(speak.say("games"), right=True),
    ]
    summary = "\n".join(speak(line) for line in _summary(setup, planned, len(absent)))
    return [make_table(columns, rows), summary]


def _player(entrant: Entrant, speak: Language) -> str:
    """The file and class of a player, or why there is none."""
    if entrant.is_excused:
        return speak.say("excused")
    if entrant.entry is not None:
        player = f"{printable_path(entrant.entry.file)}:{entrant.entry.name}"
        unclear = [speak(finding.text) for finding in entrant.findings if finding.code == UNCLEAR_UPLOAD]
        return "\n".join([player, *unclear])
    if entrant.needs_decision:
        return speak.say("needs your decision: {why}", why=entrant.needs_decision)
    finding = entrant.no_player
    place = f" ({finding_place(finding)})" if finding.line and finding_place(finding) else ""
    return f"{speak(finding_label(finding.code))}: {speak(finding.text)}{place}"


def _summary(setup: Setup, planned: PlannedGames, absent: int) -> list[Message]:
    without = [entrant for entrant in setup.entrants if entrant.entry is None and not entrant.is_excused]
    undecided = sum(bool(entrant.needs_decision) for entrant in without)
    idle = len(without) - undecided
    total = estimate(planned, {}, setup.request.workers)
    lines = [
        say(
            "{submissions}, {games}, {workers} in parallel: about {expected} if players use a quarter of their time, at "
            "most {worst}.",
            submissions=say("{n} submission", "{n} submissions", n=len(setup.entrants)),
            games=say("{n} game", "{n} games", n=total.games),
            workers=setup.request.workers,
            expected=duration(total.expected),
            worst=duration(total.worst),
        )
    ]
    if undecided:
        lines.append(say("{n} submission needs your decision.", "{n} submissions need your decision.", n=undecided))
    if idle:
        lines.append(say("{n} submission has no player.", "{n} submissions have no player.", n=idle))
    if absent:
        lines.append(say("{n} student submitted nothing.", "{n} students submitted nothing.", n=absent))
    return lines


def render_fixtures(planned: PlannedGames, speak: Language) -> Report:
    """A table of all games."""
    first, second = speak.say("first"), speak.say("second")
    heads = [
        *(speak.say("submission"), speak.say("opponent"), speak.say("game")),
        *(speak.say("order"), speak.say("opening")),
    ]
    rows: list[list[str | int]] = [
        [
            fixture.submission,
            fixture.opponent,
            fixture.number + 1,
            first if fixture.seat == 0 else second,
            fixture.opening + 1,
        ]
        for _, fixture in planned
    ]
    return [make_table(heads, rows)]
