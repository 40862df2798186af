"""The printed sheet of a mission: its texts, its statistics and the drawing of its table."""

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

from calibration.decks.print_options import Paper
from calibration.missions.pieces import TablePicture
from calibration.missions.shares import Played, Share, read_played, shares_of
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.mapmasters.cooperative.rules.mission import Goal, Mission, Plan, plan_of, slots_of
from scorer.mapmasters.cooperative.rules.settings import DIFFICULTIES, Difficulty
from scorer.mapmasters.cooperative.rules.terms import DIFFICULTY_WORDS
from scorer.mapmasters.cooperative.sheet import CoopSheet
from scorer.mapmasters.cooperative.words import goal_words
from scorer.mapmasters.cooperative.words.messages import artifact_words
from scorer.output_file import write_output
from scorer.text import AND, NO_WORDS, Language, Text, listed, lower, unchanged

SET_UP = Text("Set-up")
TASK = Text("Task")
GOALS = Text("Goals: all of these")
LOST = Text("Lost when")
DIFFICULTY = Text("Difficulty")
#: The columns of the table of difficulties, and what stands in them.
HEADS = (
    DIFFICULTY,
    Text("Used items"),
    Text("Number asked for"),
    Text("Optimizers"),
    Text("Won by the program"),
)
_COUNT, _GONE = Text("count"), Text("are lost")
_LEAST, _EXACT = Text("at least"), Text("exactly")
_TOKEN, _NOTHING = Text("a fairy token each"), Text("nothing", context="effect")
MEANING: dict[Difficulty, tuple[Text, Text, Text]] = {
    "rookie": (_COUNT, _LEAST, _TOKEN),
    "easy": (_COUNT, _LEAST, _NOTHING),
    "normal": (_GONE, _LEAST, _NOTHING),
    "hard": (_GONE, _EXACT, _NOTHING),
}
ONLY_THESE = Text("Other goals printed on the cards are not needed.")
INSTEAD = Text("On {cards} these goals take the place of those printed.")
START = Text("a group may start here")
EXIT = Text("groups leave here")
EMPTY = Text("empty slot, a card is laid here")
STARTER = Text("starter, either way up at random")
FACE_DOWN = Text("face down")


def needed_goals(plan: Plan) -> list[Goal]:
    return [plan.goals[name] for name in plan.needed]


def goal_notes(mission: Mission, plan: Plan, catalogue: Catalogue) -> list[Text]:
    """Notes on goals that differ from the goals printed on the cards."""
    replaced = [name for name in dict.fromkeys(goal.card for goal in mission.goals) if name is not None]
    printed = [name for name in replaced if catalogue.card(name).goals]
    notes = []
    if printed:
        notes.append(INSTEAD.filled(cards=listed(printed, AND)))
    if any(name not in plan.needed for name, goal in plan.goals.items() if goal.card is not None):
        notes.append(ONLY_THESE)
    return notes


def setup_lines(mission: Mission, plan: Plan) -> list[tuple[Text, Text]]:
    """The set-up before the game, as pairs of a heading and its content."""
    slots = plan.slots.values()
    named = [slot for slot in slots if slot.card is not None]
    cards: list[Text] = []
    for slot in named:
        how = [unchanged("180°")] if slot.rotation else []
        how += [FACE_DOWN] if slot.kind == "face_down" else []
        note = listed(how)
        card = slot.card or ""
        cards.append(Text("{card} ({note})", card=card, note=note) if how else unchanged(card))
    starters = sum(slot.kind == "starter" for slot in slots)
    lines = [(Text("Starters"), Text("{count}", context="cards", count=starters))]
    if cards:
        lines.append((Text("Cards", context="named"), listed(cards)))
    lying = [
        Text("{words} on {card}", words=words, card=card)
        for name, card in mission.artifacts.items()
        for words in (artifact_words(mission, name),)
    ]
    if lying:
        lines.append((Text("Artifacts"), listed(lying)))
    groups = [CoopSheet.colours.get(name, unchanged(name)) for name in mission.groups or ()]
    if groups:
        lines.append((Text("Groups"), listed(map(lower, groups))))
    if mission.market_coins is not None:
        coins = mission.market_coins
        lines.append((Text("To spend"), Text("{coins} coins", coins=coins)))
    lines.append((Text("Deck"), _deck_words(mission)))
    lines.append((Text("Hands"), Text("3 cards each, 4 if alone")))
    return lines


