"""API of disputes: the deciding step, counterfactuals, claims, settlement."""

from __future__ import annotations

from webapp.disputes.claims import add_claim, delete_claim, restore_claim, settle_dispute
from webapp.disputes.model import Dispute, DrawnPath, DrawPath, NewClaim, Settle
from webapp.disputes.view import dispute_of, drawn_path_of
from webapp.http.api.endpoint import endpoint
from webapp.http.api.review import change, claim_of
from webapp.http.languages import current_language
from webapp.http.services import read_session, services, write_session
from webapp.store.database import get_row
from webapp.store.models import Tableau
from webapp.store.tableaus import assessment_of
from webapp.tableaus.kinds import check_own


@endpoint("GET", "/tableaus/<tableau_id>/dispute")
def read_dispute(tableau_id: str) -> Dispute:
    """Where the ruling turned and by which rule, what would change it, both directions, all claims."""
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    check_own(tableau)
    assessment = assessment_of(session, services().catalogue, tableau)
    return dispute_of(tableau, assessment, current_language())


@endpoint("POST", "/tableaus/<tableau_id>/dispute/path")
def draw_path(tableau_id: str, body: DrawPath) -> DrawnPath:
    """Referee a path as a player says that it goes, one more correction to it made; nothing is kept."""
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    check_own(tableau)
    return drawn_path_of(session, services().catalogue, tableau, body, current_language())


@endpoint("POST", "/tableaus/<tableau_id>/claims", status=201)
def make_claim(tableau_id: str, body: NewClaim) -> Dispute:
    """Write down what a player says about the ruling; the referee rules on it."""
    with write_session() as session:
        tableau = get_row(session, Tableau, tableau_id)
        check_own(tableau)
        add_claim(session, services().catalogue, tableau, body)
    return read_dispute(tableau_id)


@endpoint("DELETE", "/tableaus/<tableau_id>/claims/<claim_id>")
def take_claim_back(tableau_id: str, claim_id: str) -> Dispute:
    """Take a claim back; it is kept and can be restored."""
    with write_session() as session:
        delete_claim(claim_of(session, tableau_id, claim_id))
    return read_dispute(tableau_id)


@endpoint("POST", "/tableaus/<tableau_id>/claims/<claim_id>/restore")
def bring_claim_back(tableau_id: str, claim_id: str) -> Dispute:
    """Make a claim again that was taken back."""
    with write_session() as session:
        restore_claim(claim_of(session, tableau_id, claim_id, deleted=True))
    return read_dispute(tableau_id)


@endpoint("POST", "/tableaus/<tableau_id>/dispute/settle")
def settle_it(tableau_id: str, body: Settle) -> Dispute:
    """Make what was assumed, or a claim's path, a fact of the tableau; the referee follows."""
    change(tableau_id, settle_dispute, body, check=check_own)
    return read_dispute(tableau_id)
