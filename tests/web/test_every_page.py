"""Every address answers, in both languages, at a table that has had everything: all games, tableaus, tables,
boards and missions, in every state.

A route without an address here fails the test."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from api_calls import Call, Calls
from board_play import act, after, begin, photograph, pushes, scan_of
from board_seen import BOARDS, seen_of
from flask import Flask
from live_server import PHOTOS
from mission_play import begin as begin_mission
from mission_play import buy, change, read_as_truth, text_of
from pieces_box import pieces_box
from PIL import Image
from put_readings import put_reading, true_reading
from sqlalchemy import select
from untraced_deck import untraced_deck
from werkzeug.wrappers import Response

from scorer.errors import Code, WaymarkError
from scorer.play_kinds import TABLEAU
from scorer.text import written
from vision.questions import REASONS, Question
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.games.games import tableau_of_entry
from webapp.http.security import limiter
from webapp.http.services import KEY, Services
from webapp.scans.leases import fail
from webapp.store.boxes import kind_of
from webapp.store.models import Entry, Errand, Game, Person, Photo, Shot, Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading

LANGUAGES = ("en", "ja")
UNREADABLE = WaymarkError(Code.NO_CARD, written("No card was recognised.", "カードが見つかりません。"))
#: Ways to ask for a page that lead to something else.
QUERIES: dict[str, Callable[[dict[str, list[str]]], list[str]]] = {
    "/history": lambda known: ["q=2026", "q=nothing+at+all", "page=2", "page=x"],
    "/history/photos": lambda known: ["outside=1", "q=S1-red", "q=Aya", "page=2"],
    "/api/v1/history/photos": lambda known: ["outside=1", "q=d29", "page=2"],
    "/games/new": lambda known: ["mode=together", *(f"deck={deck}" for deck in known["deck_id"])],
    "/api/v1/missions": lambda known: ["deck=open", "deck=untraced"],
    "/capture": lambda known: [f"tableau_id={each}" for each in known["tableau_id"][:3]],
    "/capture/live": lambda known: [f"entry_id={each}" for each in known["entry_id"][:3]],
    "/api/v1/games": lambda known: ["state=open", "state=finished"],
}
_COUNT = itertools.count(1)


@dataclass
class Folder:
    """A data folder under an app, and what was put into it: `tableaus` by what they are."""

    app: Flask
    call: Call
    tableaus: dict[str, str] = field(default_factory=dict)
    #: Games whose table or board is in the bin.
    without_page: set[str] = field(default_factory=set)

    @property
    def services(self) -> Services:
        services: Services = self.app.extensions[KEY]
        return services

    def photo(self, target: str, state: str, *, entry: bool = False) -> str:
        """Give a tableau, or a player's round, a photo in a state; the tableau's id."""
        buffer = io.BytesIO()
        Image.new("RGB", (640, 480), (next(_COUNT) % 256, 60, 60)).save(buffer, "PNG")
        stored = store_original(self.services.photos, buffer.getvalue())
        with self.services.database.transaction() as session:
            tableau = (
                tableau_of_entry(session, session.get_one(Entry, target))
                if entry
                else session.get_one(Tableau, target)
            )
            shot = add_shot(session, tableau, stored, filename=f"{state}.png")
            session.flush()
            if state == "failed":
                fail(shot, UNREADABLE)
            elif state == "deleted":
                fail(shot, UNREADABLE)
                shot.deleted_at = shot.created_at
            else:
                shot.state, shot.stage = state, "ink" if state == "running" else ""
            return tableau.id


def id_of(address: str) -> str:
    return address.split("/")[2]


# --- what is put into it


def quick_looks(folder: Folder) -> None:
    """Tableaus outside games, in every state."""
    for state in ("none", "waiting", "running", "failed", "deleted", "sure", "asks", "moved", "in the bin"):
        tableau = folder.call("POST", "/tableaus", {"title": f"quick {state}"}, status=201)["id"]
        folder.tableaus[f"quick {state}"] = tableau
        if state in ("waiting", "running", "failed", "deleted"):
            folder.photo(tableau, state)
        elif state != "none":
            put_quick(folder, tableau, asks=state == "asks")
        if state == "in the bin":
            folder.call("DELETE", f"/tableaus/{tableau}")
    folder.call("PATCH", f"/tableaus/{folder.tableaus['quick failed']}", {"notes": "dark <i>corner</i>"})


def put_quick(folder: Folder, tableau_id: str, *, asks: bool) -> None:
    """Give a tableau a photo that was read as its truth says, or with a question."""
    scan = true_reading("table-01")
    if asks:
        (stroke,), (line,) = scan.tableau.path, scan.path_px
        short = msgspec.structs.replace(scan.tableau, path=(stroke[:-1],))
        question = Question("path", stroke[-2], ("it ends", "it runs on"), *REASONS["faint"].pair)
        asked = replace(question, alternatives=(scan.tableau,), name=f"path:faint:{stroke[-2]}")
        scan = replace(scan, tableau=short, path_px=(line[:-1],), questions=(asked,), sure=False)
    services = folder.services
    stored = store_original(services.photos, (PHOTOS / "table-01.jpg").read_bytes())
    with services.database.transaction() as session:
        shot = add_shot(session, session.get_one(Tableau, tableau_id), stored)
        session.flush()
        take_reading(session, services.catalogue, shot, scan)


def map_masters(folder: Folder) -> None:
    """Games of cards: one with a round in each state, a finished one with a photo that came late, one that
    nobody began, one in the bin."""
    call, app = folder.call, folder.app
    players = [{"name": name, "colour": colour} for name, colour in (("あや", "red"), ("Ben & Co", "blue"))]
    game = call("POST", "/games", {"players": players, "title": "states"}, status=201)
    rounds = [[entry["id"] for entry in each["entries"]] for each in game["rounds"]]
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "pit"})
    call("PATCH", f"/games/{game['id']}/rounds/2", {"hourglass": True})
    put_reading(app, rounds[0][0], "table-07")
    put_reading(app, rounds[0][1], "table-09")
    for number, state in enumerate(("waiting", "running", "failed", "deleted"), start=1):
        folder.tableaus[f"card game {state}"] = folder.photo(rounds[number][0], state, entry=True)
        call("PATCH", f"/entries/{rounds[number][1]}", {"scores": {"primary": 4, "secondary": 2}})
    put_reading(app, rounds[5][0], "table-01")
    bought = {"kind": "other", "what": "luck", "coins": 1}
    call("POST", f"/entries/{rounds[1][1]}/purchases", bought, status=201)
    game = call("GET", f"/games/{game['id']}")
    sure, other, gone = (
        game["rounds"][at]["entries"][seat]["tableau_id"] for at, seat in ((0, 0), (0, 1), (5, 0))
    )
    folder.tableaus |= {"card game sure": sure, "card game other": other, "card game in the bin": gone}
    call("POST", f"/tableaus/{sure}/claims", {"who": "Ben & Co", "words": "not so"}, status=201)
    call("DELETE", f"/tableaus/{gone}")
    with folder.services.database.transaction() as session:
        for state in ("waiting", "running", "failed", "done"):
            error = {"code": "internal", "en": "No.", "ja": "いいえ。"} if state == "failed" else None
            session.add(Errand(tableau_id=other, whose="x", kind="pen", given={}, state=state, error=error))
    late = call("POST", "/games", {"players": players, "title": "late"}, status=201)
    entry = late["rounds"][0]["entries"][0]["id"]
    put_reading(app, entry, "table-07")
    call("PATCH", f"/games/{late['id']}", {"finished": True})
    put_reading(app, entry, "table-09")
    folder.tableaus["card game late"] = call("GET", f"/entries/{entry}")["tableau_id"]
    for title, body in (("untouched", {}), ("given up", {"finished": True})):
        begun = call("POST", "/games", {"players": players, "title": title}, status=201)
        call("PATCH", f"/games/{begun['id']}", body)
    gone_players = [{"name": name, "colour": colour} for name, colour in (("Gone", "red"), ("Dan", "blue"))]
    thrown = call("POST", "/games", {"players": gone_players, "title": "thrown away"}, status=201)
    call("DELETE", f"/games/{thrown['id']}")
    call("DELETE", f"/persons/{thrown['seats'][0]['person_id']}")


def missions(folder: Folder) -> None:
    """Cooperative tables: each mission as it begins, one in each state."""
    call, app = folder.call, folder.app
    for offer in call("GET", "/missions"):
        _, table = begin_mission(call, mission=offer["id"])
        folder.tableaus[f"mission {offer['id']}"] = id_of(table)

    def begun(what: str) -> tuple[Any, str]:
        game, table = begin_mission(call, ("Aya", f"mission {what}"))
        folder.tableaus[f"mission {what}"] = id_of(table)
        return game, table

    for state in ("waiting", "running", "failed", "deleted"):
        folder.photo(id_of(begun(state)[1]), state)
    for what, photos in (
        ("open", ("M02-won-1",)),
        ("won", ("M02-won-1", "M02-won-2")),
        ("lost", ("M02-won-1", "M02-lost-2")),
        ("in the bin", ("M02-won-1",)),
    ):
        game, table = begun(what)
        buy(call, table)
        for photo in photos:
            read_as_truth(app, table, photo, doubt="S5-blue" if what == "open" else None)
        if what == "won":
            call("PATCH", f"/games/{game['id']}", {"finished": True})
        if what == "open":
            claim = {"who": "Aya", "words": "Red went in.", "text": text_of("M02-won-1"), "client_key": "a"}
            call("POST", f"{table}/table-claims", claim, status=201)
        if what == "in the bin":
            put_away(folder, table)
    _, table = begun("by hand")
    change(call, table, kind="record", text=text_of("M02-won-2"))
    _, table = begun("face down")
    read_as_truth(app, table, "M02-won-1")
    change(call, table, kind="card", cell=[0, 0], card=None, rotation=0, face_down=True)


def put_away(folder: Folder, address: str) -> None:
    """Put what all players share into the bin, as earlier versions let clients do."""
    with folder.services.database.transaction() as session:
        tableau = session.get_one(Tableau, id_of(address))
        tableau.deleted_at = tableau.created_at
        folder.without_page.add(tableau.entry.round.game_id if tableau.entry is not None else "")


def boards(folder: Folder) -> None:
    """Each board game in every state."""
    call, app = folder.call, folder.app
    for word, colours in BOARDS.items():

        def begun(what: str, deal: bool = True, word: str = word, colours: Any = colours) -> tuple[Any, str]:
            game, board = begin(call, f"open-{word}", colours, deal)
            folder.tableaus[f"{word} {what}"] = id_of(board)
            return game, board

        begun("undealt", deal=False)
        begun("dealt")
        for state in ("waiting", "running", "failed", "deleted"):
            folder.photo(id_of(begun(state)[1]), state)
        for what in ("pending", "accepted", "left", "photo off", "finished", "in the bin", "disputed"):
            game, board = begun(what)
            photograph(app, board, seen_of(word, call("GET", f"{board}/record")))
            if what in ("accepted", "finished", "in the bin"):
                act(call, board, "photo", turn=False)
            if what == "left":
                act(call, board, "leave")
            if what == "photo off":
                shot = call("GET", f"/tableaus/{id_of(board)}")["shots"][0]["id"]
                with folder.services.database.transaction() as session:
                    row = session.get_one(Shot, shot)
                    row.deleted_at = row.created_at
            if what == "disputed":
                claim = {"who": "Ben", "words": "No.", "wants": "words", "client_key": word}
                call("POST", f"{board}/claims", claim, status=201)
            if what == "finished":
                act(call, board, "end", ended=True)
                call("PATCH", f"/games/{game['id']}", {"finished": True})
            if what == "in the bin":
                put_away(folder, board)
        if word == "labyrinth2":
            _, board = begun("turn told")
            act(call, board, "turn", steps=[pushes(call, board)])
            _, board = begun("turn photographed")
            photograph(app, board, scan_of(after(call, board, [pushes(call, board)])))
            act(call, board, "photo", turn=True)
        game, _ = begun("game in the bin")
        call("DELETE", f"/games/{game['id']}")


def boxes(folder: Folder) -> None:
    """Boxes of the table's own: traced in part, of pieces, empty, set aside, and a folder that is none."""
    own = folder.services.config.data / "boxes"
    own.mkdir(parents=True, exist_ok=True)
    untraced_deck(own / "untraced", {"D40": "proposed", "D41": "no", "D42": "yes"})
    pieces_box(own / "pieces")
    untraced_deck(own / "aside", {"D40": "yes"})
    folder.call("POST", "/decks", {"name": "empty", "game": "mapmasters"}, status=201)
    shelf = folder.services.shelf
    shelf.set_aside(shelf.deck("aside"), True)
    (own / "no box").mkdir()


