"""Views of a shared table for pages and the API, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from flask_babel import gettext as _
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from scorer.play_kinds import groups_of
from scorer.tables import GroupTold, Offer, TableTold
from scorer.text import Language, Text, written
from vision.questions import Question
from webapp.store.models import Claim, Tableau
from webapp.store.tables import Standing, loss_hangs_on, standing_of
from webapp.views import view, views

Cell = tuple[int, int]


class SlotView(msgspec.Struct, frozen=True, kw_only=True):
    """A slot of a table: `kind` is starter, empty, card or face_down. `lies` is the card seen there (None:
    nothing), `rotation` its actual or required rotation."""

    cell: Cell
    kind: str
    card: str | None
    rotation: int
    artifact: bool
    lies: str | None = None
    hidden: bool = False


class EdgeView(msgspec.Struct, frozen=True, kw_only=True):
    """A side of a slot that serves as an entrance or exit for groups."""

    cell: Cell
    side: str


class GoalView(msgspec.Struct, frozen=True, kw_only=True):
    """A goal in words: its place and its requirement, and the group that `met` it."""

    id: str
    where: str
    asks: str
    met: str | None = None


class OfferView(msgspec.Struct, frozen=True, kw_only=True):
    """A mission that can be played."""

    id: str
    name: str
    words: str
    columns: int
    rows: int
    slots: tuple[SlotView, ...]
    starts: tuple[EdgeView, ...]
    exits: tuple[EdgeView, ...]
    groups: tuple[str, ...]
    coins: int | None
    goals: tuple[GoalView, ...]
    losses: tuple[str, ...]


class ShareView(msgspec.Struct, frozen=True, kw_only=True):
    """A group's progress towards one requirement of a goal; `what` is an id of the game's vocabulary."""

    what: str
    name: str
    icon: str
    have: int
    wanted: int


class NeedView(msgspec.Struct, frozen=True, kw_only=True):
    """A group's progress towards a goal: owned and missing things. `where` is the goal's place; `met`:
    nothing is missing."""

    goal: str
    where: str
    shares: tuple[ShareView, ...]
    lacks: tuple[str, ...]
    met: bool


class CountView(msgspec.Struct, frozen=True, kw_only=True):
    """Number of things of one kind that a group has."""

    what: str
    name: str
    icon: str
    count: int


class TableGroupView(msgspec.Struct, frozen=True, kw_only=True):
    """A group at the table: its position, possessions and needs, and the paths closed to it."""

    group: str
    name: str
    pen: str
    stands: str
    counts: tuple[CountView, ...]
    tokens: dict[str, int]
    bought: dict[str, int]
    books: tuple[str, ...]
    carries: tuple[str, ...]
    reached: tuple[str, ...]
    needs: tuple[NeedView, ...]
    closed: tuple[str, ...]


class WareView(msgspec.Struct, frozen=True, kw_only=True):
    """A thing that can be bought."""

    id: str
    name: str
    icon: str


class TableMarketView(msgspec.Struct, frozen=True, kw_only=True):
    """Coins granted (None: not counted) and spent."""

    granted: int | None
    spent: int
    tokens: tuple[WareView, ...]
    token_price: int
    books: tuple[WareView, ...]
    book_price: int
    most_books: int


class TablePathView(msgspec.Struct, frozen=True, kw_only=True):
    """A path; `number` is its index in drawing order, from 0."""

    number: int
    group: str
    name: str
    words: str
    ended: str
    sketch: bool
    choices: tuple[str, ...]
    goal: str | None


class LeftView(msgspec.Struct, frozen=True, kw_only=True):
    """Remaining number of things of one kind."""

    words: str
    count: int


class DeclaredView(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that only people can state, whether it is stated, and whether it loses the mission."""

    code: str
    words: str
    on: bool
    loses: bool


