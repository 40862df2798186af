"""Photos that were read as their truth says, or with a doubt about it, without reading them."""

from __future__ import annotations

import json
from dataclasses import replace
from uuid import uuid4

import msgspec
from flask import Flask
from live_server import PHOTOS
from shared_readings import have_read

from scorer.record import Record
from vision.questions import REASONS, Question
from vision.scan import Scan
from waymark.review.pipeline import decode_reading
from webapp.games.games import tableau_of_entry
from webapp.http.services import KEY, Services
from webapp.store.models import Entry, Shot, Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, rereading, take_reading


def true_reading(photo: str) -> Scan:
    """What a perfect reader reads in a photo that ships, such as "table-07"."""
    truth = json.loads((PHOTOS / f"{photo}.truth.json").read_bytes())
    told = {key: truth[key] for key in ("tableau", "cards", "path_px")}
    size = {"width": truth["photo"]["width"], "height": truth["photo"]["height"]}
    return msgspec.convert({"photo": size, **told, "questions": [], "sure": True}, Scan)


def photo_that_asks(photo: str) -> bytes:
    """A photo that ships (a JPEG), in which every test's server reads the path without its last stretch, and
    asks whether it runs on to where it truly ends."""
    data = (PHOTOS / f"{photo}.jpg").read_bytes() + uuid4().bytes
    true = true_reading(photo)
    (stroke,), (line,) = true.tableau.path, true.path_px
    short = msgspec.structs.replace(true.tableau, path=(stroke[:-1],))
    question = Question("path", stroke[-2], ("it ends", "it runs on"), *REASONS["faint"].pair)
    asked = replace(question, alternatives=(true.tableau,), name=f"path:faint:{stroke[-2]}")
    have_read(data, replace(true, tableau=short, path_px=(line[:-1],), questions=(asked,), sure=False))
    return data


def put_reading(app: Flask, entry_id: str, photo: str, reading: Scan | None = None) -> None:
    """Give a player's round a photo that was read as its truth says, or as `reading`."""
    services: Services = app.extensions[KEY]
    stored = store_original(services.photos, (PHOTOS / f"{photo}.jpg").read_bytes())
    with services.database.transaction() as session:
        shot = add_shot(session, tableau_of_entry(session, session.get_one(Entry, entry_id)), stored)
        session.flush()
        take_reading(session, services.catalogue, shot, reading or true_reading(photo))


def put_reread(app: Flask, tableau_id: str) -> None:
    """Read the ink again that waits for it, on the cards as they were corrected: less of the path is seen."""
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        tableau = session.get_one(Tableau, tableau_id)
        shot, used = rereading(session, tableau), session.get_one(Shot, tableau.shot_id)
        assert shot is not None and shot.state == "waiting"
        scan = decode_reading(used.reading or b"")
        cards = msgspec.convert(tableau.record, Record).cards
        shorter = tuple(stroke[:3] for stroke in scan.tableau.path)
        seen = msgspec.structs.replace(scan.tableau, cards=cards, path=shorter)
        lines = tuple(() for _ in shorter)
        take_reading(session, services.catalogue, shot, replace(scan, tableau=seen, path_px=lines))
