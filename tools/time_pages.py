"""How long every page and every list of the API takes on a data folder, as `tools/grow_data.py` makes one.

    .venv/bin/python tools/time_pages.py DIR [--limit 500]

Each address is asked once after the start and then a few times; the table has the first and the middle time
in processor milliseconds, and the size of the answer as sent. Ends with 1 where one takes longer than the
limit, or answers with an error."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path
from statistics import median

from flask.testing import FlaskClient
from sqlalchemy import select

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.games.digests import keep_digests
from webapp.http.services import KEY, Services
from webapp.store.models import Entry, Game, Person, Tableau

TIMES = 3
#: Made piece by piece while they are sent, however long that takes.
STREAMED = ("/export/", "/log")


def addresses(services: Services, client: FlaskClient) -> list[str]:
    """All GET addresses of the app that need no parameters other than ids."""
    with services.database.snapshot() as session:
        game = session.scalars(select(Game).order_by(Game.created_at.desc()).offset(3)).first()
        assert game is not None
        entry = session.scalars(select(Entry).where(Entry.round_id == game.rounds[0].id)).first()
        assert entry is not None
        tableau = session.scalar(select(Tableau).where(Tableau.entry_id == entry.id))
        assert tableau is not None
        person = session.scalars(select(Person)).first()
        assert person is not None
        parts = {
            "game_id": game.id,
            "entry_id": entry.id,
            "tableau_id": tableau.id,
            "person_id": person.id,
            "number": 1,
            "sha256": tableau.shots[0].photo_id,
            "longest_px": 480,
            "card_id": services.catalogue.cards[0].id,
        }
    found = []
    with client.application.test_request_context():
        adapter = client.application.url_map.bind("localhost")
        for rule in client.application.url_map.iter_rules():
            if "GET" in (rule.methods or ()) and rule.arguments <= parts.keys() and rule.endpoint != "static":
                found.append(adapter.build(rule.endpoint, {name: parts[name] for name in rule.arguments}))
    card = services.catalogue.cards[0].id
    searches = ["/history?q=player+3", "/history?page=40", "/history/photos?q=player+3+2019"]
    searches += [f"/history/photos?q={card}", "/history/photos?page=600", "/history/photos?outside=1"]
    searches += [
        f"/history?person={person.id}",
        "/api/v1/history/photos?q=evening+77",
        "/api/v1/games?state=open",
    ]
    return sorted(set(found)) + searches


def ask(client: FlaskClient, address: str) -> tuple[float, int, int]:
    """Processor time in ms, status and size in bytes of the answer to a request."""
    began = time.process_time()
    answer = client.get(address, headers={"Accept-Encoding": "gzip"})
    size = len(answer.get_data())
    return 1000 * (time.process_time() - began), answer.status_code, size


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=500, help="milliseconds")
    parser.add_argument("--exports", action="store_true", help="time what is streamed, too")
    arguments = parser.parse_args()
    app = create_app(ServerConfig(data=arguments.folder, scan_workers=0, requests_per_minute=100_000))
    services: Services = app.extensions[KEY]
    began = time.process_time()
    counted = sum(keep_digests(services.database))
    print(f"digests of {counted} games: {time.process_time() - began:.1f} s")
    client, failed = app.test_client(), 0
    print(f"{'address':64}{'first':>9}{'then':>9}{'bytes':>12}")
    for address in addresses(services, client):
        streamed = any(part in address for part in STREAMED)
        if streamed and not arguments.exports:
            continue
        first, status, size = ask(client, address)
        then = median(ask(client, address)[0] for _ in range(TIMES if first < 5000 else 1))
        bad = status >= 500 or (not streamed and max(first, then) > arguments.limit)
        failed += bad
        note = "" if status < 400 else f"  {status}"
        print(f"{address[:62]:64}{first:9.0f}{then:9.0f}{size:12}{note}{'  SLOW' if bad else ''}", flush=True)
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
    print(f"{failed} over {arguments.limit:.0f} ms")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
