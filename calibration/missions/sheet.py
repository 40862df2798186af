"""Mission sheets: one page for each mission, its table as a picture, task, goals, losses, difficulties and
how often a program won it. A PDF in one language."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from pathlib import Path

from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from calibration.missions import told
from calibration.missions.shares import Played, Share, read_played, shares_of
from calibration.missions.table_picture import TablePicture
from calibration.print_sheet import Paper
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.mapmasters.cooperative import goal_words
from scorer.mapmasters.cooperative.mission import Mission, Plan, plan_of, slots_of
from scorer.mapmasters.cooperative.settings import DIFFICULTIES
from scorer.mapmasters.cooperative.terms import DIFFICULTY_WORDS
from scorer.output_file import write_output
from scorer.text import Language, Text

_PAGES = {"a4": A4, "letter": LETTER}
MARGIN_MM = 15.0
#: The table's picture at the left of the set-up's list.
PICTURE_MM, PICTURE_HIGH_MM = 118.0, 104.0
COLUMN_GAP_MM = 6.0
#: A font that every viewer has for Japanese, so that none need be put in the file.
JAPANESE_FONT = "HeiseiKakuGo-W5"
_FONTS: dict[Language, tuple[str, str]] = {
    "en": ("Helvetica", "Helvetica-Bold"),
    "ja": (JAPANESE_FONT, JAPANESE_FONT),
}
_TITLE_PT, _HEAD_PT, _TEXT_PT, _SMALL_PT = 20.0, 12.0, 10.0, 7.5
#: Where the columns of the table of difficulties begin, as shares of the width.
_COLUMNS, _TABLE_PT = (0.0, 0.17, 0.325, 0.495, 0.735), 9.5


def mission_sheets(
    catalogue: Catalogue,
    missions: Sequence[Mission],
    file: Path,
    language: Language,
    *,
    paper: Paper = "a4",
) -> int:
    """Write a page for each mission. Returns the number of pages.

    Raises `WaymarkError` (no-cards) when there is no mission, for one that names what there is not, and when
    the file cannot be written.
    """
    if not missions:
        raise WaymarkError(
            Code.NO_CARDS,
            "There are no missions to print in this catalogue.",
            "このカタログには印刷するミッションがありません。",
        )
    if language == "ja":
        pdfmetrics.registerFont(UnicodeCIDFont(JAPANESE_FONT))
    played = read_played(catalogue.folder) if catalogue.folder is not None else Played()
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=_PAGES[paper], pageCompression=1, invariant=True)
    canvas.setTitle("Missions" if language == "en" else "ミッション")
    canvas.setCreator("Waymark")
    for mission in missions:
        named = [slot.card for slot in slots_of(mission).values() if slot.card is not None]
        plan = plan_of(mission, catalogue, named)
        _Sheet(canvas, catalogue, mission, plan, language, _PAGES[paper]).draw(played)
        canvas.showPage()
    canvas.save()
    write_output(file, made.getvalue())
    return len(missions)


class _Sheet:
    """One page; `y` is where the next thing goes, points from the paper's lower edge."""

    def __init__(
        self,
        canvas: Canvas,
        catalogue: Catalogue,
        mission: Mission,
        plan: Plan,
        language: Language,
        page: tuple[float, float],
    ) -> None:
        self._canvas, self._catalogue, self._mission, self._plan = canvas, catalogue, mission, plan
        self._language = language
        self._font, self._bold = _FONTS[language]
        self._left, self._right = MARGIN_MM * mm, page[0] - MARGIN_MM * mm
        self._y = page[1] - MARGIN_MM * mm

    def draw(self, played: Played) -> None:
        self._title()
        self._table()
        self._heading(told.TASK)
        self._y -= self._text(self._mission.rules.get(self._language, ""), self._left, self._right) + 3 * mm
        self._goals_and_losses()
        self._difficulties(played)

    def _say(self, words: Text) -> str:
        return words.message(self._language)

    def _title(self) -> None:
        canvas, mission = self._canvas, self._mission
        self._y -= _TITLE_PT * 0.8
        canvas.setFont(self._bold, _TITLE_PT)
        canvas.drawString(self._left, self._y, told.heading(mission, self._language))
        self._y -= 5.5 * mm
        canvas.setFont(self._font, _TEXT_PT)
        canvas.drawString(self._left, self._y, self._say(told.summary(mission, self._plan)))
        self._y -= 2.5 * mm
        canvas.setLineWidth(1)
        canvas.line(self._left, self._y, self._right, self._y)
        self._y -= 3 * mm

    def _table(self) -> None:
        """The picture, and beside it what is laid out and what its signs say."""
        picture = TablePicture(self._canvas, self._catalogue, self._plan)
        slot = picture.slot_width((PICTURE_MM * mm, PICTURE_HIGH_MM * mm))
        _, height = picture.size(slot)
        top = self._y
        picture.draw(self._left, top, slot)
        x = self._left + (PICTURE_MM + COLUMN_GAP_MM) * mm
        self._heading(told.SET_UP, x)
        for what, of in told.setup_lines(self._mission, self._plan):
            words = f"<b>{escape(self._say(what))}</b>: {escape(self._say(of))}"
            self._y -= self._text(words, x, self._right, markup=True) + 1.2 * mm
        self._y -= 2 * mm
        self._signs(picture, x)
        self._y = min(self._y, top - height) - 3 * mm

    def _signs(self, picture: TablePicture, x: float) -> None:
        kinds = {slot.kind for slot in self._plan.slots.values()}
        leaving = any(goal.card is None for goal in told.needed_goals(self._plan))
        for name, words in (
            ("starter", told.STARTER),
            ("empty", told.EMPTY),
            ("start", told.START),
            ("exit", told.EXIT),
        ):
            if name in kinds or name == "start" or (name == "exit" and leaving):
                picture.sign(name, x, self._y - 3.4 * mm, 3.4 * mm)
                self._y -= self._text(self._say(words), x + 7 * mm, self._right) + 1.2 * mm

    def _goals_and_losses(self) -> None:
        top, middle = self._y, (self._left + self._right) / 2
        self._heading(told.GOALS)
        end = middle - COLUMN_GAP_MM / 2 * mm
        for goal in told.needed_goals(self._plan):
            where = escape(self._say(goal_words.goal_where(goal, self._catalogue)))
            asks = escape(self._say(goal_words.goal_asks(goal, self._mission)))
            self._y -= self._item(f"<b>{where}</b>: {asks}", self._left, end)
        for note in told.goal_notes(self._mission, self._plan, self._catalogue):
            self._y -= self._text(self._say(note), self._left, end, size=_TEXT_PT - 1) + 1 * mm
        below, self._y = self._y, top
        x = middle + COLUMN_GAP_MM / 2 * mm
        self._heading(told.LOST, x)
        for loss in goal_words.losses(self._mission):
            self._y -= self._item(escape(self._say(loss)), x, self._right)
        self._y = min(self._y, below) - 2 * mm

    def _difficulties(self, played: Played) -> None:
        shares = shares_of(played, self._mission)
        canvas, width = self._canvas, self._right - self._left
        starts = [self._left + share * width for share in _COLUMNS]
        canvas.setFont(self._bold, _TABLE_PT)
        self._y -= _HEAD_PT
        for x, words in zip(starts, told.HEADS, strict=True):
            canvas.drawString(x, self._y, self._say(words))
        self._rule(1.8 * mm, 0.8)
        for name in DIFFICULTIES:
            cells = [DIFFICULTY_WORDS[name], *told.MEANING[name], told.share_words(shares.get(name))]
            self._y -= _TABLE_PT * 1.15
            for x, words in zip(starts, cells, strict=True):
                canvas.setFont(self._bold if x == starts[0] else self._font, _TABLE_PT)
                canvas.drawString(x, self._y, self._say(words))
            self._bar(shares.get(name), starts[-1], self._right)
            self._rule(2.9 * mm, 0.3)
        how = told.how_played(shares, played.seed, played.players, played.command)
        self._y -= self._text(self._say(how), self._left, self._right, size=_SMALL_PT)

    def _bar(self, share: Share | None, left: float, right: float) -> None:
        """How often it was won, as a length; beside it the words say it."""
        if share is None or not share.games:
            return
        low, high = self._y - 2.3 * mm, 1.0 * mm
        self._canvas.setFillGray(0.4)
        self._canvas.rect(left, low, (right - left) * share.won / share.games, high, stroke=0, fill=1)
        self._canvas.setFillGray(0)
        self._canvas.setLineWidth(0.3)
        self._canvas.rect(left, low, right - left, high)

    def _rule(self, below: float, width: float) -> None:
        self._y -= below
        self._canvas.setLineWidth(width)
        self._canvas.setStrokeGray(0)
        self._canvas.line(self._left, self._y, self._right, self._y)
        self._y -= 1.2 * mm

    def _heading(self, words: Text, x: float | None = None) -> None:
        self._y -= _HEAD_PT
        self._canvas.setFont(self._bold, _HEAD_PT)
        self._canvas.drawString(self._left if x is None else x, self._y, self._say(words))
        self._y -= 2 * mm

    def _item(self, markup: str, left: float, right: float) -> float:
        """A line of a list. Returns its height."""
        self._canvas.circle(left + 1 * mm, self._y - _TEXT_PT * 0.62, 0.6 * mm, stroke=0, fill=1)
        return float(self._text(markup, left + 4 * mm, right, markup=True) + mm)

    def _text(
        self, words: str, left: float, right: float, *, size: float = _TEXT_PT, markup: bool = False
    ) -> float:
        """Words from `y` downwards, broken into lines. Returns their height."""
        style = ParagraphStyle(
            "text",
            fontName=self._font,
            fontSize=size,
            leading=size * 1.35,
            alignment=TA_LEFT,
            wordWrap="CJK" if self._language == "ja" else None,
        )
        paragraph = Paragraph(words if markup else escape(words), style)
        height: float = paragraph.wrap(right - left, self._y)[1]
        paragraph.drawOn(self._canvas, left, self._y - height)
        return height
