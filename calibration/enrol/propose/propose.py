"""Proposed dungeon of a card: assembled from centre lines, openings, doors, stairs and icons, checked and
written as nodes and edges."""

from __future__ import annotations

import math
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point as ShapelyPoint

from calibration.enrol.card_geometry import contract_problems, reachable_places
from calibration.enrol.propose.centre_lines import Array, resampled
from calibration.enrol.propose.confidence import confident
from calibration.enrol.propose.draft import (
    FAINT,
    FIND_TO_JOINT_MM,
    FIND_TO_LINE_MM,
    LEAST,
    LEVELS,
    Draft,
    Place,
    SeenFind,
    SeenRoom,
    Spot,
    off_line,
    spots,
)
from calibration.enrol.propose.drawing import FIND
from calibration.enrol.propose.icons import guessed, naming, printed_at
from calibration.enrol.propose.knowledge import MOST_USUAL, Habits, Knowledge
from calibration.enrol.propose.openings import (
    bridge_gaps,
    find_doors,
    find_openings,
    keep_one_line_an_end,
    keep_one_opening_a_place,
    lead_on,
    withhold_stubs,
)
from calibration.enrol.propose.parts import Sight, look
from calibration.enrol.propose.stairs import find_landings, stand_stairs, told_by_prints
from scorer.catalogue import Card, CardKind, Edge, Level, Node, Point, Room, RoomFind

#: A proposal has so many parts that mending it takes no longer.
_ROUNDS = 200


def sound(card: Card, size_mm: Point) -> Card:
    """The card without contradictory or unreachable parts. It has no dungeon where nothing is left."""
    for _ in range(_ROUNDS):
        card = _reached(card)
        problems = [p for p in contract_problems(card, size_mm) if p.code != "landing-missing"]
        if not problems:
            break
        problem = problems[0]
        if problem.code in ("same-level-crossing", "bad-fall", "bad-stairs", "wrong-level", "unknown-id"):
            names = set(problem.place.split())
            rivals = [e for e in card.edges if f"{e.from_}-{e.to}" in names] or list(card.edges)
            worst = min(rivals, key=lambda edge: edge.confidence or 0.0)
            card = msgspec.structs.replace(card, edges=tuple(e for e in card.edges if e is not worst))
        else:
            card = _without(card, {problem.place})
    else:
        card = msgspec.structs.replace(card, nodes=(), edges=(), rooms=())
    return _with_landings(card)


def _reached(card: Card) -> Card:
    """The card without the parts that cannot be reached from any opening."""
    reached = reachable_places(card)
    places = {node.id for node in card.nodes} | {room.id for room in card.rooms}
    places |= {find.id for room in card.rooms for find in room.finds}
    return _without(card, places - reached) if places - reached else card


def _without(card: Card, places: set[str]) -> Card:
    """The card without the given places and their edges. The doors and finds of a removed room are removed
    with it."""
    rooms = tuple(
        msgspec.structs.replace(room, finds=tuple(find for find in room.finds if find.id not in places))
        for room in card.rooms
        if room.id not in places
    )
    kept = {room.id for room in rooms}
    nodes = tuple(n for n in card.nodes if n.id not in places and (n.room is None or n.room in kept))
    names = {node.id for node in nodes} | {find.id for room in rooms for find in room.finds}
    edges = tuple(edge for edge in card.edges if edge.from_ in names and edge.to in names)
    return msgspec.structs.replace(card, nodes=nodes, edges=edges, rooms=rooms)


def _with_landings(card: Card) -> Card:
    """The card without pits that have no landing, since such a find is not a pit but another, unknown
    thing."""
    landed = {edge.from_ for edge in card.edges if edge.kind == "fall"}
    lost = {node.id for node in card.nodes if node.find == "pitfall"} - landed
    lost |= {find.id for room in card.rooms for find in room.finds if find.find == "pitfall"} - landed
    return _without(card, lost) if lost else card


#: A line is hardly likelier than its weakest part.
_OVER = 0.2
_LETTERS = {"left": "w", "right": "e", "top": "n", "bottom": "s"}


def written(draft: Draft, id_: str, kind: Any, art: str) -> Card:
    """The card with the draft's nodes, edges and rooms, each with its confidence."""
    writing = _Writing(draft)
    for level in LEVELS:
        writing.write_level(level)
    rooms = [writing.room(room) for room in draft.rooms]
    writing.write_stairs_and_falls()
    return Card(
        id=id_,
        kind=kind,
        art=art,
        traced="proposed",
        nodes=tuple(writing.nodes),
        edges=tuple(writing.edges),
        rooms=tuple(rooms),
    )


