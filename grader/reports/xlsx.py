"""Write a table as an Excel workbook. The same table always gives the same bytes, on every machine.

A workbook is a zip of a few XML files. Texts are stored as texts, so that no spreadsheet treats them as formulas.
"""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from enum import IntEnum
from xml.sax.saxutils import escape

Cell = str | float | None
MAX_CELL = 16_000
"""The characters of a text that are kept: a spreadsheet refuses more than 32,767 UTF-16 units."""
FORMULA = tuple("=+-@|%＝＋－＠")
"""The characters with which a formula can begin; spreadsheets in some languages accept the wide ones, too."""
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, not even escaped."""
_CODE = re.compile(r"_(?=x[0-9a-fA-F]{4}_)")
"""The start of what a workbook reads as the code of a character."""
_WIDTHS = (8, 50)


class Style(IntEnum):
    """How a cell looks: its place in the list of formats in `_STYLES`."""

    PLAIN = 0
    HEAD = 1
    QUOTED = 2
    """A text that would become a formula if the cell were edited."""
    GOOD = 3
    BAD = 4


def clean_xml(text: str) -> str:
    """A text without the characters that XML does not allow."""
    return _NOT_XML.sub("\ufffd", text)


def one_line(text: str) -> str:
    """A text on one line, without control characters, short enough for a spreadsheet."""
    flat = " ".join(clean_xml(text).split())
    return flat if len(flat) <= MAX_CELL else f"{flat[: MAX_CELL - 1]}…"


def render(title: str, rows: Sequence[Sequence[Cell]], styles: Mapping[tuple[int, int], Style]) -> bytes:
    """A workbook with one sheet. The first row is the header; `styles` has the cells that stand out, by row and column."""
    files = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": _relations("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": _WORKBOOK.format(title=escape(one_line(title), {'"': "&quot;"})),
        "xl/_rels/workbook.xml.rels": _relations("worksheet", "worksheets/sheet1.xml", "styles", "styles.xml"),
        "xl/styles.xml": _STYLES,
        "xl/worksheets/sheet1.xml": _sheet(rows, styles),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name)  # not compressed: libraries for that give different bytes
            info.create_system = 3  # the same on every system
            archive.writestr(info, _DECLARATION + text)
    return packed.getvalue()


def _sheet(rows: Sequence[Sequence[Cell]], styles: Mapping[tuple[int, int], Style]) -> str:
    columns = [
        f'<col min="{at}" max="{at}" width="{_width(column)}" customWidth="1"/>'
        for at, column in enumerate(zip(*rows, strict=True), 1)
    ]
    lines = []
    for number, row in enumerate(rows):
        cells = [
            _cell(f"{_letters(at)}{number + 1}", value, Style.HEAD if number == 0 else styles.get((number, at)))
            for at, value in enumerate(row)
        ]
        lines.append(f'<row r="{number + 1}">{"".join(cells)}</row>')
    area = f"A1:{_letters(len(rows[0]) - 1)}{len(rows)}"
    return (
        f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
        f"<cols>{''.join(columns)}</cols><sheetData>{''.join(lines)}</sheetData>"
        f'<autoFilter ref="{area}"/></worksheet>'
    )


def _cell(place: str, value: Cell, style: Style | None) -> str:
    if value is None or value == "":
        return ""
    if not isinstance(value, str):
        return f'<c r="{place}" s="{style or Style.PLAIN:d}"><v>{value!r}</v></c>'
    text = one_line(value)
    chosen = style or (Style.QUOTED if text.startswith(FORMULA) else Style.PLAIN)
    return f'<c r="{place}" s="{chosen:d}" t="inlineStr"><is><t>{escape(_CODE.sub("_x005F_", text))}</t></is></c>'


def _width(column: Sequence[Cell]) -> int:
    low, high = _WIDTHS
    return max(low, min(high, max(len(str(value)) for value in column if value is not None) + 3))


def _letters(at: int) -> str:
    """The name of a column, from 0: A, B, …, Z, AA."""
    rest, last = divmod(at, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("A") + last)


def _relations(*pairs: str) -> str:
    links = [
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(zip(pairs[::2], pairs[1::2], strict=True), 1)
    ]
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(links)}</Relationships>'


_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_CONTENT_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/></Types>'
)
_WORKBOOK = (
    f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="{title}" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
_FONT = '<font>{bold}<sz val="11"/><name val="Calibri"/></font>'
_FILL = '<fill><patternFill patternType="solid"><fgColor rgb="FF{colour}"/></patternFill></fill>'
_XF = '<xf numFmtId="0" fontId="{font}" fillId="{fill}" borderId="0" xfId="0"{more}/>'
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}">'
    f'<fonts count="2">{_FONT.format(bold="")}{_FONT.format(bold="<b/>")}</fonts>'
    '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    f"{_FILL.format(colour='DDEBDA')}{_FILL.format(colour='F8DCD6')}</fills>"
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="5">{_XF.format(font=0, fill=0, more="")}'
    + _XF.format(font=1, fill=0, more=' applyFont="1"')
    + _XF.format(font=0, fill=0, more=' quotePrefix="1"')
    + _XF.format(font=0, fill=2, more=' applyFill="1"')
    + _XF.format(font=0, fill=3, more=' applyFill="1"')
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
