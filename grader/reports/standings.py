"""`grader tournament`: the standings in the terminal."""

from dataclasses import replace

from grader.intake.names import distinct_names
from grader.language import Language, Message, say
from grader.reports.table import Column, Report, Table, TableCell, Tone, make_table
from grader.scoring.ratings import ORIGIN, Rating, expected_share
from grader.scoring.standings import Competitor, Standing, Standings

CROSS_TABLE = 14
"""The largest number of players whose cross table fits into a terminal; larger ones are only in the files."""
NAME = 32
"""How many characters of a name are shown."""


def render(tournament: Standings, speak: Language) -> Report:
    """The standings, the cross table if it is not too wide, remarks on both, and the excluded submissions."""
    parts: list[str | Table] = [f"{tournament.terms.title}: {speak(form(tournament))}"]
    if tournament.rows:
        parts.append(_table(tournament, speak))
        if len(tournament.rows) <= CROSS_TABLE:
            parts.append(_cross_table(tournament, speak))
    parts.append("\n".join(map(speak, [*reservations(tournament), *remarks(tournament)])))
    parts.append(_excluded_players(tournament, speak))
    return [part for part in parts if part]


def form(tournament: Standings) -> Message:
    """The form of the tournament: round robin or Swiss, and how many games were played."""
    terms = tournament.terms
    games = say("{n} game per pair", "{n} games per pair", n=terms.games_per_pair)
    if terms.rounds is None:
        return say("round robin, {games}, seed {seed}", games=games, seed=terms.seed)
    rounds = say("{n} round", "{n} rounds", n=terms.rounds)
    return say("Swiss system, {rounds}, {games}, seed {seed}", rounds=rounds, games=games, seed=terms.seed)


def remarks(tournament: Standings) -> list[Message]:
    """Explanations of the tables."""
    found = []
    if any(is_tied(row) for row in tournament.rows):
        found.append(
            say(
                "2 (1–5): the second rank, but any from 1 to 5 is possible, because the intervals of these players overlap."
            )
        )
    if tournament.first_move is not None:
        found += [_scale(tournament), _first_move(tournament.first_move)]
    if tournament.repeats:
        found += _repeats(tournament.repeats, tournament.skipped)
    if any(row.byes for row in tournament.rows):
        found.append(say("A bye counts as a win but does not affect ratings."))
    return found


def reservations(tournament: Standings) -> list[Message]:
    """What limits the meaning of the ranks, so that no reader should miss it."""
    found = []
    if len(tournament.groups) > 1 and tournament.first_move is not None:
        found.append(
            say(
                "Not all players are connected by games: compare ratings and ranks only within each of the {groups} groups.",
                groups=len(tournament.groups),
            )
        )
    return found


def place(tournament: Standings, at: int) -> int | None:
    """The rank of a row, which players with the same rating and points share; none for reference players."""
    row = tournament.rows[at]
    if row.ranks is None:
        return None
    return 1 + sum(other.ranks is not None and _strength(other) != _strength(row) for other in tournament.rows[:at])


def rank(tournament: Standings, at: int) -> str:
    """The rank of a row, as cross tables show it."""
    return str(place(tournament, at) or "–")


def possible_ranks(row: Standing) -> str:
    """The ranks that a row may have, `(1–5)`; empty if only one is possible."""
    return f"({row.ranks[0]}–{row.ranks[1]})" if row.ranks is not None and is_tied(row) else ""


def is_tied(row: Standing) -> bool:
    """Whether its interval overlaps with that of another player, so that its rank is uncertain."""
    return row.ranks is not None and row.ranks[0] != row.ranks[1]


def _strength(row: Standing) -> tuple[float | None, float]:
    return None if row.rating is None else round(row.rating.value, 6), row.points


def _names(tournament: Standings, speak: Language) -> dict[str, str]:
    """The names of players in tables, by id."""
    players = [row.competitor for row in tournament.rows]
    names = distinct_names((player.id, _short_name(player)) for player in players)
    references = {player.id: player for player in players if player.reference}
    return {
        id_: speak.say("{name} (reference)", name=_short_name(references[id_])) if id_ in references else name
        for id_, name in names.items()
    }


def _short_name(player: Competitor) -> str:
    return player.name if len(player.name) <= NAME else player.name[: NAME - 1] + "…"


def percent(probability: float) -> str:
    """A probability in percent, never shown as 0 or 100."""
    return "<1" if probability < 0.01 else ">99" if probability > 0.99 else f"{probability * 100:.0f}"


def stronger_than_next(tournament: Standings, at: int) -> str:
    """The probability that the player in a row is stronger than the one in the next row."""
    pair = tuple(row.competitor.id for row in tournament.rows[at : at + 2])
    met = tournament.head_to_head.get((pair[0], pair[1])) if len(pair) == 2 else None
    return "" if met is None or met.stronger is None else f"{percent(met.stronger)} %"