#: Routes of which only one in three addresses is asked, unless for long: each takes a while.
_SLOW = re.compile(r"final|rounds/<|bg-stats|/record|standing|progress|around")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folder]:
    """The table, built once."""
    config = ServerConfig(
        data=tmp_path_factory.mktemp("every") / "data", scan_workers=0, requests_per_minute=10_000_000
    )
    app = create_app(config)
    built = Folder(app, Calls(app.test_client()))
    for put in (boxes, map_masters, quick_looks, missions, boards):
        put(built)
    yield built
    built.services.database.engine.dispose()


def addresses(folder: Folder) -> dict[str, list[str]]:
    """Every address of every route that answers GET, by the route."""
    shelf = folder.services.shelf
    with folder.services.database.snapshot() as session:
        known: dict[str, list[str]] = {
            "game_id": list(session.scalars(select(Game.id))),
            "tableau_id": list(session.scalars(select(Tableau.id))),
            "person_id": list(session.scalars(select(Person.id))),
            "entry_id": list(session.scalars(select(Entry.id).where(Entry.tableau.has()))),
            "sha256": list(session.scalars(select(Photo.id))),
        }
    decks = [deck.id for deck in (*shelf.decks(), *shelf.decks(set_aside=True), *shelf.bundled())]
    known |= {
        "deck_id": [quote(deck) for deck in decks],
        "language": list(LANGUAGES),
        "longest_px": ["480"],
        "number": ["1", "6", "7"],
        "filename": ["app.js"],
        "question": ["no-such"],
    }
    cards = {}
    for deck in decks:
        try:
            every = shelf.catalogue(shelf.deck(deck)).cards
        except WaymarkError:
            every = ()
        # One of each kind, and of each state of its tracing.
        cards[quote(deck)] = list({(card.kind, card.traced): card.id for card in every}.values())
    found: dict[str, list[str]] = {}
    for rule in folder.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()):
            continue
        names = [name for name in rule.arguments if name != "card_id"]
        made = []
        for values in itertools.product(*(known[name] for name in names)):
            given = dict(zip(names, values, strict=True))
            if "card_id" in rule.arguments:
                deck = given.get("deck_id", "open")
                made += [fill(str(rule), given | {"card_id": card}) for card in cards[deck]]
            else:
                made.append(fill(str(rule), given))
        found[str(rule)] = made
    for route, queries in QUERIES.items():
        found[route] = [*found[route], *(f"{route}?{query}" for query in queries(known))]
    return found


