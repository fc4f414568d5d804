"""The standings of a tournament, for the terminal."""

from tabulate import tabulate

from grader.language import Language, Message, say
from grader.scoring.ratings import ORIGIN, Rating, expected_share
from grader.scoring.standings import Competitor, Standing, Standings

CROSS_TABLE = 14
"""Entrants whose cross table fits into a terminal; that of more is in the files only."""
NAME = 32
"""Characters of a name that are shown."""


def render(tournament: Standings, speak: Language) -> str:
    """The table, the cross table if it is not too wide, and what there is to say about both."""
    title = speak.say("{title}: {form}", title=tournament.terms.title, form=form(tournament))
    parts = [title]
    if tournament.rows:
        parts.append(_table(tournament, speak))
        if len(tournament.rows) <= CROSS_TABLE:
            parts.append(_cross_table(tournament))
    parts.append("\n".join(map(speak, remarks(tournament))))
    parts.append(_excluded_players(tournament, speak))
    return "\n\n".join(part for part in parts if part)


def form(tournament: Standings) -> Message:
    """What was played."""
    terms = tournament.terms
    if terms.rounds is None:
        return say("all against all, {games} games a pair, seed {seed}", games=terms.games_a_pair, seed=terms.seed)
    return say(
        "Swiss, rounds: {rounds}, {games} games a pair, seed {seed}",
        rounds=terms.rounds,
        games=terms.games_a_pair,
        seed=terms.seed,
    )


def remarks(tournament: Standings) -> list[Message]:
    """What the tables do not say by themselves."""
    said = []
    if tournament.first_move is not None:
        said.append(_first_move(tournament.first_move))
        said.append(_scale(tournament))
    if tournament.repeats:
        said.append(_repeats(tournament.repeats, tournament.spared))
    if any(row.byes for row in tournament.rows):
        said.append(say("A round without an opponent counts as won, and tells nothing about strength."))
    if len(tournament.groups) > 1 and tournament.first_move is not None:
        said.append(
            say(
                "No games connect all players: ratings and ranks compare only within each of these {groups} groups.",
                groups=len(tournament.groups),
            )
        )
    return said


def rank(row: Standing) -> str:
    """As `3`, or `2–5` where intervals overlap."""
    if row.ranks is None:
        return "–"
    best, worst = row.ranks
    return f"{best}" if best == worst else f"{best}–{worst}"


def competitor_label(entrant: Competitor) -> Message | str:
    """Who it is, in one line of a table."""
    name = entrant.name if len(entrant.name) <= NAME else entrant.name[: NAME - 1] + "…"
    if entrant.reference:
        return say("{name} (reference)", name=name)
    return name if entrant.name in ("", entrant.id) else f"{name} ({entrant.id})"


def number(points: float) -> str:
    """Points of games: `3` or `2.5`."""
    return f"{points:.1f}".removesuffix(".0")


def percent(probability: float) -> str:
    """Never quite none and never quite all."""
    return "<1" if probability < 0.01 else ">99" if probability > 0.99 else f"{probability * 100:.0f}"


def above_next(tournament: Standings, at: int) -> str:
    """The probability that one row is stronger than the next."""
    pair = tuple(row.competitor.id for row in tournament.rows[at : at + 2])
    met = tournament.head_to_head.get((pair[0], pair[1])) if len(pair) == 2 else None
    return "" if met is None or met.stronger is None else f"{percent(met.stronger)} %"


def _table(tournament: Standings, speak: Language) -> str:
    rows = tournament.rows
    heads = [say("rank"), say("player"), say("points"), say("rating"), say("95 %"), say("above next")]
    heads += [say("games"), say("won–drawn–lost")]
    rare = [
        (head, counts)
        for head, counts in (
            (say("faults"), [row.faults for row in rows]),
            (say("repeats"), [row.repeats for row in rows]),
            (say("byes"), [row.byes for row in rows]),
        )
        if any(counts)
    ]
    heads += [head for head, _ in rare]
    lines = [
        [
            rank(row),
            speak(competitor_label(row.competitor)),
            number(row.points),
            *(("–", "–") if row.rating is None else (f"{row.rating.value:.0f}", _interval(row.rating))),
            above_next(tournament, at),
            row.games,
            f"{row.won}–{row.drawn}–{row.lost}",
            *(counts[at] or "" for _, counts in rare),
        ]
        for at, row in enumerate(rows)
    ]
    sides = ["left", "left", "right", "right", "left", *["right"] * (len(heads) - 5)]
    return tabulate(lines, [speak(head) for head in heads], colalign=sides, disable_numparse=True)


def _interval(rating: Rating) -> str:
    return f"{rating.low:.0f} – {rating.high:.0f}"


def _cross_table(tournament: Standings) -> str:
    """What each won against each other."""
    players = [row.competitor for row in tournament.rows]
    lines = []
    for at, one in enumerate(players, 1):
        met = [tournament.head_to_head.get((one.id, other.id)) for other in players]
        cells = ["·" if cell is None else number(cell.points) if cell.games else "" for cell in met]
        lines.append([at, one.name[:NAME], *cells])
    sides = ["right", "left", *["right"] * len(players)]
    return tabulate(lines, ["", "", *range(1, len(players) + 1)], colalign=sides, disable_numparse=True)


def _first_move(worth: Rating) -> Message:
    return say(
        "To move first is worth {points} points of rating (95 %: {low} to {high}): between equals the first wins {share} %.",
        points=round(worth.value),
        low=round(worth.low),
        high=round(worth.high),
        share=round(100 * expected_share(worth.value)),
    )


def _repeats(repeats: int, spared: int) -> Message:
    if not spared:
        return say(
            "Games that repeat others move for move: {repeats}. They count in the points and tell nothing more about strength.",
            repeats=repeats,
        )
    return say(
        "Games that repeat others move for move: {repeats}, of which {spared} were not played: two players whose code leaves "
        "nothing to chance play a game once, two that have repeated one would do so again, and identical submissions share "
        "their games. Repeats count in the points and tell nothing more about strength.",
        repeats=repeats,
        spared=spared,
    )


def _scale(tournament: Standings) -> Message:
    if tournament.anchor is not None:
        return say(
            "Ratings: {anchor} has {origin:.0f}; 400 more are odds of ten to one. Ranks whose intervals overlap are shared; "
            "above next: the probability of being stronger than the next row.",
            anchor=tournament.anchor,
            origin=ORIGIN,
        )
    return say(
        "Ratings: the mean is {origin:.0f}; 400 more are odds of ten to one. Ranks whose intervals overlap are shared; "
        "above next: the probability of being stronger than the next row.",
        origin=ORIGIN,
    )


def _excluded_players(tournament: Standings, speak: Language) -> str:
    if not tournament.excluded:
        return ""
    lines = [speak.say("Not playing:")]
    lines += [speak.say("  {name}: {why}", name=left.id, why=left.reason) for left in tournament.excluded]
    return "\n".join(lines)
