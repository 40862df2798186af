"""Parameters of the path reader: links, ends, rooms, strokes, doubts and ink beside the path.

Scores are log-likelihood ratios in nats. Lengths that belong to the drawing are in corridor widths (6.3 mm on
the open deck), or distances beyond a corridor's or an icon's rim. A value without figures was set on the
tuning split of `samples/` while the reader was written; docs/experiments.md lists what the others were
measured on. Read a value through its module where it is used, never at import: `vision.parameters.varied`
sets another for a while.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """How lines and icons lie on cards."""

    #: Least distance of a line's middle from the wall of its corridor.
    wall_mm: float = 0.15
    #: Width of a corridor as a share of the card's shorter side, if neither the catalogue nor the art states
    #: it.
    usual_corridor_share: float = 0.10
    #: Diameter of an icon as a share of the card's shorter side, if neither states it.
    usual_icon_share: float = 0.12


@dataclass(frozen=True)
class OwnLines:
    """Detecting lines in another hue than the player's own pen."""

    #: Least visible length of a link's line for measuring whether the known pen drew it.
    told_mm: float = 2.0
    #: A line is another pen's if its hue difference exceeds that of most lines in the photo by more than this
    #: ...
    more_off_deg: float = 16.0
    #: ... and is itself more than this ...
    least_off_deg: float = 24.0
    #: ... or if it is more than this, whatever the other lines are.
    enough_off_deg: float = 38.0
    #: Least number of sampled points for measuring a line's hue ...
    least_stations: int = 10
    #: ... and least absorptance of the film (Euclidean norm over three channels).
    least_film_value: float = 0.08


@dataclass(frozen=True)
class Links:
    """The evidence of ink along a link for and against a line."""

    #: Cost of a sideways move by 0, 1, 2, 3 offsets from one station to the next (3 offsets are 56 degrees).
    sideways_nats: tuple[float, ...] = (0.0, 0.1, 0.5, 1.6)
    #: Most evidence of one station for a line ...
    station_for_nats: float = 2.0
    #: ... and most evidence against it.
    station_against_nats: float = 4.0
    #: Factor on the sum over stations: at a spacing of half a millimetre they are far from independent.
    independence_share: float = 0.35
    #: Distance from a plain place at which a line has reached the corridor that it takes.
    corner_corridors: float = 0.413
    #: Rings and strikes around a find extend this far beyond the icon's rim ...
    mark_beyond_mm: float = 1.85
    #: ... and stations there have this weight.
    mark_share: float = 0.35
    #: Least length with which the core of a link is weighted.
    least_core_mm: float = 3.0
    #: Share of its reach (`DrawingStyle.reach_mm`) within which a line may move sideways without cost ...
    aside_share: float = 0.6
    #: ... and cost at a station of each millimetre beyond.
    aside_nats_per_mm: float = 0.8
    #: Share of the evidence of a parallel line that is subtracted: floor that looks inked there is misjudged.
    beside_share: float = 0.8
    #: Length of the windows along a link; the worst window limits the score, as a line has no blank stretch
    #: ...
    window_mm: float = 8.0
    #: ... plus this tolerance.
    window_grace_nats: float = 4.0
    #: A link with a higher score than this is drawn, and its width is used as a pen width.
    surely_drawn_nats: float = 6.0
    #: Weight of ink as evidence for an underground corridor where a room lies above it.
    under_room_share: float = 0.15
    #: Depth in the room behind a door to which a line is searched.
    behind_door_corridors: float = 0.64
    #: Ink wider than a line by more than this is a scribbled-over wrong way, ...
    scribbled_mm: float = 1.5
    #: ... if the evidence against a third line is less than this.
    scribbled_third_nats: float = 5.0
    #: Cost of walking such a link. It is no more than the ends of a path cost, since a smear at the start of
    #: a path looks the same.
    scribbled_nats: float = 2.0


@dataclass(frozen=True)
class Ends:
    """Cost of a stroke's end by its place.

    Lines begin and end on the outer edge, in rooms, and on finds that stop or carry off the player; elsewhere
    only with strong ink.
    """

    #: Cost of an end on the outer edge.
    outer_nats: float = 0.5
    #: Cost of an end at a gate.
    gate_nats: float = 2.0
    #: Cost of an end on a find that stops a path.
    stop_nats: float = 2.0
    #: Cost of an end on any other find.
    find_nats: float = 4.0
    #: Cost of an end at a dead end.
    end_nats: float = 2.0
    #: Cost of an end in a room.
    room_nats: float = 3.0
    #: Cost of an end at an opening between cards.
    opening_nats: float = 4.5
    #: Cost of an end at any other place.
    place_nats: float = 5.0
    #: Cost of an end on a find in a room.
    room_find_nats: float = 6.0

    def at(self, kind: str) -> float:
        """Cost (nats) of a stroke's end at a place of this kind."""
        cost: float = getattr(self, f"{kind}_nats", self.place_nats)
        return cost