def _deck_words(mission: Mission) -> Text:
    parts = []
    for kind, count in mission.deck.items():
        if kind == "starter":
            parts.append(Text("{count} starters", count=count))
        else:
            parts.append(Text("{count} of cost {kind}", count=count, kind=kind))
    return listed(parts) if parts else NO_WORDS


def share_words(share: Share | None) -> Text:
    """A win rate in words."""
    if share is None or not share.games:
        return Text("not played yet")
    if not share.won:
        return Text("never in {games} games", games=share.games)
    part = f"{share.won / share.games:.0%}"
    return Text("{won} of {games} games ({part})", won=share.won, games=share.games, part=part)


def summary(mission: Mission, plan: Plan) -> Text:
    """The line under the title: groups, size of the table, and empty slots."""
    columns = max((len(row) for row in mission.layout), default=0)
    rows, groups = len(mission.layout), len(mission.groups or ())
    empty = sum(slot.kind == "empty" for slot in plan.slots.values())
    return Text(
        "{groups} groups · {columns} × {rows} slots · {empty} of them to be filled",
        groups=groups,
        columns=columns,
        rows=rows,
        empty=empty,
    )


def how_played(shares: dict[str, Share], seed: int, players: int, command: str) -> Text:
    """The sentence that tells how the win rates were measured: command, seeds and number of games."""
    games = {share.games for share in shares.values()}
    if not games:
        return NO_WORDS
    last = seed + max(games) - 1
    return Text(
        "Won by the program: it plays {players} hands that know of each other, seeds {seed} to {last}: "
        "{command}. It uses no spellbook and no token of an optimizer; people may well win more often.",
        players=players,
        seed=seed,
        last=last,
        command=command,
    )


def heading(mission: Mission, language: Language) -> str:
    """The title of a mission: number, id and name."""
    place = f"{mission.number} · " if mission.number else ""
    return f"{place}{mission.id}  {name_of(mission, language)}"