class ClaimView(msgspec.Struct, frozen=True, kw_only=True):
    """A player's claim about a table; `result` is the result of the claimed record, None for words alone."""

    id: str
    who: str
    words: str
    result: str | None
    accepted: bool


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A shared table. `result` is won, lost or open (also for a loss that depends on an unstated fact).
    `says` are the referee's remarks; `place` is the deciding place in the record. `warnings` concern the
    photos, including photos that could not be combined. `corrected`: a person replaced the read record;
    `notation` is the record as text."""

    id: str
    version: int
    title: str
    result: str
    legal: bool
    says: tuple[str, ...]
    place: str | None
    player: str | None
    hand: int | None
    laid: bool
    photos: int
    warnings: tuple[str, ...]
    sure: bool
    corrected: bool
    questions: int
    goals: tuple[GoalView, ...]
    groups: tuple[TableGroupView, ...]
    paths: tuple[TablePathView, ...]
    market: TableMarketView
    left: tuple[LeftView, ...]
    faults: tuple[str, ...]
    declared: tuple[DeclaredView, ...]
    offer: OfferView | None
    notation: str
    pens: dict[str, str]
    claims: tuple[ClaimView, ...]


class HintGoalView(msgspec.Struct, frozen=True, kw_only=True):
    """An unmet goal, with each group's progress towards it."""

    goal: str
    where: str
    ways: tuple[str, ...]


class HintView(msgspec.Struct, frozen=True, kw_only=True):
    """Hints for a table: the outlook, and each unmet goal."""

    outlook: str
    goals: tuple[HintGoalView, ...]


class WhatIfView(msgspec.Struct, frozen=True, kw_only=True):
    """A counterfactual assumption, and the table's result under it."""

    condition: str
    result: str


def what_ifs_of(standing: Standing, language: Language) -> tuple[WhatIfView, ...]:
    """Counterfactuals that change the result of a shared table."""
    rules, record = standing.rules, standing.record
    board = rules.rules.board(standing.catalogue, record)
    lies = standing.groups.lying(board, [card.rotation for card in record.cards])
    told = standing.groups.what_ifs(lies, record, standing.terms, standing.ruling)
    return tuple(
        WhatIfView(
            condition=condition.message(language), result=rules.words.why(verdict).words.message(language)
        )
        for condition, verdict in told
    )


def offers_of(rules: Rules, catalogue: Catalogue, language: Language) -> list[OfferView]:
    """Missions and modes that can be played with a deck."""
    return [_offer(offer, language) for offer in groups_of(rules).offers(catalogue)]


def table_view(
    session: Session, catalogue: Catalogue, tableau: Tableau, language: Language
) -> TableView | None:
    """View of a shared table's current state; None for another kind of tableau, or one without stated
    facts."""
    standing = standing_of(session, catalogue, tableau)
    return _table(standing, tableau, language) if standing is not None else None


def hints_of(session: Session, catalogue: Catalogue, tableau: Tableau, language: Language) -> HintView | None:
    """Hints for a shared table; None for any other tableau."""
    standing = standing_of(session, catalogue, tableau)
    if standing is None:
        return None
    groups = standing.groups
    (outlook, _), *goals = groups.hints(catalogue, standing.record, standing.terms)
    told = groups.told(catalogue, standing.record, standing.ruling)
    where = {
        goal.id: f"{goal.where.message(language)}: {goal.asks.message(language)}" for goal, _ in told.goals
    }
    return HintView(
        outlook=outlook.message(language),
        goals=tuple(
            HintGoalView(
                goal=goal.en,
                where=where.get(goal.en, goal.en),
                ways=tuple(way.message(language) for way in ways),
            )
            for goal, ways in goals
        ),
    )


def _offer(offer: Offer, language: Language) -> OfferView:
    return view(
        OfferView,
        offer,
        language,
        slots=views(SlotView, offer.slots),
        starts=tuple(EdgeView(cell=cell, side=side) for cell, side in offer.starts),
        exits=tuple(EdgeView(cell=cell, side=side) for cell, side in offer.exits),
        goals=views(GoalView, offer.goals, language),
    )


def before_the_loss(hangs_on: Question | None, language: Language) -> tuple[str, ...]:
    """Words that precede a loss which depends on an unstated fact."""
    if hangs_on is None:
        return ()
    return written(hangs_on.reason_en, hangs_on.reason_ja).message(language), _("If nothing was bought:")


def _said(words: Sequence[Text], language: Language) -> tuple[str, ...]:
    return tuple(each.message(language) for each in words)


