"""What `print` and notebooks show of a check and of a match."""

from dataclasses import replace

from grader.checks.conclusion import Conclusion
from grader.games.exam import Mark, Verdict
from tests.cli.games import desconecta4_match, hex_match

HOSTILE = "<script>alert(1)</script>"


def conclusion(*verdicts: Verdict, language: str = "en") -> Conclusion:
    return Conclusion(
        verdicts=verdicts, results="Won 1 of 2 games.", skipped=(), postponed=False, official="", language=language
    )


def test_a_check_is_printed_like_the_command_prints_it():
    good = Verdict(mark=Mark.GOOD, topic="loading", text="Loaded in 0.01 s.")
    bad = Verdict(mark=Mark.BAD, topic="moves", text="It fails.", help="Fix it.", detail=("line 3",))

    shown = str(conclusion(good, bad))

    assert shown.splitlines()[0] == "✓ Loaded in 0.01 s."
    assert "Not ready: 1 problem to fix.\n✗ It fails.\n    line 3\n    Fix it." in shown
    assert shown.endswith("Won 1 of 2 games.")


def test_a_check_in_a_notebook_is_escaped():
    bad = Verdict(mark=Mark.BAD, topic="moves", text=HOSTILE, help=HOSTILE, detail=(HOSTILE,))

    shown = conclusion(bad)._repr_html_()

    assert "<script" not in shown and shown.count("&lt;script&gt;") == 3
    assert "Not ready: 1 problem to fix." in shown


def test_a_check_is_shown_in_its_own_language():
    assert "Listo para entregar" in str(conclusion(language="es"))
    assert "Listo para entregar" in conclusion(language="es")._repr_html_()


def test_a_match_is_printed_with_its_last_board_and_who_won():
    record = hex_match()
    shown = str(record)

    assert "Hex: ana (player 1) vs luis (player 2)" in shown
    assert shown.count("a b c d") == 1
    assert f"{record.seats[record.winner or 0].name} wins: " in shown


def test_a_match_in_a_notebook_is_a_drawing_with_a_stone_for_every_move():
    for record in (hex_match(), hex_match(adjacency="even-r")):
        shown = record._repr_html_()
        assert "<svg" in shown and shown.count("r='9'") == len(record.turns)
        assert shown.count("stroke-width='3'") == 1, "the last move is marked"
        assert "wins: " in shown
    assert "<svg" in desconecta4_match()._repr_html_()


def test_a_hostile_name_is_escaped_in_a_notebook():
    record = hex_match()
    seats = (replace(record.seats[0], name=HOSTILE), record.seats[1])

    assert "<script" not in replace(record, seats=seats)._repr_html_()


def test_a_match_of_an_unknown_game_is_shown_as_data():
    record = replace(hex_match(), game="unknown<b>")

    assert str(record) == repr(record)
    assert record._repr_html_().startswith("<pre>MatchRecord(") and "<b>" not in record._repr_html_()