def _table(tournament: Standings, speak: Language) -> Table:
    rows = tournament.rows
    names = _names(tournament, speak)
    optional = [
        (head, counts)
        for head, counts in (
            (say("faults"), [row.faults for row in rows]),
            (say("repeats"), [row.repeats for row in rows]),
            (say("byes"), [row.byes for row in rows]),
        )
        if any(counts)
    ]
    columns: list[Column | str] = [
        Column(speak.say("rank")),
        Column(speak.say("player"), wraps=True),
        Column(speak.say("points"), right=True),
        Column(speak.say("rating"), right=True),
        Column(speak.say("95 % CI")),
        Column(speak.say("stronger than next"), right=True, leave_out=3),
        Column(speak.say("games"), right=True, leave_out=4),
        Column(speak.say("won–drawn–lost"), right=True, leave_out=1),
        *(Column(speak(head), right=True, leave_out=2) for head, _ in optional),
    ]
    lines: list[list[str | int | TableCell]] = [
        [
            f"{rank(tournament, at)} {possible_ranks(row)}".strip(),
            names[row.competitor.id],
            speak.number(row.points),
            *(("–", "–") if row.rating is None else (speak.number(row.rating.value, ".0f"), rating_range(row.rating))),
            stronger_than_next(tournament, at),
            row.games,
            f"{row.won}–{row.drawn}–{row.lost}",
            *(TableCell(str(counts[at] or ""), Tone.WARNING) for _, counts in optional),
        ]
        for at, row in enumerate(rows)
    ]
    return make_table(columns, lines)


def rating_range(rating: Rating) -> str:
    """The 95 % interval of a rating: `1703–2670`, or `−89 – 40` with a minus sign."""
    dash = " – " if rating.low < 0 else "–"
    return f"{rating.low:.0f}{dash}{rating.high:.0f}".replace("-", "−")


def _cross_table(tournament: Standings, speak: Language) -> Table:
    """The points of each player against each other."""
    players = [row.competitor for row in tournament.rows]
    lines: list[list[str | int | TableCell]] = []
    for at, player in enumerate(players):
        met = [tournament.head_to_head.get((player.id, other.id)) for other in players]
        cells = ["·" if cell is None else speak.number(cell.points) if cell.games else "" for cell in met]
        lines.append([rank(tournament, at), player.name[:NAME], *cells])
    columns: list[Column | str] = [
        Column("", right=True),
        Column("", wraps=True),
        *(Column(rank(tournament, at), right=True) for at in range(len(players))),
    ]
    too_wide = speak.say("The cross table does not fit here; it is in the report.")
    return replace(make_table(columns, lines), too_wide=too_wide)


def _first_move(worth: Rating) -> Message:
    return say(
        "Moving first is worth {n} rating point (95 % CI {low:.0f} to {high:.0f}): between equally strong players, the first to move wins {share:.0%} of games.",
        "Moving first is worth {n} rating points (95 % CI {low:.0f} to {high:.0f}): between equally strong players, the first to move wins {share:.0%} of games.",
        n=round(worth.value),
        low=worth.low,
        high=worth.high,
        share=expected_share(worth.value),
    )


def _repeats(repeats: int, unplayed: int) -> list[Message]:
    found = [
        say(
            "{n} game repeats another one, move for move. Repeated games score points but do not affect ratings.",
            "{n} games repeat others, move for move. Repeated games score points but do not affect ratings.",
            n=repeats,
        )
    ]
    if unplayed:
        found.append(
            say(
                "{n} of the repeated games was not actually played: players without randomness, and players that have "
                "repeated a game before, would repeat it again, and identical submissions share their games.",
                "{n} of the repeated games were not actually played: players without randomness, and players that have "
                "repeated a game before, would repeat it again, and identical submissions share their games.",
                n=unplayed,
            )
        )
    return found


def _scale(tournament: Standings) -> Message:
    if tournament.anchor is not None:
        return say(
            "Ratings: {anchor} is fixed at {origin:.0f}; 400 points mean 10:1 odds. "
            "“Stronger than next” is the probability of being stronger than the player in the next row.",
            anchor=tournament.anchor,
            origin=ORIGIN,
        )
    return say(
        "Ratings: the mean is {origin:.0f}; 400 points mean 10:1 odds. "
        "“Stronger than next” is the probability of being stronger than the player in the next row.",
        origin=ORIGIN,
    )


def _excluded_players(tournament: Standings, speak: Language) -> str:
    if not tournament.excluded:
        return ""
    lines = [speak.say("Not playing:")]
    names = distinct_names((excluded.id, excluded.name) for excluded in tournament.excluded)
    lines += [f"  {names[excluded.id]}: {speak(excluded.reason)}" for excluded in tournament.excluded]
    return "\n".join(lines)
