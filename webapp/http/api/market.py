"""API of the market: purchases, their withdrawal and their restoration."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import request
from sqlalchemy.orm import Session

from webapp.games import games, market
from webapp.games.view import PurchaseView, purchase_view
from webapp.http.api.endpoint import Query, endpoint
from webapp.http.api.entries import Coins, open_entry
from webapp.http.api.games import Line
from webapp.http.services import services, write_session
from webapp.store.database import get_row
from webapp.store.idempotency import ClientKey
from webapp.store.models import Purchase


class NewPurchase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A purchase: `kind` is a ware of the game's market and `what` one of its choices (Map Masters: a tool of
    `fairy`, SB-1 to SB-17 of `spellbook`, a cost of `card`), or `kind` is `other` and `what` free text.
    Without `coins` the market's price applies. A repeated `client_key` does not buy again."""

    kind: Annotated[str, msgspec.Meta(max_length=16)]
    what: Line = ""
    coins: Coins | None = None
    client_key: ClientKey | None = None


@endpoint("POST", "/entries/<entry_id>/purchases", status=201)
def create_purchase(entry_id: str, body: NewPurchase) -> PurchaseView:
    """Buy something in the market."""
    with write_session() as session:
        entry = open_entry(session, entry_id)
        bought = market.buy(
            session, services().catalogue, entry, body.kind, body.what, body.coins, body.client_key
        )
        return purchase_view(bought)


@endpoint("POST", "/entries/<entry_id>/purchases/held", status=201)
def pay_for_held(entry_id: str) -> list[PurchaseView]:
    """Write down that the tokens and spellbooks held for the path were bought, at the market's price."""
    with write_session() as session:
        bought = market.pay_for_held(session, open_entry(session, entry_id))
        session.flush()
        return [purchase_view(purchase) for purchase in bought]


@endpoint(
    "DELETE",
    "/purchases/<purchase_id>",
    query={"held": Query("stays, where what it brought is still held", "stays")},
)
def delete_purchase(purchase_id: str) -> None:
    """Take a purchase back, with what it brought."""
    with write_session() as session:
        stays = request.args.get("held") == "stays"
        market.put_back(session, services().catalogue, _purchase(session, purchase_id), stays_held=stays)


@endpoint("POST", "/purchases/<purchase_id>/restore")
def restore_purchase(purchase_id: str) -> PurchaseView:
    """Buy it again after taking it back."""
    with write_session() as session:
        purchase = _purchase(session, purchase_id)
        market.buy_again(session, services().catalogue, purchase)
        return purchase_view(purchase)


def _purchase(session: Session, purchase_id: str) -> Purchase:
    purchase = get_row(session, Purchase, purchase_id, deleted=True)
    games.check_open(purchase.entry.round.game)
    return purchase