def fill(rule: str, values: dict[str, str]) -> str:
    return re.sub(r"<(?:[^<>]*:)?(\w+)>", lambda part: values[part[1]], rule)


# --- what each address is to answer


@dataclass(frozen=True)
class Thing:
    """A tableau as its addresses answer: `kind` is cards, table or board."""

    kind: str
    ruled: bool
    there: bool


def things(folder: Folder) -> dict[str, Thing]:
    with folder.services.database.snapshot() as session:
        return {
            tableau.id: Thing(
                kind="cards" if kind_of(tableau) is TABLEAU else kind_of(tableau).name,
                ruled=tableau.ruling is not None,
                there=tableau.deleted_at is None,
            )
            for tableau in session.scalars(select(Tableau))
        }


def page_of(thing: Thing) -> int:
    return 200


def of_cards(thing: Thing) -> int:
    return 200 if thing.kind == "cards" and thing.ruled else 404 if thing.kind != "cards" else 400


def of_cards_now(thing: Thing) -> int:
    return of_cards(thing) if of_cards(thing) != 400 else 409


#: How routes answer for a tableau that is not in the bin; others with their page.
ANSWERS: dict[str, Callable[[Thing], int]] = {
    "/tableaus/<tableau_id>": lambda thing: 302 if thing.kind == "board" else 200,
    "/tableaus/<tableau_id>/dispute": lambda thing: 302 if thing.kind != "cards" else of_cards(thing),
    "/r/<tableau_id>": lambda thing: {"board": 302, "table": 200}.get(thing.kind, of_cards(thing)),
    "/tableaus/<tableau_id>/ruling.jpg": of_cards,
    "/tableaus/<tableau_id>/ruling.png": of_cards,
    "/tableaus/<tableau_id>/ruling.webp": of_cards,
    "/tableaus/<tableau_id>/dispute/drawing": of_cards,
    "/api/v1/tableaus/<tableau_id>/dispute": of_cards,
    "/api/v1/tableaus/<tableau_id>/sites": of_cards_now,
    "/api/v1/tableaus/<tableau_id>/card-choices": of_cards_now,
    "/api/v1/tableaus/<tableau_id>/review": lambda thing: 404 if thing.kind == "board" else 200,
    **{
        f"/api/v1/tableaus/<tableau_id>/{what}": lambda thing: 200 if thing.kind == "board" else 404
        for what in ("board", "board/record", "board/best")
    },
    **{
        f"/api/v1/tableaus/<tableau_id>/{what}": lambda thing: 200 if thing.kind == "table" else 404
        for what in ("table", "hint")
    },
}
#: What is not to be had of every box: own ones are enrolled, those of pieces have pieces; an odd folder is
#: told.
OF_SOME_BOXES = {200, 400, 403}
#: The table has no certificate, and its empty box no question.
NOTHING_THERE = {"/waymark-table.crt", "/decks/<escaped:deck_id>/questions/<escaped:question>.jpg"}