@dataclass(frozen=True)
class Walks:
    """Priors for and against walking a link, besides its ink."""

    #: Cost of each end of a single line beyond two, except at gates.
    further_end_nats: float = 5.0
    #: Cost per hidden millimetre: of two ways under a pen, the shorter one is chosen.
    unseen_nats_per_mm: float = 0.03
    #: Bonus for a hidden link to a circled find that no visible line reaches: the player who circled it went
    #: there.
    circled_way_nats: float = 3.0
    #: The same bonus for a hidden link from a door into the find's room.
    circled_room_nats: float = 1.5
    #: Cost of a fall.
    fall_nats: float = 0.6
    #: Cost of a crossing, and of any other link without length.
    crossing_nats: float = 0.1
    #: Cost of a step to a find in a room.
    room_find_nats: float = 0.8
    #: Cost of a second walk along a link; the ink must also show two lines.
    twice_nats: float = 4.0
    #: Cost of a second walk along a link where it leaves no ink of its own.
    twice_unseen_nats: float = 2.0
    #: Cost of a second walk between a door and its room.
    twice_room_nats: float = 5.0
    #: Cost of walking a link to its end and straight back: a scribbled-over wrong way looks the same.
    turn_back_nats: float = 10.0
    #: The same cost if there is a find at the end ...
    fetch_nats: float = 4.0
    #: ... and if that find is circled.
    circled_fetch_nats: float = 1.0
    #: Least extra width of two overlaid lines; the width of a single line varies by about 0.3 mm.
    wider_mm: float = 0.42
    #: Evidence for a second line per millimetre of further extra width ...
    wider_nats_per_mm: float = 14.0
    #: ... its least value ...
    overlaid_least_nats: float = -6.0
    #: ... and its greatest value.
    overlaid_most_nats: float = 4.0


@dataclass(frozen=True)
class Meetings:
    """How lines that meet at a junction or in a room are paired."""

    #: The heading of a line near a place is measured from this distance ...
    heading_from_corridors: float = 0.16
    #: ... to this distance.
    heading_to_corridors: float = 0.79
    #: A junction's pairing leads to a question if its lead over another pairing is less than this.
    doubt_nats: float = 1.5
    #: The same for a pairing in a room.
    room_doubt_nats: float = 5.0


@dataclass(frozen=True)
class RoomLines:
    """Lines through rooms."""

    #: A line ends in a room if continuing over blank card would cost more than this.
    end_nats: float = 9.0
    #: Extra cost of two lines that end in one room.
    two_ends_nats: float = 12.0
    #: Highest cost of a millimetre in a room hidden by glare or an object.
    hidden_nats_per_mm: float = 0.6
    #: A line ends on a find in a room if the way to it costs less than this.
    carrier_reach_nats: float = 5.0
    #: Penalty for each rank of a find among those that may carry the player off ...
    carrier_rank_nats: float = 2.0
    #: ... and penalty for a find that is not a gate.
    no_gate_nats: float = 3.0
    #: Cost of a millimetre on full ink.
    ink_nats_per_mm: float = 0.15
    #: Cost of a millimetre on blank card.
    blank_nats_per_mm: float = 3.0
    #: Cost of a turn by one heading (22.5 degrees).
    turn_nats: float = 0.35


@dataclass(frozen=True)
class RockLines:
    """Lines straight through rock from one place to another."""

    #: Greatest length of such a line.
    most_corridors: float = 4.0
    #: Least inked share of its visible part ...
    inked_share: float = 0.95
    #: ... and share of the 4 mm wide band around it below which the ink must stay.
    band_share: float = 0.75
    #: Such a line is searched as a replacement for a link with more evidence than this against it.
    instead_nats: float = 1.5


