"""How many taps a careful person needs to trace a box: the machine's real proposals, the app's real edits.

    python -m tools.trace_taps --data DIR [--catalogue DIR] [--cards 30] [--seed 1]

A box of cards of the catalogue is made in the data folder, with worn faces and no dungeon. A simulated person
goes through it in the app's order, over HTTP, until each card is what the catalogue declares
(`calibration.enrol.propose.comparison`: the exact links), and counts each tap that the page would take:

- a guess in doubt: one, and one to be led to the first; a pit one more, for where it leads;
- something to be mended: one to choose it, one to erase it, drag it, or tell its level or a coin's worth; two
  for another kind of find (and one for a coin's worth);
- something to be drawn: one for another tool than the one in hand, one for another kind of find, one for a
  coin's worth, one to put it down; a corridor is one stroke, a room one drag, or a tap a corner and one to
  close it; stairs and pits one more, for where they lead;
- a card of the same layout: one; "the card is right": one, two more where something does not hang together.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from flask.testing import FlaskClient
from shapely.geometry import LineString, MultiLineString, Polygon
from shapely.ops import linemerge
from shapely.validation import make_valid

from calibration.enrol.catalogue_folder import changed_catalogue, new_catalogue, write_whole
from calibration.enrol.faces.store import png
from calibration.enrol.propose.comparison import compare
from calibration.enrol.trace.tracing import (
    Change,
    Confirm,
    Corridor,
    Door,
    Edit,
    Erase,
    EraseCorridor,
    Find,
    Lead,
    Move,
    Opening,
    Outline,
    Stairs,
    Tracing,
    with_tracing,
)
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Card, Catalogue, Point, load_catalogue
from vision.cards.index import read_art
from waymark.bench_proposals import worn_face
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.decks.enrolling import propose_dungeons
from webapp.decks.shelf import DECKS

BOX = "taps"
#: Distance (mm) within which two places count as the same, and within which two lines run beside each
#: other.
SAME_MM, BESIDE_MM = 2.0, 2.5
#: Shares: of a line along the same line; of a complete line; and the overlap of the same room.
ALONG, WHOLE, OVERLAP = 0.8, 0.92, 0.85
#: Limits of edits for one card, and of tries for one fault.
MOST_EDITS, MOST_TRIES = 80, 2
SECONDS_A_TAP = 2.0
#: Cards after which dungeons are proposed again.
LEARN_AFTER = (1, 2, 4, 6, 8, *range(10, 200, 10))


@dataclass(frozen=True)
class Spot:
    """A place of a dungeon: a node, or a find in a room (`room`)."""

    id: str
    kind: str
    at: Point
    level: str
    find: str = ""
    value: int = 1
    room: bool = False


def spots_of(tracing: Tracing) -> list[Spot]:
    """All places of a tracing except corridor junctions."""
    found = [
        Spot(node.id, node.kind, node.at, node.level, node.find or "", node.value)
        for node in tracing.nodes
        if node.kind != "junction"
    ]
    for room in tracing.rooms:
        found += [Spot(f.id, "find", f.at, room.level, f.find, f.value, room=True) for f in room.finds]
    return found


def told_tracing(view: dict[str, Any]) -> Tracing:
    """The tracing in the API's answer, converted to a `Tracing`."""
    plain = {
        "nodes": [{k: v for k, v in node.items() if v is not None} for node in view["nodes"]],
        "edges": [
            {"kind": each["kind"], "from": each["a"], "to": each["b"], "via": each["line"][1:-1]}
            | ({"level": each["level"]} if each["level"] else {})
            for each in view["edges"]
        ],
        "rooms": view["rooms"],
    }
    return msgspec.convert(plain, Tracing)


def lines_of(tracing: Tracing) -> list[tuple[int, str, LineString]]:
    """Corridors as (index, level, polyline)."""
    at = {spot.id: spot.at for spot in spots_of(tracing)} | {node.id: node.at for node in tracing.nodes}
    level = {node.id: node.level for node in tracing.nodes}
    return [
        (
            number,
            edge.level or level.get(edge.from_, "main"),
            LineString([at[edge.from_], *edge.via, at[edge.to]]),
        )
        for number, edge in enumerate(tracing.edges)
        if edge.kind == "corridor"
    ]


def along(line: LineString, others: list[LineString]) -> float:
    """Share (0 to 1) of a line's length that runs within `BESIDE_MM` of other lines."""
    if line.length < 0.2 or not others:
        return float(line.length < 0.2)
    near = MultiLineString(others).buffer(BESIDE_MM)
    return float(line.intersection(near).length / line.length)