def expected(folder: Folder, known: dict[str, Thing], gone: set[str], route: str, address: str) -> set[int]:
    """The statuses with which an address may answer."""
    if route in NOTHING_THERE:
        return {404, 403}
    parts = address.partition("?")[0].split("/")
    if gone & {*parts}:
        return {404}
    if route == "/games/<game_id>/join":
        # Of a game on one board no phone is anybody's: it leads to the game's page, which says what it lacks.
        return {200, 302}
    if folder.without_page & {*parts} and route.startswith("/games/") and "final" not in route:
        # A number that no round has is told before what the page lacks, and a board's dialogs lack nothing.
        return {404, 400} if "<int:number>" in route else {404, 200} if "dialogs" in route else {404}
    if "<tableau_id>" in route:
        (thing,) = (known[part] for part in parts if part in known)
        return {404} if not thing.there else {ANSWERS.get(route, page_of)(thing)}
    if "deck_id" in route or "deck=" in address:
        return OF_SOME_BOXES
    if "<int:number>" in route:
        return {200, 400}
    return {200}


def in_the_bin(folder: Folder) -> set[str]:
    with folder.services.database.snapshot() as session:
        return {
            row_id
            for kind in (Game, Person)
            for row_id in session.scalars(select(kind.id).where(kind.deleted_at.is_not(None)))
        } | {entry.id for entry in session.scalars(select(Entry)) if entry.round.game.deleted_at is not None}


