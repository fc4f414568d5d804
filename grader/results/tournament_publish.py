"""Write what tournaments came to into their folder, each file whole or not at all."""

from collections.abc import Sequence
from pathlib import Path

from grader.language import Language, say
from grader.reports import standings_csv, standings_json
from grader.reports.html import tournament as tournament_page
from grader.results.writing import write_whole
from grader.scoring.standings import Standings
from grader.store import StoreError


def publish(tournaments: Sequence[Standings], folder: Path, speak: Language) -> None:
    """Write `standings.json`, `standings.csv`, a cross table for each game, and `tournament.html`."""
    try:
        write_whole(folder / "standings.json", standings_json.render(tournaments))
        for old in folder.glob("crosstable*.csv"):
            old.unlink()  # of games that are no longer played
        for name, text in tables(tournaments, speak).items():
            write_whole(folder / name, "\ufeff" + text)
        write_whole(folder / "tournament.html", tournament_page.render(tournaments, speak))
    except OSError as error:
        raise StoreError(
            say(
                "{file}: {problem}. The games are kept: make the folder writable and run the same command again.",
                file=str(error.filename or folder),
                problem=str(error.strerror),
            )
        ) from error


def tables(tournaments: Sequence[Standings], speak: Language) -> dict[str, str]:
    """What is for a spreadsheet: the standings, and a cross table for each game, by the names of their files."""
    found = {"standings.csv": standings_csv.render(tournaments, speak)}
    for tournament in tournaments:
        name = "crosstable.csv" if len(tournaments) == 1 else f"crosstable-{tournament.terms.game}.csv"
        found[name] = standings_csv.render_crosstable(tournament)
    return found