class _Writing:
    """Conversion of a draft into nodes and edges, with the ids assigned to them."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._names: dict[tuple[Level, int], str] = {}
        self._counts: dict[str, int] = {}
        self._pits = {id(find) for find, _, _ in draft.falls}
        self._pit_ids: dict[int, str] = {}
        self._stairs_ids: dict[int, list[str]] = {}
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []

    def write_level(self, level: Level) -> None:
        """Add the joints of a level as nodes, and its stretches as corridors."""
        net = self._draft.nets[level]
        for joint in sorted(net.joints, key=lambda j: (round(net.joints[j][1]), net.joints[j][0])):
            place = self._place_at(level, joint)
            if place is not None:
                self._add_node(level, joint, place)
        for stretch in net.stretches.values():
            a, b = (self._names[level, joint] for joint in stretch.ends)
            line = cv2.approxPolyDP(resampled(stretch.line, 0.5).astype(np.float32), 0.25, False)[1:-1, 0]
            self.edges.append(
                Edge(
                    kind="corridor",
                    level=level,
                    from_=a,
                    to=b,
                    via=tuple(_point(point, self._draft.size_mm) for point in line),
                    confidence=_told(min(stretch.chance, self._draft.weakest(level, stretch.line) + _OVER)),
                )
            )

    def _place_at(self, level: Level, joint: int) -> Place | None:
        """The place at a joint: the draft's place, a junction or an end. None for a joint of degree zero."""
        net = self._draft.nets[level]
        place = self._draft.places[level].get(joint)
        if place is not None:
            return place
        degree = len(net.at_joint(joint))
        if not degree:
            return None
        chance = float(np.mean([net.stretches[n].chance for n in net.at_joint(joint)]))
        return Place("end" if degree == 1 else "junction", chance)

    def _new_name(self, level: Level, place: Place) -> str:
        letter = {"opening": _LETTERS.get(place.side or "", "o"), "door": "d", "find": "f"}.get(place.kind)
        letter = letter or {"stairs": "t" if level == "main" else "v", "landing": "u", "end": "x"}.get(
            place.kind, "j"
        )
        self._counts[letter] = self._counts.get(letter, 0) + 1
        return f"{letter}{self._counts[letter]}"

    def _add_node(self, level: Level, joint: int, place: Place) -> None:
        name = self._names[level, joint] = self._new_name(level, place)
        find = place.find
        confidence = place.chance
        if find is not None:
            confidence = find.spot.chance * find.confidence
            self._pit_ids[id(find)] = name
        if place.pair is not None:
            self._stairs_ids.setdefault(place.pair, []).append(name)
        self.nodes.append(
            Node(
                id=name,
                kind="junction" if place.kind == "landing" else place.kind,  # type: ignore[arg-type]
                at=_point(self._draft.nets[level].joints[joint], self._draft.size_mm),
                level=level,
                side=place.side,
                room=place.room,
                find=None if find is None else "pitfall" if id(find) in self._pits else find.find,
                value=1 if find is None or id(find) in self._pits else find.value,
                confidence=_told(confidence),
            )
        )

    def room(self, room: SeenRoom) -> Room:
        """The catalogue's form of a detected room with its finds."""
        finds = []
        for k, find in enumerate(room.finds, start=1):
            pit = id(find) in self._pits
            self._pit_ids[id(find)] = f"{room.id}{k}"
            finds.append(
                RoomFind(
                    id=f"{room.id}{k}",
                    find="pitfall" if pit else find.find,
                    at=_point(find.spot.at, self._draft.size_mm),
                    value=1 if pit else find.value,
                    confidence=_told(find.spot.chance * find.confidence),
                )
            )
        outline = tuple(_point(point, self._draft.size_mm) for point in room.outline)
        return Room(id=room.id, outline=outline, finds=tuple(finds), confidence=_told(room.chance))

    def write_stairs_and_falls(self) -> None:
        """Add the edges between the levels. All nodes and rooms must be written before."""
        for number, ids in self._stairs_ids.items():
            if len(ids) < 2:  # something else took the place of its other end
                continue
            confidence = _told(self._draft.stairs[number])
            self.edges.append(Edge(kind="stairs", from_=ids[0], to=ids[1], confidence=confidence))
        for find, joint, chance in self._draft.falls:
            if id(find) in self._pit_ids:
                to = self._names.get(("underground", joint))
                if to:
                    from_ = self._pit_ids[id(find)]
                    self.edges.append(Edge(kind="fall", from_=from_, to=to, confidence=_told(chance)))


def _point(at: Any, size_mm: Array) -> Point:
    x, y = (round(float(np.clip(value, 0, limit)), 2) for value, limit in zip(at, size_mm, strict=True))
    return x, y


