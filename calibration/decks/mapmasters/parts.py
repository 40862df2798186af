"""Printed parts of Map Masters besides its cards: objectives, spellbooks, tokens, score sheet, rules."""

from __future__ import annotations

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.decks.icons import icon_of
from calibration.decks.paper_parts import (
    PAGE_MARGIN_MM,
    PaperCard,
    Part,
    Section,
    draw_paper_cards,
    draw_rules,
    draw_table,
    draw_tokens,
    fonts,
)
from calibration.decks.print_options import Paper
from calibration.decks.print_sheet import PAGE_SIZES
from scorer.catalogue import Catalogue
from scorer.games import game_named
from scorer.mapmasters.rules.means import TOOLS
from scorer.mapmasters.rules.objectives import VP_EACH
from scorer.mapmasters.rules.spellbooks import SPELLBOOKS
from scorer.text import LANGUAGES, Language, Text, unchanged

#: Fairy tokens of each kind in the box.
_TOKENS_EACH = 5
_COUNTS: dict[str, Text] = {
    "barrel": Text("collected on the path"),
    "sword": Text("collected on the path"),
    "scroll": Text("collected on the path"),
    "coin": Text("collected on the path, by value"),
    "key": Text("collected on the path"),
    "rope": Text("collected on the path"),
    "room": Text("visited and cleared, each once"),
    "stairs": Text("walked, each once"),
    "magic_circle": Text("discovered on the path"),
    "pit": Text("pitfalls discovered, lava pits crossed"),
    "padlock": Text("opened on the path"),
    "monster": Text("defeated on the path"),
}
_EACH = Text("{vp} VP each")
_PHASES: dict[str, Text] = {
    "market": Text("in the market"),
    "hand": Text("while drawing cards"),
    "path": Text("on the path"),
    "refresh": Text("after the round"),
}
_TITLE = Text("Map Masters in short")
RULES = (
    Section(
        Text("Aim", context="rules"),
        (Text("Six rounds. In each, lay up to five cards, draw one path, and score two objectives."),),
    ),
    Section(
        Text("Market", context="rules"),
        (
            Text("Everyone starts with 6 coins. The player with the fewest coins buys first."),
            Text("A dungeon card costs its number, a fairy token 1 coin, a spellbook 2 coins."),
        ),
    ),
    Section(
        Text("Laying the cards"),
        (
            Text("Upright or upside down, touching, not overlapping; corridors on touching edges line up."),
            Text("Cards may be shifted against each other, for instance by half a card."),
        ),
    ),
    Section(
        Text("The path"),
        (
            Text("Begin at an opening on the outer edge and draw without lifting the pen."),
            Text("Walk a corridor once and a door once; never cross your own line on one level."),
            Text("Leave through another outer opening to escape. Wherever it ends, it keeps what it found."),
        ),
    ),
    Section(
        Text("What you meet"),
        (
            Text("Items are collected on arrival. Circle what you discover, strike out what you use."),
            Text("A monster needs a sword, a padlock a key, a lava pit a rope; without it the path ends."),
            Text("At a pitfall a rope keeps you up; without one you fall to the passage below."),
            Text("A room with monsters counts once all of them are defeated."),
            Text("With a scroll you go from one magic circle to another that is unused."),
            Text("Stairs join the two levels."),
        ),
    ),
    Section(
        Text("Score of a round"),
        (
            Text("Take the coins on your path. Score the primary objective, then the secondary one."),
            Text("With an hourglass the first to finish gets the time bonus. Tick the box if you escaped."),
        ),
    ),
    Section(
        Text("End of the game"),
        (
            Text("Primary column, half the secondary column, time bonuses, a third of the coins left."),
            Text("Most escapes: 2 VP; second most: 1 VP. Halves and thirds are rounded down."),
            Text("The highest total wins; if tied, the higher secondary column."),
        ),
    ),
)


def parts(catalogue: Catalogue) -> dict[str, Part]:
    """The parts that can be printed, by name."""
    return {
        "objectives": lambda *how: _cards(catalogue, objective_cards(catalogue), *how),
        "spellbooks": lambda *how: _cards(catalogue, spellbook_cards(), *how),
        "tokens": lambda canvas, paper, language, _backs: _tokens(canvas, catalogue, paper, language),
        "score": lambda canvas, paper, language, _backs: _score_sheet(canvas, paper, language),
        "rules": lambda canvas, paper, _language, _backs: _rules(canvas, paper),
    }


def objective_cards(catalogue: Catalogue) -> list[PaperCard]:
    """One card for each objective."""
    names = game_named("mapmasters").words.vocabulary
    return [
        PaperCard("objective", names.name(what), _COUNTS[what], _EACH.filled(vp=vp), icon_of(catalogue, what))
        for what, vp in VP_EACH.items()
    ]


def spellbook_cards() -> list[PaperCard]:
    """One card for each spellbook."""
    return [
        PaperCard("spellbook", unchanged(book.id), book.words, _PHASES[book.phase])
        for book in SPELLBOOKS.values()
    ]


def _cards(
    catalogue: Catalogue,
    cards: list[PaperCard],
    canvas: Canvas,
    paper: Paper,
    language: Language,
    backs: bool,
) -> int:
    return draw_paper_cards(canvas, cards, catalogue.card_size_mm, paper, language, backs=backs)


def _tokens(canvas: Canvas, catalogue: Catalogue, paper: Paper, language: Language) -> int:
    names = game_named("mapmasters").words.vocabulary
    tokens = [(names.name(tool), icon_of(catalogue, tool)) for tool in TOOLS for _ in range(_TOKENS_EACH)]
    return draw_tokens(canvas, tokens, paper, language)


def _score_sheet(canvas: Canvas, paper: Paper, language: Language) -> int:
    """Draw a page with a table for each of five players."""
    sheet = game_named("mapmasters").sheet
    plain, bold = fonts(language)
    width, height = PAGE_SIZES[paper]
    margin = PAGE_MARGIN_MM * mm
    canvas.setFillGray(0)
    canvas.setFont(bold, 18)
    canvas.drawString(margin, height - margin - 10, Text("Score sheet").message(language))
    heads = ["", *(column.label.message(language) for column in sheet.columns)]
    ends = ["", *(column.label.message(language) for column in sheet.final_columns)]
    rounds = [[str(number), *[""] * len(sheet.columns)] for number in range(1, sheet.rounds + 1)]
    total = Text("Total", context="score sheet").message(language)
    room = (height - 2 * margin - 10 * mm) / sheet.most_players
    for number in range(sheet.most_players):
        top = height - margin - 10 * mm - number * room
        canvas.setFont(plain, 10)
        canvas.drawString(margin, top - 10, Text("Player:").message(language) + " " + "_" * 28)
        low = top - room + 3 * mm
        box = margin, low, width - 2 * margin, room - 8 * mm
        draw_table(canvas, box, [heads, *rounds, ends, [total, *[""] * len(sheet.columns)]], plain, bold)
    canvas.showPage()
    return 1


def _rules(canvas: Canvas, paper: Paper) -> int:
    """Draw the rules in every language, a page each."""
    for language in LANGUAGES:
        draw_rules(canvas, _TITLE, RULES, paper, language)
    return len(LANGUAGES)
