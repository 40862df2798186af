"""The market: what a player buys for a round, and takes back.

All functions work inside the caller's transaction and leave `game.version` higher when they change
anything. What things cost is `scorer.mapmasters`' to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.mapmasters.means import TOOLS, checked_spellbooks, checked_tokens
from scorer.mapmasters.spellbooks import dungeon_card_price, tokens_not_bought
from scorer.mapmasters.terms import SPELLBOOK_PRICE, TOKEN_PRICE
from webapp.games.games import set_means, touch
from webapp.games.score_sheet import coins_for_market, entries_of, live_purchases
from webapp.store.idempotency import id_for
from webapp.store.models import Entry, Purchase, now

PurchaseKind = Literal["fairy", "spellbook", "card", "other"]


def buy(
    session: Session,
    catalogue: Catalogue,
    entry: Entry,
    kind: PurchaseKind,
    what: str,
    coins: int | None = None,
    client_key: str | None = None,
) -> Purchase:
    """Write a purchase down, at the market's price unless `coins` says another; what it brings is held
    at once. `what` is a tool, a spellbook, a card's cost, or words. Raises `WaymarkError`, too where the
    player does not hold the coins (too-few-coins). With the same `client_key` again it is bought once."""
    purchase_id = id_for(entry.id, client_key)
    known = session.get(Purchase, purchase_id)
    if known is not None:
        return known
    price = _price(entry, kind, what) if coins is None else coins
    if kind == "spellbook":
        (what,) = checked_spellbooks([what])
    _check_coins(entry, price)
    purchase = Purchase(id=purchase_id, entry=entry, kind=kind, what=what, coins=price)
    session.add(purchase)
    _take(session, catalogue, entry, purchase, +1)
    session.flush()
    return purchase


def not_bought(rounds: Sequence[Entry], number: int) -> list[tuple[PurchaseKind, str]]:
    """What a player, whose rounds these are, holds in round `number` and nobody paid for: tokens are bought
    for the round, spellbooks once, and missed in the round in which they came."""
    entry = rounds[number - 1]
    tokens = Counter(bought.what for bought in live_purchases(entry) if bought.kind == "fairy")
    missing = tokens_not_bought(entry.fairy_tokens, tokens, entry.spellbooks)
    found: list[tuple[PurchaseKind, str]] = [
        ("fairy", kind) for kind in TOOLS for _ in range(missing.get(kind, 0))
    ]
    had = {book for each in rounds[: number - 1] for book in each.spellbooks}
    paid = {bought.what for each in rounds for bought in live_purchases(each) if bought.kind == "spellbook"}
    return found + [("spellbook", book) for book in entry.spellbooks if book not in had | paid]


def price_of(kind: PurchaseKind) -> int:
    """What a token or a spellbook costs."""
    return TOKEN_PRICE if kind == "fairy" else SPELLBOOK_PRICE


def pay_for_held(session: Session, entry: Entry) -> list[Purchase]:
    """Write down that what is held and `not_bought` was bought; done twice it is bought once. Raises
    `WaymarkError` (too-few-coins)."""
    missing = not_bought(entries_of(entry.round.game, entry.seat), entry.round.number)
    _check_coins(entry, sum(price_of(kind) for kind, _ in missing))
    bought = [Purchase(entry=entry, kind=kind, what=what, coins=price_of(kind)) for kind, what in missing]
    session.add_all(bought)
    if bought:
        touch(entry.round.game)
    return bought


def put_back(session: Session, catalogue: Catalogue, purchase: Purchase, *, stays_held: bool = False) -> None:
    """Take a purchase back, with what it brought unless that `stays_held`."""
    if purchase.deleted_at is not None:
        return
    purchase.deleted_at = now()
    if stays_held:
        touch(purchase.entry.round.game)
    else:
        _take(session, catalogue, purchase.entry, purchase, -1)


def buy_again(session: Session, catalogue: Catalogue, purchase: Purchase) -> None:
    """Undo `put_back`. Raises `WaymarkError` (too-few-coins)."""
    if purchase.deleted_at is not None:
        _check_coins(purchase.entry, purchase.coins)
        purchase.deleted_at = None
        _take(session, catalogue, purchase.entry, purchase, +1)


def _check_coins(entry: Entry, price: int) -> None:
    """Nobody spends more than they hold, as far as it is known what they hold."""
    held = coins_for_market(entry)
    if held is not None and price > held:
        held = max(0, held)
        raise WaymarkError(
            "too-few-coins",
            f"This costs {price} coins and the player holds {held}; "
            "check the price, or the coins written down.",
            f"価格は {price} コインですが、手持ちは {held} コインです。"
            "価格か、記入済みのコインを確かめてください。",
        )


def _price(entry: Entry, kind: PurchaseKind, what: str) -> int:
    if kind in ("fairy", "spellbook"):
        return price_of(kind)
    if kind == "card" and what.isascii() and what.isdecimal():
        cost = int(what)
        cheaper_used = any(
            bought.kind == "card" and bought.what != str(bought.coins) for bought in live_purchases(entry)
        )
        return dungeon_card_price(cost, () if cheaper_used else entry.spellbooks)
    raise WaymarkError(
        "no-price",
        "The market has no price for this; say how many coins it cost.",
        "マーケットでの価格がわかりません。支払ったコインの数を入れてください。",
    )


def _take(session: Session, catalogue: Catalogue, entry: Entry, purchase: Purchase, sign: int) -> None:
    """Hold what was bought (`sign` +1), or no longer (-1)."""
    if purchase.kind == "fairy":
        if purchase.what not in TOOLS:
            checked_tokens({purchase.what: 1})
        held = max(0, entry.fairy_tokens.get(purchase.what, 0) + sign)
        set_means(session, catalogue, entry, fairy_tokens={**entry.fairy_tokens, purchase.what: held})
    elif purchase.kind == "spellbook":
        others = [book for book in entry.spellbooks if book != purchase.what]
        set_means(session, catalogue, entry, spellbooks=others + ([purchase.what] if sign > 0 else []))
    touch(entry.round.game)