#: What no page says: a value of the program's, a name of its own.
_SLIPS = re.compile(r">\s*None\b|\bNone(?: ·|,|、)|\[object |Undefined\b|KeyError")


@pytest.mark.long  # Half a minute; pages of each kind are opened by the tests of their own.
@pytest.mark.parametrize("thorough", [False, True])
def test_every_address_answers_in_both_languages(folder: Folder, thorough: bool) -> None:
    """Every other address in either language; `thorough`: every one in both."""
    client, known, gone = folder.app.test_client(), things(folder), in_the_bin(folder)
    wrong: list[str] = []
    answered: set[str] = set()
    every = addresses(folder)
    for route, each in every.items():
        for number, (address, language) in enumerate(itertools.product(each, LANGUAGES)):
            if not thorough and len(each) > 1 and not chosen(route, number):
                continue
            if route.endswith("/shared"):
                # So many in a minute are refused to one device.
                with folder.app.app_context():
                    limiter.reset()
            with client.get(address, headers={"Accept-Language": language}) as answer:
                text = answer.get_data().decode("utf-8", "replace")
            status = answer.status_code
            if status < 400:
                answered.add(route)
            if status not in expected(folder, known, gone, route, address):
                wrong.append(f"{language} {address}: {status} {text[-200:]}")
            elif answer.mimetype == "text/html" and (slip := _SLIPS.search(text)):
                wrong.append(f"{language} {address} says {slip[0]!r}")
            elif status >= 400 and not said(answer):
                wrong.append(f"{language} {address}: {status} without a sentence")
    assert not wrong, "\n".join(wrong[:20])
    assert {route for route in every if route not in answered} == NOTHING_THERE, "routes without an answer"
    assert len(known) > 80 and {thing.kind for thing in known.values()} == {"cards", "table", "board"}


