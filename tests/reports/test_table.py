"""Tables fit the terminal: texts are wrapped, then columns are left out, and nothing that a student wrote gets colours of its own."""

import pytest
from rich.cells import cell_len

from grader.cli.output import visible
from grader.intake.names import distinct_names
from grader.language import language
from grader.reports.table import Column, Table, TableCell, Tone, lay_out, make_table, plain_text

TABLE = make_table(
    [
        Column("hex", wraps=True),
        "score",
        *(Column(name, leave_out=at) for at, name in enumerate(("random", "minimax", "mcts(simulations=500)"), 2)),
        Column("how games ended", wraps=True, leave_out=1),
    ],
    [
        [
            "Ejemplo Peña Larga",
            TableCell("25.5 / 60", Tone.GOOD),
            "10 (2–0)",
            "10 (1–1)",
            "0 (0–2)",
            "5× connected, 1× too late",
        ],
        ["日本語", "0 / 60", "0 (0–2)", "0 (0–2)", "0 (0–2)", "6× exception"],
    ],
)


def paint(text: str, tone: Tone) -> str:
    return text if tone in (Tone.PLAIN, Tone.HEAD) else f"<{tone.value}>{text}</>"


@pytest.mark.parametrize("width", [120, 80, 60, 40])
def test_no_line_is_wider_than_the_terminal(width):
    shown = lay_out(TABLE, width, language("en"))

    assert max(map(cell_len, shown.splitlines())) <= width
    assert "25.5 / 60" in shown


def test_a_table_that_fits_is_as_wide_as_it_needs_to_be():
    assert lay_out(TABLE, 120) == plain_text([TABLE])


def test_heads_are_wrapped_before_texts():
    table = make_table([Column("opponent", wraps=True), "slowest move of all (s)"], [["mcts(simulations=500)", "0.1"]])

    assert lay_out(table, 31).splitlines() == [
        "opponent               slowest",
        "                       move of",
        "                       all (s)",
        "---------------------  --------",
        "mcts(simulations=500)  0.1",
    ]


def test_columns_are_left_out_in_order_and_named():
    assert lay_out(TABLE, 60, language("en")).endswith("\n(not shown, for lack of room: mcts(simulations=500))")
    assert lay_out(TABLE, 40, language("es")).endswith("\n(no caben: minimax,\nmcts(simulations=500))")


def test_long_names_are_broken_at_punctuation():
    table = make_table([Column("opponent", wraps=True), "points"], [["mcts(simulations=500)", "10 (2–0)"]])

    assert lay_out(table, 22).splitlines()[2:] == ["mcts(         10 (2–0)", "simulations=", "500)"]


def test_a_table_that_makes_no_sense_in_parts_is_left_out_as_a_whole():
    table = Table((Column("a" * 9), Column("b" * 9)), (("x" * 9, "y" * 9),), too_wide="It is in the report.")

    assert lay_out(table, 19) == "It is in the report."
    assert lay_out(table, 20).startswith("aaa")


def test_colours_do_not_change_the_layout():
    shown = lay_out(TABLE, 60, language("en"), paint=paint)

    assert "<green>25.5 / 60</>" in shown
    assert shown.replace("<green>", "").replace("</>", "") == lay_out(TABLE, 60, language("en"))


def test_escapes_of_students_are_made_visible_before_colours_are_added():
    table = make_table(["name"], [["\x1b[31mAna\x1b[0m"], [TableCell("\x1b[2J", Tone.BAD)]])

    assert lay_out(table, 80, clean=visible, paint=paint).splitlines()[2:] == [
        r"\x1b[31mAna\x1b[0m",
        r"<red>\x1b[2J</>",
    ]


def test_ids_are_shown_only_where_names_are_ambiguous():
    people = [("a1", "Ana Peña"), ("a2", "ana peña"), ("luis", "Luis Gil"), ("eva", "")]

    assert distinct_names(people) == {"a1": "Ana Peña (a1)", "a2": "ana peña (a2)", "luis": "Luis Gil", "eva": "eva"}
