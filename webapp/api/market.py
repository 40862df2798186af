"""The market over the API: bought, taken back, bought again."""

from __future__ import annotations

import msgspec

from webapp.api.endpoint import endpoint
from webapp.api.entries import Coins, the_entry
from webapp.api.games import Line
from webapp.models import Purchase
from webapp.play import market
from webapp.play.game_view import PurchaseView, purchase_view
from webapp.play.market import PurchaseKind
from webapp.sent_once import ClientKey
from webapp.services import get_row, saving, services


class NewPurchase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something bought: `what` is a tool (fairy), SB-1 to SB-17 (spellbook), a cost (card) or words (other);
    without `coins` it costs what the market asks. The same `client_key` again buys it once."""

    kind: PurchaseKind
    what: Line = ""
    coins: Coins | None = None
    client_key: ClientKey | None = None


@endpoint(
    "POST",
    "/entries/<entry_id>/purchases",
    summary="Buy something in the market.",
    body=NewPurchase,
    answer=PurchaseView,
    status=201,
)
def create_purchase(entry_id: str, body: NewPurchase) -> PurchaseView:
    with saving() as session:
        entry = the_entry(session, entry_id)
        bought = market.buy(
            session, services().catalogue, entry, body.kind, body.what, body.coins, body.client_key
        )
        return purchase_view(bought)


@endpoint("DELETE", "/purchases/<purchase_id>", summary="Take a purchase back, with what it brought.")
def delete_purchase(purchase_id: str) -> None:
    with saving() as session:
        market.put_back(session, services().catalogue, get_row(session, Purchase, purchase_id, deleted=True))


@endpoint(
    "POST",
    "/purchases/<purchase_id>/restore",
    summary="Buy it again after taking it back.",
    answer=PurchaseView,
)
def restore_purchase(purchase_id: str) -> PurchaseView:
    with saving() as session:
        purchase = get_row(session, Purchase, purchase_id, deleted=True)
        market.buy_again(session, services().catalogue, purchase)
        return purchase_view(purchase)
