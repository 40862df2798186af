"""Games for other programs: for BG Stats a link (and its QR code) that opens the app with the play filled in,
and a file; for BoardGameGeek its XML of plays.

Nobody's BoardGameGeek number of the game is known to this project, so that both match it by name."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Xml

import msgspec

from scorer.games import game_named
from webapp.games.final_view import FinalView

CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Waymark"
#: Of a table at which nothing was played yet.
NO_GAMES = ("map-masters", "Map Masters")
#: What a game is called there whose word here is another.
_SOURCE_IDS = {"mapmasters": "map-masters"}
#: Longer links are cut off on their way in some apps; a QR code of more is not read by every phone.
MAX_LINK_CHARACTERS = 2000
MAX_QR_CHARACTERS = 1200
#: All of Waymark's ids are made from this one, so that the same thing has the same id in every export.
_NAMESPACE = uuid.UUID("6f8b9f0e-6d0b-4a39-9d0c-5b3c0d8e2a71")
_MINUTE = 60
#: What XML 1.0 cannot hold.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def stable_uuid(kind: str, name: str) -> str:
    """The UUID of a thing: importing it again changes it instead of adding another."""
    return str(uuid.uuid5(_NAMESPACE, f"{kind}:{name}"))


def utc_time(moment: datetime) -> str:
    """As BG Stats writes times."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def minutes_played(game: FinalView) -> int:
    """How long the game took, 0 where nobody knows."""
    if game.finished_at is None:
        return 0
    return max(0, round((game.finished_at - game.created_at).total_seconds() / _MINUTE))


def game_name(game: FinalView) -> str:
    """What the game is called."""
    return game_named(game.game).name.en


def source_id(game: FinalView) -> str:
    """The game's word for other programs."""
    return _SOURCE_IDS.get(game.game, game.game)


def create_play(game: FinalView) -> dict[str, Any]:
    """The play as `createPlay` takes it."""
    return {
        "sourceName": SOURCE,
        "sourcePlayId": game.id,
        "playDate": utc_time(game.created_at),
        "durationMin": minutes_played(game),
        "location": game.location,
        "board": "",
        "comments": game.notes,
        "game": {
            "name": game_name(game),
            "sourceGameId": source_id(game),
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": row.name,
                "sourcePlayerId": row.person_id,
                "startPlayer": row.seat_id == game.first_seat_id,
                "winner": row.rank == 1,
                "rank": row.rank,
                "role": row.colour,
                "score": row.total,
            }
            for row in game.rows
        ],
    }


def create_play_link(game: FinalView) -> str | None:
    """The link that opens BG Stats; without the notes where it would be too long, None where it still is.
    Colons and commas may stand in a query as they are, which leaves room for names."""
    for play in (create_play(game), {**create_play(game), "comments": ""}):
        link = CREATE_PLAY + quote(msgspec.json.encode(play).decode(), safe=":,")
        if len(link) <= MAX_LINK_CHARACTERS:
            return link
    return None


class BgStatsLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link that opens BG Stats with the play filled in; None where it would be too long to work. `qr` says
    whether it is short enough for a QR code."""

    link: str | None
    qr: bool


def bg_stats_link(game: FinalView) -> BgStatsLink:
    """The link for a game."""
    link = create_play_link(game)
    return BgStatsLink(link=link, qr=link is not None and len(link) <= MAX_QR_CHARACTERS)


def plays_file(games: Sequence[FinalView]) -> bytes:
    """A `.bgsplay` file of these games."""
    people = {row.person_id: row.name for game in games for row in game.rows}
    locations = sorted({game.location for game in games if game.location})
    person_refs = {person_id: number for number, person_id in enumerate(people, 1)}
    location_refs = {name: number for number, name in enumerate(locations, 1)}
    kinds = {source_id(game): game_name(game) for game in games} or {NO_GAMES[0]: NO_GAMES[1]}
    game_refs = {kind: number for number, kind in enumerate(kinds, 1)}
    content = {
        "about": f"Plays of {', '.join(kinds.values())}, written by {SOURCE}",
        "games": [
            {
                "id": game_refs[kind],
                "uuid": stable_uuid("game", kind),
                "name": name,
                "highestWins": True,
                "noPoints": False,
                "cooperative": False,
                "usesTeams": False,
            }
            for kind, name in kinds.items()
        ],
        "locations": [
            {"id": number, "uuid": stable_uuid("location", name), "name": name}
            for name, number in location_refs.items()
        ],
        "players": [
            {
                "id": person_refs[person_id],
                "uuid": stable_uuid("person", person_id),
                "name": name,
                "isAnonymous": False,
            }
            for person_id, name in people.items()
        ],
        "plays": [_play(game, game_refs, person_refs, location_refs) for game in games],
        # Nobody of the table is the one who imports.
        "userInfo": {"meRefId": 0},
    }
    return msgspec.json.format(msgspec.json.encode(content))


def _play(
    game: FinalView, kinds: dict[str, int], people: dict[str, int], locations: dict[str, int]
) -> dict[str, Any]:
    play = {
        "uuid": stable_uuid("play", game.id),
        "gameRefId": kinds[source_id(game)],
        "playDate": utc_time(game.created_at),
        "playDateYmd": int(game.created_at.astimezone().strftime("%Y%m%d")),
        "durationMin": minutes_played(game),
        "rounds": min(game.rounds_played, game.rounds),
        "board": "",
        "comments": game.notes,
        "usesTeams": False,
        "playerScores": [
            {
                "playerRefId": people[row.person_id],
                "score": str(row.total),
                "winner": row.rank == 1,
                "startPlayer": row.seat_id == game.first_seat_id,
                "rank": row.rank,
                "newPlayer": False,
                "seatOrder": row.seat_number,
                "role": row.colour,
            }
            for row in game.rows
        ],
    }
    if game.location:
        play["locationRefId"] = locations[game.location]
    return play


# --- BoardGameGeek ------------------------------------------------------------------------------------------


def plays_xml(games: Sequence[FinalView]) -> bytes:
    """The plays as UTF-8 XML. The game has no `objectid`: its number there is not known to this project."""
    plays = Xml.Element("plays", total=str(len(games)))
    for game in games:
        play = Xml.SubElement(
            plays,
            "play",
            id=game.id,
            date=game.created_at.astimezone().date().isoformat(),
            quantity="1",
            length=str(minutes_played(game)),
            incomplete=str(int(not game.complete)),
            nowinstats="0",
            location=_plain(game.location),
        )
        Xml.SubElement(play, "item", name=game_name(game), objecttype="thing")
        if game.notes:
            Xml.SubElement(play, "comments").text = _plain(game.notes)
        players = Xml.SubElement(play, "players")
        for row in game.rows:
            Xml.SubElement(
                players,
                "player",
                username="",
                name=_plain(row.name),
                startposition=str(row.seat_number),
                color=row.colour,
                score=str(row.total),
                new="0",
                rating="0",
                win=str(int(row.rank == 1)),
            )
    Xml.indent(plays)
    return bytes(Xml.tostring(plays, encoding="utf-8", xml_declaration=True))


def _plain(text: str) -> str:
    return _NOT_XML.sub("", text)