def chosen(route: str, number: int) -> bool:
    """Whether an address is asked in a language (both have a number): turn and turn about."""
    place, language = divmod(number, len(LANGUAGES))
    if _SLOW.search(route):
        return place % 6 == 3 * language
    return place % len(LANGUAGES) == language


def said(answer: Response) -> str:
    """The sentence with which something was refused."""
    if answer.is_json:
        return str((answer.json or {})["error"]["message"])
    page = answer.get_data(as_text=True)
    return page.partition("<main")[2]


def test_photos_of_every_game_are_found_with_their_game(folder: Folder) -> None:
    """One photo of a board that was taken over, and the list of photos was no more."""
    found = [
        photo
        for page in range(1, 4)
        for photo in folder.call("GET", f"/history/photos?page={page}")["photos"]
        if page <= folder.call("GET", "/history/photos")["pages"]
    ]
    by_id = {photo["tableau_id"]: photo for photo in found}
    for word in BOARDS:
        for what in ("waiting", "running", "failed", "pending", "accepted", "left", "finished", "disputed"):
            photo = by_id[folder.tableaus[f"{word} {what}"]]
            assert (photo["game"], photo["shared"], photo["cards"]) == (word, True, []), f"{word} {what}"
    for language, name in (("en", "Labyrinth 2"), ("ja", "ラビリンス 2")):
        told = {"Accept-Language": language}
        client = folder.app.test_client()
        pages = [client.get(f"/history/photos?q=Aya&page={number}", headers=told) for number in (1, 2, 3)]
        assert any(name in page.get_data(as_text=True) for page in pages)
    hidden = by_id[folder.tableaus["mission face down"]]
    assert hidden["shared"] and None not in hidden["cards"]
    for state in ("waiting", "running", "failed", "sure", "asks", "moved"):
        photo = by_id[folder.tableaus[f"quick {state}"]]
        assert not photo["shared"] and bool(photo["cards"]) == (state in ("sure", "asks", "moved"))
    absent = {
        "quick none",
        "quick deleted",
        "quick in the bin",
        "labyrinth2 in the bin",
        "mission in the bin",
    }
    assert not {folder.tableaus[what] for what in absent} & {*by_id}


@pytest.mark.parametrize("what", ["labyrinth2 pending", "mission open"])
def test_what_is_no_tableau_of_one_player_is_not_changed_as_one(folder: Folder, what: str) -> None:
    """A board has addresses of its own; a client that asks others changes nothing."""
    call, tableau = folder.call, folder.tableaus[what]
    before = call("GET", f"/tableaus/{tableau}")
    (shot, *_) = before["shots"]
    asked: list[tuple[str, str, Any]] = [
        ("POST", "dispute/settle", {"assumption": "direction:backwards", "version": before["version"]}),
        ("POST", "claims", {"who": "Ben", "words": "No."}),
    ]
    if what.startswith("labyrinth2"):
        asked += [
            ("DELETE", f"shots/{shot['id']}", None),
            ("POST", f"shots/{shot['id']}/use", None),
            ("POST", f"shots/{shot['id']}/leave", {}),
            ("POST", f"shots/{shot['id']}/restore", {}),
            ("POST", "answers", {"question": 0, "option": 0, "version": before["version"]}),
            ("POST", "undo", {"version": before["version"]}),
            ("POST", "move", {"entry_id": None, "version": before["version"]}),
        ]
    for method, path, body in asked:
        answer = folder.app.test_client().open(f"/api/v1/tableaus/{tableau}/{path}", method=method, json=body)
        assert answer.status_code in (400, 404) and said(answer), f"{path}: {answer.get_data(as_text=True)}"
    folder.app.test_client().delete(f"/api/v1/tableaus/{tableau}")
    assert call("GET", f"/tableaus/{tableau}") == before, "only with its game it goes into the bin"