def _table(standing: Standing, tableau: Tableau, language: Language) -> TableView:
    rules, catalogue, record = standing.rules, standing.catalogue, standing.record
    groups = standing.groups
    board = rules.rules.board(catalogue, record)
    # For people at the table: places are described by position, as the cards are oriented there.
    lies = groups.lying(board, [card.rotation for card in record.cards])
    told = groups.told(catalogue, record, rules.words.without_ids(lies, record, standing.ruling))
    offers = {offer.id: offer for offer in groups.offers(catalogue)}
    offer = offers.get(record.mission) if isinstance(record.mission, str) else None
    where = {goal.id: goal.where.message(language) for goal, _ in told.goals}
    names = {group.group: group.name.message(language) for group in told.groups}
    now, hangs_on = standing.assessment, loss_hangs_on(standing)
    says = _said(told.says, language)
    says = (*before_the_loss(hangs_on, language), *says)
    return view(
        TableView,
        told,
        language,
        id=tableau.id,
        version=tableau.version,
        result=told.result if hangs_on is None else "open",
        says=says,
        photos=sum(shot.deleted_at is None for shot in tableau.shots),
        warnings=_said(now.scan.photo.warnings, language) if now is not None else (),
        sure=standing.sure,
        corrected=standing.corrected,
        questions=0 if standing.asked is None else len(standing.asked.questions),
        goals=tuple(
            view(GoalView, goal, language, met=names.get(met or "", met)) for goal, met in told.goals
        ),
        groups=tuple(_group(rules, record, group, where, language) for group in told.groups),
        paths=tuple(
            view(TablePathView, path, language, name=names.get(path.group, path.group)) for path in told.paths
        ),
        market=_market(rules, told, language),
        left=tuple(LeftView(words=words.message(language), count=count) for words, count in told.left),
        faults=_said(
            (*told.faults, *(now.told if now is not None and not standing.corrected else ())), language
        ),
        declared=tuple(
            DeclaredView(code=code, words=words.message(language), on=on, loses=loses)
            for code, words, on, loses in told.declared
        ),
        offer=_lying(_offer(offer, language), standing) if offer is not None else None,
        notation=rules.notation.write(record) if rules.notation is not None else "",
        pens={pen: words.message(language) for pen, words in groups.pens().items()},
        claims=tuple(_claim(claim, standing, language) for claim in tableau.claims if not claim.deleted_at),
    )


def _claim(claim: Claim, standing: Standing, language: Language) -> ClaimView:
    rules, result = standing.rules, None
    if claim.record is not None:
        record = msgspec.convert(claim.record, rules.rules.record_type)
        try:
            ruling = rules.rules.referee(
                rules.rules.board(standing.catalogue, record), record, standing.terms
            )
            result = rules.words.why(ruling).words.message(language)
        except WaymarkError as error:  # cards that are no longer in the deck
            result = error.message(language)
    return ClaimView(
        id=claim.id, who=claim.who, words=claim.words, result=result, accepted=claim.accepted_at is not None
    )


def _lying(offer: OfferView, standing: Standing) -> OfferView:
    """Slots of the table's layout with the cards seen in them, and further slots beside the layout."""
    board = standing.rules.rules.board(standing.catalogue, standing.record)
    lying: dict[Cell, Any] = dict(zip(board.layout.cells, standing.record.cards, strict=True))
    slots = [
        msgspec.structs.replace(slot, lies=card.card, rotation=card.rotation, hidden=card.face_down)
        if (card := lying.pop(slot.cell, None)) is not None
        else slot
        for slot in offer.slots
    ]
    return msgspec.structs.replace(offer, slots=tuple(slots))


def _group(
    rules: Rules, record: Any, group: GroupTold, where: dict[str, str], language: Language
) -> TableGroupView:
    words = rules.words.vocabulary
    bought = {each.group: dict(each.fairy_tokens) for each in record.groups}
    return view(
        TableGroupView,
        group,
        language,
        pen=group.colour,
        counts=tuple(
            CountView(what=what, name=words.name(what).message(language), icon=words.icon(what), count=count)
            for what, count in group.counts
            if count
        ),
        tokens=dict(group.tokens),
        bought=bought.get(group.group, {}),
        reached=tuple(where.get(goal, goal) for goal in group.reached),
        needs=tuple(
            view(
                NeedView,
                need,
                language,
                where=where.get(need.goal, need.goal),
                shares=tuple(
                    view(
                        ShareView,
                        share,
                        name=words.name(share.what).message(language),
                        icon=words.icon(share.what),
                    )
                    for share in need.shares
                ),
            )
            for need in group.needs
        ),
    )


def _market(rules: Rules, told: TableTold, language: Language) -> TableMarketView:
    words, market = rules.words.vocabulary, told.market
    return view(
        TableMarketView,
        market,
        tokens=tuple(
            WareView(id=kind, name=words.name(kind).message(language), icon=words.icon(kind))
            for kind in market.tokens
        ),
        books=tuple(
            WareView(id=book, name=words_of.message(language), icon="spellbook")
            for book, words_of in market.books
        ),
    )