def common(one: tuple[Point, ...], other: tuple[Point, ...]) -> float:
    """Intersection over union (0 to 1) of two rooms' outlines."""
    a, b = make_valid(Polygon(one)), make_valid(Polygon(other))
    return float(a.intersection(b).area / a.union(b).area)


@dataclass
class Person:
    """Simulated person who traces one card; `taps` counts the taps."""

    client: FlaskClient
    declared: Card
    size_mm: Point
    view: dict[str, Any]
    taps: int = 0
    tool: str = "look"
    find: tuple[str, int] = ("", 1)
    edits: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    did: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"/api/v1/decks/{BOX}/cards/{self.declared.id}/tracing"

    @property
    def tracing(self) -> Tracing:
        return told_tracing(self.view)

    def exact(self) -> bool:
        """Whether the traced card equals the declared card, by `comparison`'s exact links."""
        made = with_tracing(self.declared, self.tracing, "proposed")
        return compare(made, self.declared).exact.found == 1

    def send(self, edit: Edit, taps: int, tool: str = "look") -> bool:
        """Send an edit with a tool and count its taps; returns whether the server accepted it."""
        self.taps += taps + (tool != self.tool)
        self.tool = tool
        self.edits += 1
        body = {"version": self.view["version"], "edit": msgspec.to_builtins(edit), "reach_mm": 1.6}
        answer = self.client.post(f"{self.address}/edits", json=body)
        self.did.append(f"{type(edit).__name__} {answer.status_code}")
        if answer.status_code == 200:
            self.view = answer.get_json()
        return answer.status_code == 200

    # --- looking at what is in doubt ---

    def look_at_doubts(self) -> None:
        """Settle the doubts one after the other, in the order of the page's button."""
        if self.view["doubts"]:
            self.taps += 1
        while self.view["doubts"] and self.edits < MOST_EDITS:
            if not self._settle(self.view["doubts"][0]):
                break

    def _settle(self, name: str) -> bool:
        tracing, true = self.tracing, self.declared
        if name.startswith("edge "):
            number = int(name.removeprefix("edge "))
            right = number in self._right_edges(tracing)
            return self.send(Confirm(edge=number) if right else EraseCorridor(edge=number), 1)
        room = next((room for room in tracing.rooms if room.id == name), None)
        if room is not None:
            right = any(common(room.outline, other.outline) > 0.6 for other in true.rooms)
            return self.send(Confirm(place=name) if right else Erase(place=name), 1)
        spot = next((spot for spot in spots_of(tracing) if spot.id == name), None)
        if spot is None:
            return self.send(Confirm(place=name), 1)
        twin = self._twin(spot)
        if twin is None:
            return self.send(Erase(place=name), 1)
        if not spot.find:
            return self.send(Confirm(place=name), 1)
        made = self.send(Change(place=name, find=twin.find, value=twin.value), 1)  # type: ignore[arg-type]
        return made and self._lead(twin, name)

    def _lead(self, twin: Spot, name: str) -> bool:
        """State the goal of a pit or of stairs, as the page asks for it."""
        kind = {"pitfall": "fall", "": "stairs"}.get(twin.find)
        at = {spot.id: spot.at for spot in self._true()} | {node.id: node.at for node in self.declared.nodes}
        for edge in self.declared.edges:
            if edge.kind == kind and twin.id in (edge.from_, edge.to):
                other = edge.to if edge.from_ == twin.id else edge.from_
                self.send(Lead(place=name, at=at[other]), 1)
                break
        return True

    # --- mending ---

    def mend(self) -> bool:
        """Correct one fault; False where no visible fault is left."""
        for key, work in self._faults():
            if self.tried[key] < MOST_TRIES and self.edits < MOST_EDITS:
                self.tried[key] += 1
                for edit, taps, tool in work:
                    self.send(edit, taps, tool)
                return True
        return False

    def _faults(self) -> Iterator[tuple[str, list[tuple[Edit, int, str]]]]:
        tracing, true = self.tracing, self.declared
        for room in tracing.rooms:
            if all(common(room.outline, other.outline) < OVERLAP for other in true.rooms):
                yield f"no room {room.outline}", [(Erase(place=room.id), 2, "look")]
        right = self._right_edges(tracing)
        for number, _level, line in lines_of(tracing):
            if number not in right:
                yield f"no way {line.wkt}", [(EraseCorridor(edge=number), 2, "look")]
        for spot in spots_of(tracing):
            if self._twin(spot) is None and not (spot.kind == "end" and self._goes_on(spot)):
                yield f"no {spot}", [(Erase(place=spot.id), 2, "look")]
        for room in true.rooms:
            if all(common(room.outline, other.outline) < OVERLAP for other in tracing.rooms):
                taps = 1 if _is_upright(room.outline) else len(room.outline) + 1
                yield f"room {room.id}", [(Outline(corners=room.outline, level=room.level), taps, "room")]
        wanted = self._true()
        there = {twin.id for spot in spots_of(tracing) if (twin := self._twin(spot)) is not None}
        missing = [spot for spot in wanted if spot.id not in there]
        for spot in missing:
            if spot.kind == "door":
                yield f"door {spot.id}", [(Door(at=spot.at), 1, "gate")]
            elif spot.kind == "opening":
                yield f"opening {spot.id}", [(Opening(at=spot.at, level=spot.level), 1, "gate")]  # type: ignore[arg-type]
        drawn = [(level, line) for number, level, line in lines_of(tracing) if number in right]
        for level in ("main", "underground"):
            there_already = [line for its, line in drawn if its == level]
            lines = [line for _, its, line in lines_of(self._whole()) if its == level]
            lacking = [line for line in lines if along(line, there_already) < WHOLE]
            # What hangs together is one stroke.
            for line in getattr(linemerge(lacking), "geoms", [linemerge(lacking)]) if lacking else ():
                points = tuple((float(x), float(y)) for x, y in line.coords)
                yield f"way {line.wkt}", [(Corridor(points=points, level=level), 1, "corridor")]
        for spot in missing:
            if spot.find:
                told = (spot.find, spot.value)
                taps = 1 + (told[0] != self.find[0]) + (spot.find == "coin" and told != self.find)
                self.find = told
                edit = Find(at=spot.at, find=spot.find, value=spot.value, level=spot.level)  # type: ignore[arg-type]
                yield f"find {spot.id}", [(edit, taps, "find")]
            elif spot.kind == "stairs":
                yield f"stairs {spot.id}", [(Stairs(at=spot.at, level=spot.level), 1, "stairs")]  # type: ignore[arg-type]
        for spot in spots_of(tracing):
            twin = self._twin(spot)
            if twin is None:
                continue
            if (spot.find, spot.value) != (twin.find, twin.value):
                taps = (1 if spot.find == twin.find else 3) + (twin.find == "coin")
                change = Change(place=spot.id, find=twin.find, value=twin.value)  # type: ignore[arg-type]
                yield f"another {twin.id}", [(change, taps, "look")]
            elif math.dist(spot.at, twin.at) > SAME_MM:
                yield f"move {twin.id}", [(Move(place=spot.id, at=twin.at), 2, "look")]
        yield from self._leads(tracing)
        for spot in spots_of(tracing):
            if spot.kind == "end" and self._twin(spot) is None:
                yield f"end {spot.at}", [(Erase(place=spot.id), 2, "look")]

    def _whole(self) -> Tracing:
        card = self.declared
        return Tracing(nodes=card.nodes, edges=card.edges, rooms=card.rooms)

    def _goes_on(self, end: Spot) -> bool:
        """Whether the declared card has a place near a corridor's end, so that the corridor should
        continue."""
        return any(
            math.dist(end.at, node.at) <= 2 * SAME_MM and node.level == end.level
            for node in self.declared.nodes
        )

    def _leads(self, tracing: Tracing) -> Iterator[tuple[str, list[tuple[Edit, int, str]]]]:
        """Edits for stairs and pits with a wrong goal or none."""
        here = {node.id: node.at for node in tracing.nodes} | {s.id: s.at for s in spots_of(tracing)}
        true = {node.id: node.at for node in self.declared.nodes} | {s.id: s.at for s in self._true()}
        twins = {twin.id: spot.id for spot in spots_of(tracing) if (twin := self._twin(spot)) is not None}
        for edge in self.declared.edges:
            if edge.kind == "corridor" or edge.from_ not in twins:
                continue
            place, goal = twins[edge.from_], true[edge.to]
            led = [
                here[each.to if each.from_ == place else each.from_]
                for each in tracing.edges
                if each.kind == edge.kind and place in (each.from_, each.to)
            ]
            if not any(math.dist(at, goal) <= 2 * SAME_MM for at in led):
                # Just put down it is asked at once; else it is chosen, and "it leads elsewhere".
                yield f"lead {edge.from_}", [(Lead(place=place, at=goal), 3 if led else 1, self.tool)]

    def _true(self) -> list[Spot]:
        return spots_of(self._whole())

    def _twin(self, spot: Spot) -> Spot | None:
        """The declared place of the same kind and level that is nearest to a traced place; None beyond 2
        * `SAME_MM`."""
        near = [
            (math.dist(spot.at, true.at), true.id, true)
            for true in self._true()
            if true.kind == spot.kind and true.level == spot.level
        ]
        near = [each for each in near if each[0] <= 2 * SAME_MM]
        return min(near)[2] if near else None

    def _right_edges(self, tracing: Tracing) -> set[int]:
        """Indices of the traced corridors that run along declared ones."""
        true = lines_of(self._whole())
        return {
            number
            for number, level, line in lines_of(tracing)
            if along(line, [other for _, its, other in true if its == level]) >= ALONG
        }