def name_of(mission: Mission, language: Language) -> str:
    return mission.name.get(language, mission.id)


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
    catalogue: Catalogue, missions: Sequence[Mission], file: Path, language: Language, *, paper: Paper = "a4"
) -> int:
    """Write a page for each mission. Returns the number of pages.

    Raises `WaymarkError` (no-cards) when there is no mission, when a mission names a missing card, and when
    the file cannot be written.
    """
    if not missions:
        raise WaymarkError(Code.NO_CARDS, Text("There are no missions to print in this catalogue."))
    if language == "ja":
        pdfmetrics.registerFont(UnicodeCIDFont(JAPANESE_FONT))
    played = read_played(catalogue.folder) if catalogue.folder is not None else Played()
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=_PAGES[paper], pageCompression=1, invariant=True)
    canvas.setTitle(Text("Missions").message(language))
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
    """One page. `y` is the current position in points from the paper's lower edge."""

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
        self._heading(TASK)
        self._y -= self._text(self._mission.rules.get(self._language, ""), self._left, self._right) + 3 * mm
        self._goals_and_losses()
        self._difficulties(played)

    def _say(self, words: Text) -> str:
        return words.message(self._language)

    def _title(self) -> None:
        canvas, mission = self._canvas, self._mission
        self._y -= _TITLE_PT * 0.8
        canvas.setFont(self._bold, _TITLE_PT)
        canvas.drawString(self._left, self._y, heading(mission, self._language))
        self._y -= 5.5 * mm
        canvas.setFont(self._font, _TEXT_PT)
        canvas.drawString(self._left, self._y, self._say(summary(mission, self._plan)))
        self._y -= 2.5 * mm
        canvas.setLineWidth(1)
        canvas.line(self._left, self._y, self._right, self._y)
        self._y -= 3 * mm

    def _table(self) -> None:
        """Draw the picture of the table, and beside it the set-up and the legend."""
        picture = TablePicture(self._canvas, self._catalogue, self._plan)
        slot = picture.slot_width((PICTURE_MM * mm, PICTURE_HIGH_MM * mm))
        _, height = picture.size(slot)
        top = self._y
        picture.draw(self._left, top, slot)
        x = self._left + (PICTURE_MM + COLUMN_GAP_MM) * mm
        self._heading(SET_UP, x)
        for what, of in setup_lines(self._mission, self._plan):
            words = f"<b>{escape(self._say(what))}</b>: {escape(self._say(of))}"
            self._y -= self._text(words, x, self._right, markup=True) + 1.2 * mm
        self._y -= 2 * mm
        self._signs(picture, x)
        self._y = min(self._y, top - height) - 3 * mm

    def _signs(self, picture: TablePicture, x: float) -> None:
        kinds = {slot.kind for slot in self._plan.slots.values()}
        leaving = any(goal.card is None for goal in needed_goals(self._plan))
        for name, words in (("starter", STARTER), ("empty", EMPTY), ("start", START), ("exit", EXIT)):
            if name in kinds or name == "start" or (name == "exit" and leaving):
                picture.sign(name, x, self._y - 3.4 * mm, 3.4 * mm)
                self._y -= self._text(self._say(words), x + 7 * mm, self._right) + 1.2 * mm

    def _goals_and_losses(self) -> None:
        top, middle = self._y, (self._left + self._right) / 2
        self._heading(GOALS)
        end = middle - COLUMN_GAP_MM / 2 * mm
        for goal in needed_goals(self._plan):
            where = escape(self._say(goal_words.goal_where(goal, self._catalogue)))
            asks = escape(self._say(goal_words.goal_asks(goal, self._mission)))
            self._y -= self._item(f"<b>{where}</b>: {asks}", self._left, end)
        for note in goal_notes(self._mission, self._plan, self._catalogue):
            self._y -= self._text(self._say(note), self._left, end, size=_TEXT_PT - 1) + 1 * mm
        below, self._y = self._y, top
        x = middle + COLUMN_GAP_MM / 2 * mm
        self._heading(LOST, x)
        for loss in goal_words.losses(self._mission):
            self._y -= self._item(escape(self._say(loss)), x, self._right)
        self._y = min(self._y, below) - 2 * mm

    def _difficulties(self, played: Played) -> None:
        shares = shares_of(played, self._mission)
        canvas, width = self._canvas, self._right - self._left
        starts = [self._left + share * width for share in _COLUMNS]
        canvas.setFont(self._bold, _TABLE_PT)
        self._y -= _HEAD_PT
        for x, words in zip(starts, HEADS, strict=True):
            canvas.drawString(x, self._y, self._say(words))
        self._rule(1.8 * mm, 0.8)
        for name in DIFFICULTIES:
            cells = [DIFFICULTY_WORDS[name], *MEANING[name], share_words(shares.get(name))]
            self._y -= _TABLE_PT * 1.15
            for x, words in zip(starts, cells, strict=True):
                canvas.setFont(self._bold if x == starts[0] else self._font, _TABLE_PT)
                canvas.drawString(x, self._y, self._say(words))
            self._bar(shares.get(name), starts[-1], self._right)
            self._rule(2.9 * mm, 0.3)
        how = how_played(shares, played.seed, played.players, played.command)
        self._y -= self._text(self._say(how), self._left, self._right, size=_SMALL_PT)

    def _bar(self, share: Share | None, left: float, right: float) -> None:
        """Draw a win rate as a bar, beside its words."""
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
        """Draw a list item and return its height."""
        self._canvas.circle(left + 1 * mm, self._y - _TEXT_PT * 0.62, 0.6 * mm, stroke=0, fill=1)
        return float(self._text(markup, left + 4 * mm, right, markup=True) + mm)

    def _text(
        self, words: str, left: float, right: float, *, size: float = _TEXT_PT, markup: bool = False
    ) -> float:
        """Draw wrapped text from `y` downwards and return its height."""
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
