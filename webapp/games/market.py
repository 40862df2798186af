"""The market: purchases of a player for a round, and their withdrawal.

All functions work inside the caller's transaction and leave `game.version` higher when they change anything.
Prices are defined by the game's market (`scorer.market.Market`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.market import Market, Ware
from scorer.text import Text
from webapp.games.games import set_held, touch
from webapp.games.score_sheet import coins_for_market, entries_of, live_purchases
from webapp.store.boxes import rules_of_entry, told_of_entry
from webapp.store.idempotency import id_for
from webapp.store.models import Entry, Purchase, now

#: Id of a purchase that is on no price list: words and coins.
OTHER = "other"


def buy(
    session: Session,
    catalogue: Catalogue,
    entry: Entry,
    kind: str,
    what: str,
    coins: int | None = None,
    client_key: str | None = None,
) -> Purchase:
    """Record a purchase at the market's price, or at `coins`; the bought thing is held at once. `kind` is a
    ware of the market and `what` one of its choices, or `kind` is `other` and `what` words. Raises
    `WaymarkError`, also for too few coins (too-few-coins). A repeated `client_key` buys once."""
    purchase_id = id_for(entry.id, client_key)
    known = session.get(Purchase, purchase_id)
    if known is not None:
        return known
    price = _price(entry, kind, what) if coins is None else coins
    what = _as_called(entry, kind, what)
    _check_coins(entry, price)
    purchase = Purchase(id=purchase_id, entry=entry, kind=kind, what=what, coins=price)
    session.add(purchase)
    _take(session, catalogue, entry, purchase, +1)
    session.flush()
    return purchase


def not_bought(rounds: Sequence[Entry], number: int) -> list[tuple[str, str]]:
    """Things (kind, what) that a player holds in round `number` without a purchase, from all the player's
    rounds. Most things are bought for one round; lasting things are reported only in the round in which they
    came."""
    entry = rounds[number - 1]
    rules = rules_of_entry(entry)
    if rules.play.market is None or not entry.terms:
        return []
    terms, kept = (
        rules.rules.settings.make(told_of_entry(entry)),
        {term.id for term in rules.rules.settings.terms if term.kept},
    )
    found: list[tuple[str, str]] = []
    for ware in rules.play.market.wares:
        if ware.fills in kept:
            had = {each for earlier in rounds[: number - 1] for each in earlier.terms.get(ware.fills, ())}
            paid = {
                bought.what for each in rounds for bought in live_purchases(each) if bought.kind == ware.id
            }
            held = entry.terms.get(ware.fills, ())
            found += [(ware.id, what) for what in held if what not in had | paid]
        elif ware.fills is not None:
            bought = Counter(each.what for each in live_purchases(entry) if each.kind == ware.id)
            missing = rules.play.market.not_bought(terms, bought)
            found += [(ware.id, what) for what in ware.choices for _ in range(missing.get(what, 0))]
    return found


def price_of(entry: Entry, kind: str, what: str) -> int:
    """Price of a thing that is held for a round."""
    rules = rules_of_entry(entry)
    return (
        rules.play.market.price(kind, what, rules.rules.settings.make({}))
        if rules.play.market is not None
        else 0
    )


def _market_of(entry: Entry) -> Market[Any]:
    """The game's market. Raises `WaymarkError` (no-price) for a game without one."""
    market = rules_of_entry(entry).play.market
    if market is None:
        raise _no_price()
    return market


def _ware(entry: Entry, kind: str) -> Ware | None:
    """The ware with this name; None for `other`. Raises `WaymarkError` (no-price) for an unknown name."""
    ware = next((each for each in _market_of(entry).wares if each.id == kind), None)
    if ware is None and kind != OTHER:
        raise _no_price()
    return ware


def _as_called(entry: Entry, kind: str, what: str) -> str:
    """The name of a bought thing in the game's notation (`sb04` becomes SB-4), if it can be held. Raises
    `WaymarkError` for an invalid thing."""
    ware, rules = _ware(entry, kind), rules_of_entry(entry)
    if ware is None or ware.fills is None or what in ware.choices:
        return what
    term = next(each for each in rules.rules.settings.terms if each.id == ware.fills)
    held = rules.rules.settings.values(
        rules.rules.settings.make({term.id: {what: 1} if term.kind == "counts" else [what]})
    )
    (name,) = held[term.id]
    return str(name)


def pay_for_held(session: Session, entry: Entry) -> list[Purchase]:
    """Record purchases for everything in `not_bought`; a repeated call buys nothing more. Raises
    `WaymarkError` (too-few-coins)."""
    missing = not_bought(entries_of(entry.round.game, entry.seat), entry.round.number)
    _check_coins(entry, sum(price_of(entry, kind, what) for kind, what in missing))
    bought = [
        Purchase(entry=entry, kind=kind, what=what, coins=price_of(entry, kind, what))
        for kind, what in missing
    ]
    session.add_all(bought)
    if bought:
        touch(entry.round.game)
    return bought


def put_back(session: Session, catalogue: Catalogue, purchase: Purchase, *, stays_held: bool = False) -> None:
    """Withdraw a purchase; the bought thing is no longer held, unless `stays_held`."""
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
    """Raises `WaymarkError` (too-few-coins) where the price exceeds the known coins of the player."""
    held = coins_for_market(entry)
    if held is not None and price > held:
        held = max(0, held)
        raise WaymarkError(
            Code.TOO_FEW_COINS,
            Text(
                "This costs {price} coins and the player holds {held}; check the price, or the coins "
                "entered.",
                price=price,
                held=held,
            ),
        )


def _price(entry: Entry, kind: str, what: str) -> int:
    ware, rules = _ware(entry, kind), rules_of_entry(entry)
    if ware is None:
        raise _no_price()
    # A discount applies once a round.
    cheaper_used = any(
        bought.kind == kind and bought.coins != ware.prices.get(bought.what)
        for bought in live_purchases(entry)
    )
    terms = rules.rules.settings.make({} if cheaper_used else told_of_entry(entry))
    return _market_of(entry).price(kind, what, terms)


def _no_price() -> WaymarkError:
    return WaymarkError(Code.NO_PRICE, Text("The market has no price for this; say how many coins it cost."))


def _take(session: Session, catalogue: Catalogue, entry: Entry, purchase: Purchase, sign: int) -> None:
    """Add the bought thing to the held means (`sign` +1), or remove it (-1)."""
    ware = _ware(entry, purchase.kind)
    if ware is not None and ware.fills is not None:
        held = entry.terms.get(ware.fills)
        if isinstance(held, dict) or _is_counted(entry, ware.fills):
            count = max(0, (held or {}).get(purchase.what, 0) + sign)
            told: Any = {**(held or {}), purchase.what: count}
        else:
            told = [each for each in held or () if each != purchase.what]
            told += [purchase.what] if sign > 0 else []
        set_held(session, catalogue, entry, {ware.fills: told})
    touch(entry.round.game)


def _is_counted(entry: Entry, name: str) -> bool:
    return any(
        term.id == name and term.kind == "counts" for term in rules_of_entry(entry).rules.settings.terms
    )