def _told(chance: float) -> float:
    return round(float(np.clip(chance, 0.01, 0.99)), 2)


def assembled(
    parts: NDArray[np.float32],
    size_mm: Point,
    finds: list[SeenFind],
    habits: Habits,
    like: tuple[str, Any, str],
) -> Card:
    """The card with the dungeon built from `parts` (8, H, W) and `finds`. `like`: the card's id, kind and
    art."""
    draft = Draft(parts, size_mm, finds, habits)
    for level in LEVELS:
        bridge_gaps(draft, level)
        find_openings(draft, level)
    keep_one_opening_a_place(draft)
    find_doors(draft)
    stand_stairs(draft)
    lay_finds(draft)
    for level in LEVELS:
        join_at_meetings(draft, level)
    find_landings(draft)
    for level in LEVELS:
        lead_on(draft, level)
        withhold_stubs(draft, level)
        lead_on(draft, level)
        draft.nets[level].make_single()
        keep_one_line_an_end(draft, level)
    return written(draft, *like)


#: How sure the kind is of a find that no named icon is like.
_UNNAMED_CONFIDENCE = 0.1
#: How surely an icon is named for it to overrule what the lines say of it.
_NAMED = 0.35
#: What is less alike by so much than the deck's repeats are is none of the named icons: it is like them from
#: the first on anywhere, and from the second on everywhere. On 60 cards of the open deck (tuning, ten traced;
#: repeats 0.42 to 0.53 alike) finds with a named icon were 0.5 alike and more, but for some pits, which lie
#: at any angle (0.38), and 24 spots that are none at most 0.4; on plates of one colour, whose repeats are
#: 0.96 alike, others are up to 0.62.
_NO_REPEAT, _LIKE_ICON = 0.25, (0.42, 0.7)
#: From so far off an icon is looked at once more; finds this near are one.
_LOOK_AGAIN_MM, _LOOKS, _ONE_FIND_MM = 1.5, 2, 3.0


def propose(
    face: NDArray[np.uint8],
    size_mm: Point,
    knowledge: Knowledge,
    *,
    like: Card | None = None,
    sight: Sight | None = None,
) -> Card:
    """A proposed dungeon for an upright face (H, W, 3) BGR: nodes, corridors, rooms and finds, each with the
    confidence that it is right.

    The dungeon obeys the catalogue's contract; where nothing was found, the card has none. `like` gives the
    card its id, kind and art. `sight` is the output of `look`, where it is already computed.
    """
    return confident(drafted(face, size_mm, knowledge, like=like, sight=sight), knowledge.cards)


def drafted(
    face: NDArray[np.uint8],
    size_mm: Point,
    knowledge: Knowledge,
    *,
    like: Card | None = None,
    sight: Sight | None = None,
) -> Card:
    """The dungeon of `propose`, in which a part's confidence is the chance of what was seen of it alone."""
    sight = sight or look(face, size_mm)
    if knowledge.style is not None:
        sight = knowledge.style.seen(sight)
    chances = told_by_prints(sight.chances(), face, size_mm, knowledge.prints, knowledge.stairs_likeness)
    px_per_mm = np.array(chances.shape[:0:-1], float) / np.asarray(size_mm)
    seen = [_named(face, size_mm, spot, knowledge) for spot in spots(chances, FIND, px_per_mm, FAINT[FIND])]
    finds = _one_a_place([find for find in seen if find is not None])
    name: tuple[str, CardKind, str] = (like.id, like.kind, like.art) if like else ("", "dungeon", "")
    return sound(assembled(chances, size_mm, finds, knowledge.habits, name), size_mm)


def _named(face: NDArray[np.uint8], size_mm: Point, spot: Spot, knowledge: Knowledge) -> SeenFind | None:
    """The find at a spot, moved to the position of its icon. None where people traced such icons as no
    find."""
    least = float(np.clip(knowledge.likeness - _NO_REPEAT, *_LIKE_ICON))
    named = None
    for _ in range(_LOOKS):
        seen = printed_at(face, size_mm, spot.at.tolist(), marked=False)
        named = naming(seen, knowledge.prints, knowledge.likeness)
        if named is None or named.find is None or named.likeness < least:
            break
        spot = Spot(spot.at + named.off_mm, spot.chance)
        if math.hypot(*named.off_mm) < _LOOK_AGAIN_MM:
            break
    if named is None:
        return SeenFind(spot, MOST_USUAL, 1, _UNNAMED_CONFIDENCE, may_be_pit=True)
    if named.find is None:
        return None
    known = named.likeness >= least
    told = None
    if not known and knowledge.looks is not None:
        told = guessed(seen.as_marked, knowledge.looks)
    find, value = told or (named.find, named.value)
    # where pits are known by their icon, what does not look like one is none
    pit = find == "pitfall"
    if not any(each.find == "pitfall" for each in knowledge.prints):
        pit = named.confidence < _NAMED
    return SeenFind(spot, find, value, named.confidence, pit, known, not known)


