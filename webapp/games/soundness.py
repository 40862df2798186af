"""Whether the rows of a game, or of a tableau, make one that can be played on, shown and scored: the one
validation of rows that came from elsewhere. The app's own writes keep to the same rules as they write.

A row that does not is named, with what is wrong in a few words; nothing is changed here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from scorer.record import FORMAT, Record, within_limits
from scorer.text import Text
from vision.rescan import PinnedCard
from vision.scan import Scan
from vision.shortcomings import Shortcoming
from waymark.review.pipeline import decode_reading
from waymark.review.projection import Projection
from webapp.disputes.claims import said_basis
from webapp.games.final_view import final_view
from webapp.games.market import OTHER
from webapp.games.view import game_view
from webapp.store.boxes import check_boxes, group_of, rules_of, told_of_entry
from webapp.store.models import Base, Claim, Entry, Game, GameRound, Purchase, Shot, Tableau
from webapp.store.tableaus import assessment_of, pending_assessment, pending_shot

#: Rows that one row can have below it: far more than any evening writes, and no more than a page shows.
MOST_BELOW = 10_000
#: Coins of one purchase, and uses of one thing: whoever wrote more wrote something else.
MOST_COINS = 9_999
#: How far outside its photo (in photos) a card's corner is thought to be.
_FAR_OUTSIDE = 4.0
#: A card that was seen is at least this large (px²).
_LEAST_CARD_PX2 = 16.0
#: The same as `Revision.kind` lists.
KINDS = frozenset(
    {
        "read",
        "answer",
        "card",
        "path",
        "mark",
        "means",
        "payment",
        "terms",
        "reread",
        "restore",
        "photo",
    }
)

#: What rows are called to people.
_NOUNS = {
    "person": Text("player", "プレイヤー"),
    "game": Text("game", "ゲーム"),
    "seat": Text("seat", "席"),
    "game_round": Text("round", "ラウンド"),
    "entry": Text("player's round", "プレイヤーのラウンド"),
    "purchase": Text("purchase", "購入"),
    "photo": Text("photo", "写真"),
    "tableau": Text("tableau", "タブロー"),
    "shot": Text("photo of a tableau", "タブローの写真"),
    "revision": Text("correction", "修正"),
    "claim": Text("claim", "主張"),
    "change": Text("line of the journal", "変更履歴"),
}


class UnsoundRow(Exception):
    """A row that cannot be: of which table, its id, and what is wrong with it."""

    def __init__(self, noun: str, row_id: str, what: Text) -> None:
        super().__init__(noun, row_id, what.en)
        self.noun, self.row_id, self.what = noun, row_id, what

    @property
    def name(self) -> Text:
        """The row as people are told of it."""
        noun = _NOUNS.get(self.noun, Text(self.noun, self.noun))
        return Text(f"{noun.en} {self.row_id[:64]}", f"{noun.ja} {self.row_id[:64]}")


def _unsound(row: Base, en: str, ja: str) -> UnsoundRow:
    return UnsoundRow(row.__tablename__, row.id, Text(en, ja))


#: Whatever values of the wrong kind make functions raise that expect those of the app's own writes.
_FAULTS = (
    WaymarkError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


@contextmanager
def _of(row: Base, what: Text) -> Iterator[None]:
    """Any fault within is one of this row."""
    try:
        yield
    except UnsoundRow:
        raise
    except WaymarkError as error:
        raise UnsoundRow(row.__tablename__, row.id, Text(error.en, error.ja)) from error
    except _FAULTS as error:
        raise UnsoundRow(row.__tablename__, row.id, what) from error


_NO_TERMS = Text("what is told is nothing that this game has", "このゲームにない条件があります")
_NO_BOXES = Text("a box holds what no box can hold", "得点欄に書けない値があります")


# --- a game -------------------------------------------------------------------------------------------------


def check_game(game: Game, catalogue: Catalogue) -> None:
    """A game with everything in it. Raises `UnsoundRow`."""
    with _of(game, Text("the game is none that is known", "知らないゲームです")):
        rules = rules_of(game)
    with _of(game, _NO_TERMS):
        _check_terms(game, rules, game.settings, "house")
    _check_seats(game, rules)
    _check_rounds(game, rules)
    for round_ in game.rounds:
        for entry in round_.entries:
            _check_entry(entry, rules)
    with _of(game, Text("the score of this game cannot be told", "このゲームの得点を計算できません")):
        final_view(game_view(game, catalogue, "en"), "en")


def _check_terms(row: Base, rules: Rules, values: Mapping[str, Any], group: str) -> None:
    """Terms of one group, told as the app writes them: flat, and as the game takes them."""
    allowed = group_of(rules, group)
    terms = {term.id: term for term in rules.terms}
    for name, value in values.items():
        if name not in allowed:
            raise _unsound(row, *_texts(_NO_TERMS))
        term = terms[name]
        sound = {
            "counts": isinstance(value, dict) and all(type(each) is int for each in value.values()),
            "set": isinstance(value, list) and all(isinstance(each, str) for each in value),
            "flag": type(value) is bool,
            "number": type(value) is int or (value is None and term.optional),
            "choice": isinstance(value, str) or (value is None and term.optional),
        }[term.kind]
        if not sound:
            raise _unsound(row, *_texts(_NO_TERMS))
        many = max(value.values(), default=0) if term.kind == "counts" else 0
        if many > term.most or (term.kind == "set" and len(value) > (term.at_once or term.most)):
            raise _unsound(
                row, f"there are more {term.label.en.lower()} than can be", f"{term.label.ja}が多すぎます"
            )
    rules.make_terms(values)


def _texts(text: Text) -> tuple[str, str]:
    return text.en, text.ja


def _check_seats(game: Game, rules: Rules) -> None:
    seats = game.seats
    least, most = rules.sheet.least_players, rules.sheet.most_players
    if not least <= len(seats) <= most:
        raise _unsound(
            game,
            f"it has {len(seats)} players, not {least} to {most}",
            f"プレイヤーが {least}～{most} 人でなく {len(seats)} 人です",
        )
    names, colours = set[str](), set[str]()
    for position, seat in enumerate(seats):
        _check_lasting(seat)
        if seat.position != position:
            raise _unsound(seat, "it is not next in the order of seats", "席の順番が続いていません")
        if not seat.name.strip() or seat.name in names:
            raise _unsound(seat, "its name is empty or another seat's", "名前が空か、ほかの席と同じです")
        if seat.colour not in rules.sheet.colours or seat.colour in colours:
            raise _unsound(seat, "its colour is none, or another seat's", "色がないか、ほかの席と同じです")
        names.add(seat.name)
        colours.add(seat.colour)


def _check_lasting(row: Base) -> None:
    """Rows that go with their game never go alone."""
    if row.deleted_at is not None:
        raise _unsound(row, "it is deleted, and such a row never is", "削除できない行が削除されています")


def _check_rounds(game: Game, rules: Rules) -> None:
    numbers = [round_.number for round_ in game.rounds]
    for number, round_ in enumerate(game.rounds, 1):
        if round_.number != number or number > rules.sheet.rounds:
            raise _unsound(
                round_,
                f"a game has rounds 1 to {rules.sheet.rounds}, each once",
                f"ラウンドは 1 から {rules.sheet.rounds} まで一つずつです",
            )
    if len(numbers) != rules.sheet.rounds:
        raise _unsound(
            game,
            f"it has {len(numbers)} rounds, not {rules.sheet.rounds}",
            f"ラウンドが {rules.sheet.rounds} でなく {len(numbers)} あります",
        )
    for round_ in game.rounds:
        _check_round(game, round_, rules)


def _check_round(game: Game, round_: GameRound, rules: Rules) -> None:
    _check_lasting(round_)
    with _of(round_, _NO_TERMS):
        _check_terms(round_, rules, round_.terms, "objective")
    if not all(
        key.isascii() and key.isdigit() and len(key) <= 2 and type(done) is bool
        for key, done in round_.checklist.items()
    ):
        raise _unsound(round_, "a ticked step is none", "チェックした手順が正しくありません")
    seats = {seat.id for seat in game.seats}
    for entry in round_.entries:
        _check_lasting(entry)
        if entry.seat_id not in seats:
            raise _unsound(entry, "it is of a seat of another game", "別のゲームの席のものです")
    if len(round_.entries) != len(seats):
        raise _unsound(round_, "it is not there once for every player", "全員分が一つずつ揃っていません")
    first = [entry for entry in round_.entries if entry.time_bonus]
    if len(first) > 1:
        raise _unsound(first[1], "two were first to finish", "最初に完了した人が二人います")
    if first and (round_.nobody_first or not round_.hourglass):
        raise _unsound(
            first[0],
            "somebody has a bonus that the round does not have",
            "ないはずのタイムボーナスがあります",
        )


def _check_entry(entry: Entry, rules: Rules) -> None:
    with _of(entry, _NO_TERMS):
        _check_terms(entry, rules, entry.terms, "held")
        rules.make_terms(told_of_entry(entry))
    with _of(entry, _NO_BOXES):
        check_boxes(entry)
    if not all(
        len(kind) <= 64 and type(count) is int and 0 <= count <= MOST_COINS
        for kind, count in entry.optimizers_used.items()
    ):
        raise _unsound(entry, *_texts(_NO_BOXES))
    if len(entry.purchases) > MOST_BELOW:
        raise _unsound(entry, "it has too many purchases", "購入が多すぎます")
    for purchase in entry.purchases:
        _check_purchase(purchase, rules)
    tableau = entry.tableau
    if tableau is not None and tableau.game != entry.round.game.game:
        raise _unsound(tableau, "it is of another game than its round", "ラウンドとは別のゲームのものです")


def _check_purchase(purchase: Purchase, rules: Rules) -> None:
    wares = rules.market.wares if rules.market is not None else ()
    ware = next((each for each in wares if each.id == purchase.kind), None)
    if ware is None and purchase.kind != OTHER:
        raise _unsound(purchase, "nothing of the kind is sold", "その種類のものは売られていません")
    if ware is not None and ware.fills is not None and purchase.what not in ware.choices:
        raise _unsound(purchase, "nothing of the name is sold", "その名前のものは売られていません")
    if not 0 <= purchase.coins <= MOST_COINS:
        raise _unsound(purchase, "nothing costs so many coins", "コインの数がありえません")


# --- a tableau ----------------------------------------------------------------------------------------------


def check_tableau(session: Session, tableau: Tableau, catalogue: Catalogue) -> None:
    """A tableau with its photos, corrections and claims. Raises `UnsoundRow`."""
    with _of(tableau, Text("the game is none that is known", "知らないゲームです")):
        rules = rules_of(tableau)
    with _of(tableau, _NO_TERMS):
        rules.make_terms(tableau.terms)
    shots = _check_shots(session, tableau)
    _check_revisions(tableau, rules, shots)
    if tableau.record is not None:
        with _of(tableau, _NO_RECORD):
            check_record(tableau.record)
    if tableau.ruling is not None:
        with _of(tableau, Text("its ruling is none", "判定の形が正しくありません")):
            msgspec.convert(tableau.ruling, rules.verdict_type)
    if (tableau.ruling is None) != (tableau.record is None) and tableau.ruling is not None:
        raise _unsound(tableau, "a ruling stands on no record", "記録がないのに判定があります")
    for name in (tableau.shot_id, tableau.late_shot_id):
        if name is not None and name not in shots:
            raise _unsound(tableau, "it stands on a photo that is not its own", "ほかの写真を使っています")
    used = shots.get(tableau.shot_id or "")
    if used is not None and tableau.record is not None and used.reading is None:
        raise _unsound(
            tableau, "it stands on a photo that was not read", "読み取っていない写真を使っています"
        )
    if len(tableau.claims) > MOST_BELOW:
        raise _unsound(tableau, "it has too many claims", "主張が多すぎます")
    for claim in tableau.claims:
        _check_claim(claim)
    _check_shown(session, tableau, catalogue)


_NO_RECORD = Text("its record is none", "記録の形が正しくありません")


def check_record(plain: Any) -> Record:
    """A record as rows keep it. Raises `ValueError`, `TypeError` or `WaymarkError`."""
    record = msgspec.convert(plain, Record)
    if record.format != FORMAT or not all(
        math.isfinite(each) and abs(each) < 1e6 for card in record.cards for each in (card.x, card.y)
    ):
        raise ValueError("no record")
    return within_limits(record)


def _check_shots(session: Session, tableau: Tableau) -> dict[str, Shot]:
    shots = {shot.id: shot for shot in session.scalars(select(Shot).where(Shot.tableau_id == tableau.id))}
    if len(shots) > MOST_BELOW:
        raise _unsound(tableau, "it has too many photos", "写真が多すぎます")
    for shot in shots.values():
        first = shots.get(shot.reread_of) if shot.reread_of is not None else None
        if shot.reread_of is not None and (first is None or first.reread_of is not None):
            raise _unsound(shot, "it reads a photo again that is not here", "読み直す元の写真がありません")
        if first is not None and first.photo_id != shot.photo_id:
            raise _unsound(shot, "it reads another photo again", "別の写真の読み直しになっています")
        if (shot.reread_of is None) != (shot.given is None):
            raise _unsound(shot, "what it is read on is not told", "読み直しの条件がありません")
        if shot.state == "done" and shot.reading is None:
            raise _unsound(shot, "it was read, and there is no reading", "読み取り結果がありません")
        with _of(shot, Text("why it failed is not told", "失敗の理由の形が正しくありません")):
            _check_error(shot)
        with _of(shot, Text("the cards that it is read on are none", "読み直すカードが正しくありません")):
            if shot.given is not None:
                msgspec.convert(shot.given, tuple[PinnedCard, ...])
        with _of(shot, Text("its reading is none", "読み取り結果の形が正しくありません")):
            if shot.reading is not None:
                check_reading(decode_reading(shot.reading))
    return shots


class _Error(msgspec.Struct):
    code: str
    en: str
    ja: str
    shortcomings: tuple[Shortcoming, ...] = ()


def _check_error(shot: Shot) -> None:
    if shot.error is not None:
        msgspec.convert(shot.error, _Error)


def check_reading(scan: Scan, depth: int = 0) -> None:
    """A reading whose cards are where a photo can have them. Raises `ValueError` or `WaymarkError`."""
    check_record(msgspec.to_builtins(scan.tableau))
    width, height = scan.photo.width, scan.photo.height
    if not (0 < width <= 100_000 and 0 < height <= 100_000) or depth > 2:
        raise ValueError("no photo")
    if len(scan.cards) != len(scan.tableau.cards):
        raise ValueError("cards that were seen are not those of the record")
    for seen in (*scan.cards, *scan.photo.apart):
        ring = seen.corners
        far = _FAR_OUTSIDE * max(width, height)
        if len(ring) != 4 or not all(len(at) == 2 and max(map(abs, at)) <= far for at in ring):
            raise ValueError("a card without corners")
        if _is_bent(ring) or seen.rotation not in (0, 90, 180, 270):
            raise ValueError("corners that make no card")
    points = (point for line in scan.path_px for point in line)
    if not all(math.isfinite(value) for point in points for value in point):
        raise ValueError("no line")
    for question in scan.questions:
        if len(question.alternatives) not in (0, len(question.options) - 1):
            raise ValueError("a question without its answers")
    for other in scan.instead:
        check_reading(other, depth + 1)


def _is_bent(ring: tuple[tuple[float, float], ...]) -> bool:
    """Whether four corners make no convex outline of some size."""
    turns = []
    for k in range(4):
        (ax, ay), (bx, by), (cx, cy) = ring[k], ring[(k + 1) % 4], ring[(k + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(map(abs, turns)) < _LEAST_CARD_PX2 or not (min(turns) > 0 or max(turns) < 0)


def _check_revisions(tableau: Tableau, rules: Rules, shots: Mapping[str, Shot]) -> None:
    if len(tableau.revisions) > MOST_BELOW:
        raise _unsound(tableau, "it has too many corrections", "修正が多すぎます")
    numbers = set[int]()
    for revision in tableau.revisions:
        _check_lasting(revision)
        if revision.number < 0 or revision.kind not in KINDS:
            raise _unsound(revision, "it is no correction", "修正の種類が正しくありません")
        for earlier in (revision.before, revision.repeats):
            if earlier is not None and earlier not in numbers:
                raise _unsound(
                    revision, "it goes back to one that is not before it", "前の修正につながっていません"
                )
        numbers.add(revision.number)
        if revision.shot_id is not None and revision.shot_id not in shots:
            raise _unsound(revision, "it is of a photo that is not here", "ほかの写真の修正です")
        with _of(revision, _NO_RECORD):
            check_record(revision.record)
        with _of(revision, _NO_TERMS):
            rules.make_terms(revision.settings or {})


def _check_claim(claim: Claim) -> None:
    with _of(claim, Text("what it says is nothing that can be said", "主張の形が正しくありません")):
        if claim.record is not None:
            check_record(claim.record)
        said_basis(claim)


def _check_shown(session: Session, tableau: Tableau, catalogue: Catalogue) -> None:
    """What a page needs of it can be worked out. Of cards that are not in use here it cannot, and the page
    says so."""
    try:
        stands = assessment_of(session, catalogue, tableau)
        if stands is not None:
            Projection(stands.scan.cards, stands.dungeon)
        late = pending_shot(session, tableau) if stands is not None else None
        if late is not None:
            pending_assessment(session, catalogue, late)
    except WaymarkError as error:
        known = {card.id for card in catalogue.cards}
        laid = {card["card"] for card in (tableau.record or {}).get("cards", ())}
        if laid <= known:
            raise _unsound(tableau, error.en, error.ja) from error
    except _FAULTS as error:
        raise _unsound(
            tableau, "its reading and its record do not go together", "読み取り結果と記録が合いません"
        ) from error