def _is_upright(outline: tuple[Point, ...]) -> bool:
    """Whether a room is a rectangle parallel to the card's sides, which one drag draws."""
    box = Polygon(outline).envelope
    return bool(Polygon(outline).area > 0.97 * box.area)


def trace_card(client: FlaskClient, declared: Card, catalogue: Catalogue) -> tuple[Person, bool]:
    """Trace a card to its end; returns the simulated person and whether the result equals the declared
    card."""
    address = f"/api/v1/decks/{BOX}/cards/{declared.id}/tracing"
    view = client.get(address).get_json()
    person = Person(client, declared, catalogue.size_of(declared.id), view)
    person.look_at_doubts()
    while not person.exact() and person.mend():
        person.look_at_doubts()
    right = person.exact()
    person.taps += 1 + 2 * bool(person.view["problems"])
    body = {"version": person.view["version"], "anyway": True, "effort": {"taps": person.taps}}
    answer = client.post(f"{address}/done", json=body)
    assert answer.status_code == 200, answer.get_json()
    return person, right


def make_box(folder: Path, catalogue: Catalogue, cards: list[Card]) -> None:
    """Create a catalogue folder with these cards: degraded faces and no dungeons."""
    new = new_catalogue("Taps", catalogue.game, catalogue.card_size_mm)
    with changed_catalogue(folder, new) as told:
        for card in cards:
            art = read_art(catalogue.art_path(card))
            assert art is not None, card.id
            face = worn_face(
                np.asarray(art, np.uint8), catalogue.size_of(card.id), zlib.crc32(card.id.encode())
            )
            write_whole(folder / f"art/{card.id}.png", png(face))
            entry = {"id": card.id, "kind": card.kind, "art": f"art/{card.id}.png", "traced": "no"}
            told["cards"].append({**entry, "nodes": [], "edges": [], "rooms": []})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--catalogue", type=Path, default=bundled_catalogue())
    parser.add_argument("--cards", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    catalogue = load_catalogue(options.catalogue)
    layouts = {msgspec.json.encode((c.nodes, c.edges, c.rooms)): c for c in catalogue.cards if c.nodes}
    chosen = list(layouts.values())
    order = np.random.default_rng(options.seed).permutation(len(chosen))[: options.cards]
    cards = [chosen[k] for k in order]
    folder = options.data / DECKS / BOX
    make_box(folder, catalogue, cards)
    client = create_app(
        ServerConfig(data=options.data, scan_workers=0, requests_per_minute=10**6)
    ).test_client()
    by_id = {card.id: card for card in cards}
    propose_dungeons(folder)
    done: list[dict[str, Any]] = []
    at: str | None = client.get(f"/api/v1/decks/{BOX}/cards/{cards[0].id}/tracing").get_json()["next_card"]
    while at is not None and len(done) < len(cards):
        person, right = trace_card(client, by_id[at], catalogue)
        done.append({"card": at, "taps": person.taps, "right": right, "did": person.did})
        print(f"{len(done):3d} {at:12s} {person.taps:3d} taps{'' if right else '  NOT RIGHT'}", flush=True)
        if len(done) in LEARN_AFTER and len(done) < len(cards):
            propose_dungeons(folder)
        at = client.get(f"/api/v1/decks/{BOX}/cards/{at}/tracing").get_json()["next_card"]
    (options.data / "taps.json").write_text(json.dumps(done, indent=1))
    first, later = ([each["taps"] for each in part] for part in (done[:10], done[10:]))
    wrong = [each["card"] for each in done if not each["right"]]
    print(f"first ten: median {statistics.median(first):g}, {sum(first)} taps in all")
    if later:
        mean = statistics.mean(later)
        whole = sum(first) + 62 * mean
        print(f"after ten ({len(later)} cards): median {statistics.median(later):g}, mean {mean:.1f}")
        print(f"a box of 72: {whole:.0f} taps, {whole * SECONDS_A_TAP / 60:.1f} minutes")
    print(f"not as declared in the end: {len(wrong)} of {len(done)} {wrong}")


if __name__ == "__main__":
    main()
