"""Games as BoardGameGeek's XML of plays: a file to keep or to give to programs that read it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from webapp.games.final_view import FinalView
from webapp.log.bg_stats import GAME_NAME, minutes_played

#: What XML 1.0 cannot hold.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
        Xml.SubElement(play, "item", name=GAME_NAME, objecttype="thing")
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