def _one_a_place(finds: list[SeenFind]) -> list[SeenFind]:
    """Non-maximum suppression of finds: one find a place, known icons first, then the most probable."""
    kept: list[SeenFind] = []
    for find in sorted(finds, key=lambda each: (each.known, each.spot.chance), reverse=True):
        if all(math.dist(find.spot.at, other.spot.at) >= _ONE_FIND_MM for other in kept):
            kept.append(find)
    return kept


# --- finds --------------------------------------------------------------------------------------------------

#: What is like no icon that people have named is a find from this chance on: on 60 cards of the open deck
#: (tuning, ten traced) 10 such spots between 0.4 and it were none and one was, above it one was none.
_LEAST_STRANGER = 0.6
_AT_MEETING_MM = 3.5


def lay_finds(draft: Draft) -> None:
    """Assign each find to the room that contains it, or to the nearest line. Finds detected on stairs are
    dropped."""
    for find in draft.finds:
        at = find.spot.at
        least = _LEAST_STRANGER if find.stranger else LEAST[FIND]
        # a line ends at a find that nobody can name where that is a pit
        levels: tuple[Level, ...] = ("underground",) if find.stranger else LEVELS
        if find.spot.chance <= least and not find.known and not _ends_at(draft, at, levels):
            continue
        if not find.known and any(off_line(pair, at) < FIND_TO_JOINT_MM for pair in _stands(draft)):
            continue  # what is printed on the stairs
        room = next((room for room in draft.rooms if room.polygon.contains(ShapelyPoint(at))), None)
        if room is not None:
            room.finds.append(find)
            continue
        # what is drawn on a crossing lies on the upper level, but where only the lower one runs
        near = {each: draft.nets[each].nearest(at) for each in LEVELS}
        off = {each: away for each, (away, _) in near.items()}
        level: Level = "main" if off["main"] <= max(off["underground"], 2.0) else "underground"
        if (
            level == "main"
            and off["underground"] <= FIND_TO_LINE_MM
            and not _leads_out(draft, near["main"][1])
        ):
            level = "underground"
        if off[level] > FIND_TO_LINE_MM:
            continue
        joint = draft.joint_for(level, at, FIND_TO_JOINT_MM, FIND_TO_LINE_MM)
        if joint is not None and joint not in draft.places[level]:
            draft.nets[level].move(joint, at)
            draft.places[level][joint] = Place("find", find.spot.chance, find=find)


def _stands(draft: Draft) -> list[Array]:
    """The stairs in the draft, each as its two end points (2, 2) in mm."""
    ends: dict[int, list[Array]] = {}
    for level in LEVELS:
        for joint, place in draft.places[level].items():
            if place.pair is not None:
                ends.setdefault(place.pair, []).append(draft.nets[level].joints[joint])
    return [np.array(pair) for pair in ends.values()]


def _ends_at(draft: Draft, at: Array, levels: tuple[Level, ...]) -> bool:
    """Whether a line ends freely at a position, on a level where the deck has no dead ends."""
    return any(
        level not in draft.habits.dead_ends
        and any(
            np.hypot(*(draft.nets[level].joints[joint] - at)) <= FIND_TO_JOINT_MM
            for joint in draft.free_ends(level)
        )
        for level in levels
    )


def _leads_out(draft: Draft, number: int) -> bool:
    """Whether a line of the main level is connected to an opening, a door or stairs."""
    return any(
        joint in draft.places["main"]
        for joint in draft.nets["main"].hanging_together(draft.nets["main"].stretches[number].ends[0])
    )


def join_at_meetings(draft: Draft, level: Level) -> None:
    """Merge each find or stairs end with an adjacent junction a short step away."""
    net, places = draft.nets[level], draft.places[level]
    for joint, place in list(places.items()):
        for number in net.at_joint(joint) if place.kind in ("find", "stairs") else []:
            stretch = net.stretches.get(number)
            if stretch is None or stretch.length > _AT_MEETING_MM or stretch.ends[0] == stretch.ends[1]:
                continue
            other = stretch.ends[0] if stretch.ends[1] == joint else stretch.ends[1]
            if other not in places:
                at = net.joints[joint]
                net.merge(joint, other)
                net.move(joint, at)
                for loop in set(net.at_joint(joint)):
                    if net.stretches[loop].ends == (joint, joint):
                        del net.stretches[loop]