@dataclass(frozen=True)
class Doubts:
    """When a part of the path may have been misread, so that the user is asked."""

    #: Another reading of a link is computed if the absolute value of its score is below this.
    weak_nats: float = 12.0
    #: A link with a smaller visible share than this is hidden: missing ink is then no evidence against it.
    least_seen_share: float = 0.6
    #: An end of the path is a guess if at least this length before it has no ink ...
    guessed_mm: float = 12.0
    #: ... and other readings of that part then have at most this lag.
    guessed_behind_nats: float = 1.0
    #: Score above which ink leads along a link.
    guessed_nats: float = 0.5
    #: An end on the outer edge is covered if less than this share of the cards is visible ...
    covered_end_share: float = 0.4
    #: ... both within this distance ...
    covered_near_mm: float = 6.0
    #: ... and within this one, about a hand's breadth.
    covered_round_mm: float = 30.0
    #: An end inside the dungeon is hidden if less than this share is visible ...
    hidden_end_share: float = 0.3
    #: ... within this distance ...
    hidden_end_mm: float = 3.0
    #: ... and a continuation of the path from there then has at most this lag.
    hidden_end_behind_nats: float = 2.0
    #: Lag of the reading that a whole thin path is left over from an earlier round, rather than drawn by a
    #: pen running dry, if no other ink remains. Chosen by reasoning: a player photographs what was drawn
    #: last.
    old_path_behind_nats: float = 4.0
    #: With this many circled finds on the path and none beside it, the path as a whole is as credible as with
    #: plain ink.
    bearing_marks: int = 3


@dataclass(frozen=True)
class Strokes:
    """Which strokes belong to the path, and the order in which they were drawn."""

    #: Cost of a further stroke after one that left the dungeon; and of a further stroke that starts on the
    #: outer edge after one that stayed inside, or inside after one that left.
    reentered_nats: float = 0.4
    #: Of two ends inside the dungeon, a line starts at the one with the lower rank; a plain place has rank 0,
    #: a find this rank ...
    begun_at_find_rank: int = 1
    #: ... and a door, a room and a find in a room this rank.
    begun_in_room_rank: int = 2
    #: A shorter stroke than this is a dot, an overshoot or a mark beside the path.
    least_corridors: float = 0.95
    #: A further stroke is read if its links' scores sum to this, or if it reaches a gate.
    worth_nats: float = 9.0
    #: It is also read if the sum is this, ...
    plain_nats: float = 6.0
    #: ... at least this share of each link is visible, ...
    plain_seen_share: float = 0.9
    #: ... and the evidence against a second line along each link is at least this.
    plain_beside_nats: float = 5.0

    def begun_rank(self, kind: str) -> int:
        """Rank of a kind of place as the start of a path; lower ranks come first."""
        if kind in ("door", "room", "room_find"):
            return self.begun_in_room_rank
        return self.begun_at_find_rank if kind == "find" else 0


@dataclass(frozen=True)
class Leftovers:
    """Ink that the path does not explain."""

    #: Width along each wall of a corridor in which the floor is too dark to tell ink from shadow.
    shade_mm: float = 0.95
    #: Distance beyond an icon's rim within which its ring and strike lie.
    ring_beyond_mm: float = 2.45
    #: Distance beyond an icon's rim within which misjudged pixels of the icon lie.
    icon_beyond_mm: float = 0.85
    #: A shorter piece of ink than this is a speck.
    least_corridors: float = 0.79
    #: Least ratio of length to thickness of a line; shadow at a card's edge is a wider patch.
    slender_factor: float = 2.0
    #: Ink continues a line that ends in a room if it is no farther from that end than this ...
    tail_corridors: float = 0.71
    #: ... and farther than this from every other door.
    tail_to_door_corridors: float = 0.79
    #: Distance from a card's edge within which darkening is shadow: no corridor runs there.
    rim_mm: float = 2.5
    #: Width around the path's line within which ink belongs to the path.
    drawn_mm: float = 3.4


@dataclass(frozen=True)
class Dots:
    """Dots beside the path, at which a further line begins or ends."""

    #: Least area of ink at a gate for a dot ...
    gate_mm2: float = 1.0
    #: ... measured within this share of the icon's radius.
    gate_share: float = 0.75
    #: Least area of ink at an outer opening for a dot ...
    edge_mm2: float = 0.4
    #: ... measured within this distance of the edge; ...
    edge_near_mm: float = 1.3
    #: ... within this larger distance ...
    edge_round_mm: float = 4.0
    #: ... the area may be at most this many times as large: shadows and floors that look inked extend
    #: farther.
    edge_alone_factor: float = 1.6
    #: Width around the path's own line within which ink at an outer opening is not a dot.
    edge_clear_mm: float = 6.0
    #: Share of a gate's icon radius that contains a dot's ink if a line begins or ends at the gate.
    begun_share: float = 0.4


STYLE, OWN_LINES, LINKS = Style(), OwnLines(), Links()
ENDS, WALKS, MEETINGS = Ends(), Walks(), Meetings()
ROOM_LINES, ROCK_LINES = RoomLines(), RockLines()
DOUBTS, STROKES = Doubts(), Strokes()
LEFTOVERS, DOTS = Leftovers(), Dots()
