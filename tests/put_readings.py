"""Photos of a player's round that were read as their truth says, without reading them."""

from __future__ import annotations

import json

import msgspec
from flask import Flask
from live_server import PHOTOS

from vision.scan import Scan
from webapp.models import Entry, Photo, Shot
from webapp.play.games import tableau_of_entry
from webapp.services import KEY, Services
from webapp.tableaus import take_reading


def put_reading(app: Flask, entry_id: str, photo: str) -> None:
    """Give a player's round a photo that was read as its truth says."""
    truth = json.loads((PHOTOS / f"{photo}.truth.json").read_bytes())
    told = {key: truth[key] for key in ("tableau", "cards", "path_px")}
    size = {"width": truth["photo"]["width"], "height": truth["photo"]["height"]}
    scan = msgspec.convert({"photo": size, **told, "questions": [], "sure": True}, Scan)
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        picture = Photo(id=entry_id.ljust(64, "0"), media_type="image/jpeg", size_bytes=1, **size)
        tableau = tableau_of_entry(session, session.get_one(Entry, entry_id))
        shot = Shot(tableau=tableau, photo=picture)
        session.add(shot)
        session.flush()
        take_reading(session, services.catalogue, shot, scan)
