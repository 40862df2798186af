"""Pages for joining: the QR code of the table or a game, whose phone it is, and the table's certificate."""

from __future__ import annotations

import io
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, make_response, redirect, render_template, request, send_file, url_for
from markupsafe import Markup
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as Answer

from scorer.play_kinds import TABLEAU
from webapp.games.running import open_games, running_game
from webapp.games.score_sheet import current_round, game_state
from webapp.games.view import GameSummary, the_game
from webapp.http.addresses import CERTIFICATES, all_addresses, in_url, is_loopback, lan_addresses
from webapp.http.host_names import is_address
from webapp.http.pages.access import YEAR_SECONDS
from webapp.http.security import CONTENT_SECURITY_POLICY
from webapp.http.services import read_session, services
from webapp.http.this_phone import COOKIE, EVERYBODY, own_seat, owner
from webapp.http.trust_door import https_url, trust_door
from webapp.store.boxes import kind_of
from webapp.store.database import not_found
from webapp.store.models import Game

pages = Blueprint("joining", __name__)

#: Number of open games among which the running one is looked for.
_OPEN = 6


@pages.get("/join")
def show() -> str:
    """The QR code for other devices: of the game in question, else of the one that is being played."""
    game_id = request.args.get("game")
    game: Game | GameSummary | None
    if game_id:
        game = the_game(read_session(), game_id)
    else:
        game = running_game(open_games(read_session(), _OPEN), owner())
    door, game_id = trust_door(), game.id if game is not None else None
    path = url_for("joining.join_game", game_id=game_id).removeprefix("/") if game_id is not None else ""
    trust = url_for("joining.trust", game=game_id)

    def target(address: str) -> str:
        """Where a code leads: first to the page on which a device comes to trust the table."""
        if door is None:
            return address + path
        return f"http://{in_url(urlsplit(address).hostname or '')}:{door.http_port}{trust}"

    targets = {address: target(address) for address in table_addresses()}
    return render_template(
        "join.html",
        addresses=[(address, code, qr_code(code)) for address, code in targets.items()],
        players=[seat.name for seat in game.seats] if game is not None else [],
        alone=services().config.alone,
        pin=services().config.pin is not None,
        certificate=services().config.https,
        android=_is_android(),
    )


@pages.get("/games/<game_id>/join")
def join_game(game_id: str) -> str | Answer:
    """Whose phone this is, asked once; then the round that is being played."""
    game = the_game(read_session(), game_id)
    known = own_seat(game.seats) is not None or owner() == EVERYBODY
    if kind_of(game) is not TABLEAU or (known and "anew" not in request.args):
        return redirect(_playing(game))
    return render_template("games/whose_phone.html", game=game, own=own_seat(game.seats))


@pages.post("/join")
def keep_owner() -> Answer:
    """Keep whose phone this is, and go on to the round."""
    game = the_game(read_session(), request.form.get("game", ""))
    whose = request.form.get("person", "")
    if whose not in (EVERYBODY, *(seat.person_id for seat in game.seats)):
        raise BadRequest
    answer = redirect(_playing(game), 303)
    answer.set_cookie(
        COOKIE, whose, max_age=YEAR_SECONDS, samesite="Lax", httponly=True, secure=services().config.https
    )
    return answer


def _playing(game: Game) -> str:
    """Address of the page on which a game is played now."""
    if kind_of(game) is not TABLEAU:
        return url_for("games.show", game_id=game.id)
    if game_state(game) != "open":
        return url_for("history.final", game_id=game.id)
    return url_for("games.show_round", game_id=game.id, number=current_round(game))


@pages.get("/trust")
def trust() -> Response:
    """How a phone comes to trust the table's certificate; it goes on to the game once it does. A table
    without one has nothing to explain: there, it is the page for joining."""
    game_id = request.args.get("game")
    if not services().config.https:
        return make_response(show())
    path = url_for("joining.join_game", game_id=game_id) if game_id else url_for("home.show")
    probe = https_url(url_for("access.health"))
    answer = make_response(
        render_template("trust.html", onward=https_url(path), probe=probe, android=_is_android())
    )
    # Its script asks the https port, which is another origin.
    answer.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY.replace(
        "connect-src 'self'", f"connect-src 'self' {https_url('')}"
    )
    return answer


def _is_android() -> bool:
    return "Android" in request.user_agent.string


@pages.get("/waymark-table.crt")
def certificate() -> Response:
    """Download of the certificate authority that devices install to trust this table."""
    file = services().config.data / CERTIFICATES / "waymark-authority.pem"
    if not file.exists():
        raise not_found()
    return send_file(file, mimetype="application/x-x509-ca-cert", download_name="waymark-table.crt")


def table_addresses() -> list[str]:
    """URLs by which other devices in the home network reach this table, most likely reachable first. This
    device's own and VPN addresses are left out; empty where no device can connect."""
    if services().config.alone:
        return []
    asked = urlsplit(f"//{request.host}")
    name = asked.hostname or ""
    own = is_loopback(name) or name in ("", "0.0.0.0", "::") or name.endswith(".localhost")
    addresses = lan_addresses()
    if is_address(name) and not own:
        # An address that this machine does not have belongs to a proxy, or to the host of a container.
        forwarded = name not in all_addresses()
        own = not forwarded and name not in addresses
    else:
        forwarded = bool(services().config.trusted_proxies)
    hosts = [] if own else [name]
    if not forwarded:
        hosts += [each for each in addresses if each != name]
    port = f":{asked.port}" if asked.port is not None else ""
    return [f"{request.scheme}://{in_url(host)}{port}/" for host in hosts]


@lru_cache(maxsize=64)  # It takes 50 ms, and pages repeat the same few.
def qr_code(text: str, *, error: str = "m") -> Markup:
    """A QR code as an SVG element, without inline styles. For a long text, `error` "l" gives larger squares
    with less error correction."""
    picture = io.BytesIO()
    segno.make(text, error=error, micro=False).save(
        picture, kind="svg", xmldecl=False, svgns=True, nl=False, omitsize=True, border=4, light="#fff"
    )
    # Made by segno from the address: SVG paths only, no user text.
    return Markup(picture.getvalue().decode())
