"""Export of games to other programs: for BG Stats a link (and its QR code) that opens the app with the play
filled in, and a file; for BoardGameGeek its XML of plays.

The games' BoardGameGeek numbers are not known to this project, so both programs match a game by its name.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from tempfile import SpooledTemporaryFile
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Xml

import msgspec

from scorer.games import game_named
from scorer.play_kinds import TABLE, play_kind
from scorer.text import Language
from webapp.log.plays import Play

CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Waymark"
#: Game id and name of a table at which nothing was played yet.
NO_GAMES = ("map-masters", "Map Masters")
#: Ids of games in BG Stats that differ from those here.
_SOURCE_IDS = {"mapmasters": "map-masters"}
#: Longest link: some apps truncate longer ones, and not every phone reads a QR code of a longer one.
MAX_LINK_CHARACTERS = 2000
MAX_QR_CHARACTERS = 1200
#: Namespace of all of Waymark's ids, so that a thing has the same id in every export.
_NAMESPACE = uuid.UUID("6f8b9f0e-6d0b-4a39-9d0c-5b3c0d8e2a71")
_MINUTE = 60
_IN_MEMORY_BYTES = 1 << 18
#: Characters that XML 1.0 does not allow.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def stable_uuid(kind: str, name: str) -> str:
    """A deterministic UUID for a row, so that a repeated import updates instead of duplicating."""
    return str(uuid.uuid5(_NAMESPACE, f"{kind}:{name}"))


def utc_time(moment: datetime) -> str:
    """A time in BG Stats' format (UTC)."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def minutes_played(game: Play) -> int:
    """Duration of a game in minutes, 0 where it is unknown."""
    if game.finished_at is None:
        return 0
    return max(0, round((game.finished_at - game.created_at).total_seconds() / _MINUTE))


def game_name(game: Play) -> str:
    """Name of the game."""
    return game_named(game.game).name.en


def source_id(game: Play) -> str:
    """The game's identifier for other programs."""
    return _SOURCE_IDS.get(game.game, game.game)


def comments(game: Play, language: Language) -> str:
    """Notes of a game, preceded by the outcome of a game without a result."""
    end = game.about_its_end
    return "\n".join(filter(None, (end.message(language) if end is not None else "", game.notes)))


def create_play(game: Play, language: Language) -> dict[str, Any]:
    """The play in the format of BG Stats' `createPlay`."""
    return {
        "sourceName": SOURCE,
        "sourcePlayId": game.id,
        "playDate": utc_time(game.created_at),
        "durationMin": minutes_played(game),
        "location": game.location,
        "board": "",
        "comments": comments(game, language),
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
                "winner": game.is_winner(row),
                "rank": row.rank if game.won else 0,
                "role": row.colour,
                "score": row.total,
            }
            for row in game.rows
        ],
    }


def create_play_link(game: Play, language: Language) -> str | None:
    """The link that opens BG Stats. The notes are left out if it would be too long; None if it still is.
    Colons and commas are not escaped in the query, which leaves room for names."""
    whole = create_play(game, language)
    for play in (whole, {**whole, "comments": comments(replace(game, notes=""), language)}):
        link = CREATE_PLAY + quote(msgspec.json.encode(play).decode(), safe=":,")
        if len(link) <= MAX_LINK_CHARACTERS:
            return link
    return None


class BgStatsLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link that opens BG Stats with the play filled in; None where it would be too long to work. `qr` says
    whether it is short enough for a QR code."""

    link: str | None
    qr: bool


def bg_stats_link(game: Play, language: Language) -> BgStatsLink:
    """The BG Stats link for a game, and whether it fits in a QR code."""
    link = create_play_link(game, language)
    return BgStatsLink(link=link, qr=link is not None and len(link) <= MAX_QR_CHARACTERS)


def plays_file(games: Iterable[Play], language: Language) -> Iterator[bytes]:
    """A `.bgsplay` file of these games, streamed play by play; the referenced players, places and games
    follow at the end."""
    people, names = _References(), dict[str, str]()
    locations, kinds, titles = _References(), _References(), dict[str, str]()
    together = set[str]()
    yield b'{"plays":['
    for number, game in enumerate(games):
        names.update({row.person_id: row.name for row in game.rows})
        titles[source_id(game)] = game_name(game)
        if play_kind(game_named(game.game)) is TABLE:
            together.add(source_id(game))
        play = msgspec.json.encode(_play(game, language, kinds, people, locations))
        yield (b",\n" if number else b"\n") + play
    if not titles:
        kinds.number(NO_GAMES[0])
        titles = dict([NO_GAMES])
    rest = {
        "about": f"Plays of {', '.join(titles.values())}, written by {SOURCE}",
        "games": [
            {
                "id": number,
                "uuid": stable_uuid("game", kind),
                "name": titles[kind],
                "highestWins": True,
                "noPoints": False,
                "cooperative": kind in together,
                "usesTeams": False,
            }
            for kind, number in kinds.items()
        ],
        "locations": [
            {"id": number, "uuid": stable_uuid("location", name), "name": name}
            for name, number in locations.items()
        ],
        "players": [
            {
                "id": number,
                "uuid": stable_uuid("person", person_id),
                "name": names[person_id],
                "isAnonymous": False,
            }
            for person_id, number in people.items()
        ],
        # None of the table's players is assumed to be the importing person.
        "userInfo": {"meRefId": 0},
    }
    yield b"\n]," + msgspec.json.encode(rest)[1:]


class _References:
    """Referenced things, numbered from 1 in order of first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers) + 1)

    def items(self) -> Iterable[tuple[str, int]]:
        return self._numbers.items()


def _play(
    game: Play, language: Language, kinds: _References, people: _References, locations: _References
) -> dict[str, Any]:
    play = {
        "uuid": stable_uuid("play", game.id),
        "gameRefId": kinds.number(source_id(game)),
        "playDate": utc_time(game.created_at),
        "playDateYmd": int(game.created_at.astimezone().strftime("%Y%m%d")),
        "durationMin": minutes_played(game),
        "rounds": min(game.rounds_played, game.rounds),
        "board": "",
        "comments": comments(game, language),
        # BG Stats excludes such a play from its statistics.
        "ignored": not game.won,
        "usesTeams": False,
        "playerScores": [
            {
                "playerRefId": people.number(row.person_id),
                "score": str(row.total),
                "winner": game.is_winner(row),
                "startPlayer": row.seat_id == game.first_seat_id,
                "rank": row.rank if game.won else 0,
                "newPlayer": False,
                "seatOrder": row.seat_number,
                "role": row.colour,
            }
            for row in game.rows
        ],
    }
    if game.location:
        play["locationRefId"] = locations.number(game.location)
    return play


# --- BoardGameGeek ------------------------------------------------------------------------------------------


def plays_xml(games: Iterable[Play], language: Language) -> Iterator[bytes]:
    """The plays as UTF-8 XML, after their number. All plays are first written to the disk, since their number
    comes first. The game has no `objectid`: its number there is not known to this project."""
    total = 0
    with SpooledTemporaryFile(_IN_MEMORY_BYTES) as told:
        for game in games:
            told.write(b"\n  " + _play_xml(game, language))
            total += 1
        told.seek(0)
        end = ">" if total else " />"
        yield f"<?xml version='1.0' encoding='utf-8'?>\n<plays total=\"{total}\"{end}".encode()
        while piece := told.read(_IN_MEMORY_BYTES):
            yield piece
    if total:
        yield b"\n</plays>"


def _play_xml(game: Play, language: Language) -> bytes:
    play = Xml.Element(
        "play",
        id=game.id,
        date=game.created_at.astimezone().date().isoformat(),
        quantity="1",
        length=str(minutes_played(game)),
        incomplete=str(int(not game.won)),
        nowinstats=str(int(not game.won)),
        location=_plain(game.location),
    )
    Xml.SubElement(play, "item", name=game_name(game), objecttype="thing")
    if words := comments(game, language):
        Xml.SubElement(play, "comments").text = _plain(words)
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
            win=str(int(game.is_winner(row))),
        )
    Xml.indent(play, level=1)
    return bytes(Xml.tostring(play, encoding="utf-8")).rstrip()


def _plain(text: str) -> str:
    return _NOT_XML.sub("", text)
