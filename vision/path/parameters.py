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

    #: The middle of a line keeps at least this far inside its corridor.
    wall_mm: float = 0.15
    #: A corridor is this share of a card's shorter side wide where neither the catalogue nor its art tells.
    usual_corridor_share: float = 0.10
    #: An icon extends over this share of it where neither tells.
    usual_icon_share: float = 0.12


@dataclass(frozen=True)
class OwnLines:
    """Detecting lines in another hue than the player's own pen."""

    #: A link tells whether the known pen drew it where this much of its line can be seen.
    told_mm: float = 2.0
    #: A line is another pen's where its hue is farther off than most lines of the photo by more than this ...
    more_off_deg: float = 16.0
    #: ... and is off by more than this ...
    least_off_deg: float = 24.0
    #: ... or is off by more than this, whatever the others are.
    enough_off_deg: float = 38.0
    #: A line's hue is told by at least this many points ...
    least_stations: int = 10
    #: ... where it takes at least this of the light (length of what is taken in three channels).
    least_film_value: float = 0.08


@dataclass(frozen=True)
class Links:
    """The evidence of ink along a link for and against a line."""

    #: A sideways move by 0, 1, 2, 3 offsets from one station to the next costs this (three are 56 degrees).
    sideways_nats: tuple[float, ...] = (0.0, 0.1, 0.5, 1.6)
    #: One station says no more than this for a line ...
    station_for_nats: float = 2.0
    #: ... and no more than this against it.
    station_against_nats: float = 4.0
    #: Stations count this share of their sum: half a millimetre apart they are far from independent.
    independence_share: float = 0.35
    #: A line has come to the corridor it takes at this distance from a plain place.
    corner_corridors: float = 0.413
    #: Rings and strikes round a find reach this far beyond the icon's rim ...
    mark_beyond_mm: float = 1.85
    #: ... where stations count this share.
    mark_share: float = 0.35
    #: The core of a link counts as at least this long.
    least_core_mm: float = 3.0
    #: A line keeps within this share of its reach ...
    aside_share: float = 0.6
    #: ... and each millimetre beyond costs this at a station.
    aside_nats_per_mm: float = 0.8
    #: Evidence for a line that the floor beside it shows too counts less by this share.
    beside_share: float = 0.8
    #: A line has no blank stretch: of all windows of this length the worst one decides ...
    window_mm: float = 8.0
    #: ... with this much grace.
    window_grace_nats: float = 4.0
    #: A link with a higher score than this is drawn, and its width counts.
    surely_drawn_nats: float = 6.0
    #: Where a room lies over an underground corridor, ink speaks for the corridor with this share.
    under_room_share: float = 0.15
    #: Behind a door a line is looked for this far into the room.
    behind_door_corridors: float = 0.64
    #: Ink that is wider than a line by more than this is a false way, scribbled over, ...
    scribbled_mm: float = 1.5
    #: ... where it speaks against a third line by less than this ...
    scribbled_third_nats: float = 5.0
    #: ... and speaks against a walk by this: no more than the ends of a path weigh, for a smear at its
    #: beginning looks so, too.
    scribbled_nats: float = 2.0


@dataclass(frozen=True)
class Ends:
    """Cost of a stroke's end by its place.

    Lines begin and end on the outer edge, in rooms, and on finds that stop or carry off the player; elsewhere
    only with strong ink.
    """

    #: An end on the outer edge costs this.
    outer_nats: float = 0.5
    #: An end at a gate costs this.
    gate_nats: float = 2.0
    #: An end on a find that stops a path costs this.
    stop_nats: float = 2.0
    #: An end on any other find costs this.
    find_nats: float = 4.0
    #: An end where no way leads on costs this.
    end_nats: float = 2.0
    #: An end in a room costs this.
    room_nats: float = 3.0
    #: An end at an opening between cards costs this.
    opening_nats: float = 4.5
    #: An end at any other place costs this.
    place_nats: float = 5.0
    #: An end on a find in a room costs this.
    room_find_nats: float = 6.0

    def at(self, kind: str) -> float:
        """Cost (nats) of a stroke's end at a place of this kind."""
        cost: float = getattr(self, f"{kind}_nats", self.place_nats)
        return cost


@dataclass(frozen=True)
class Walks:
    """Priors for and against walking a link, besides its ink."""

    #: Each end of one line beyond two costs this, but at gates.
    further_end_nats: float = 5.0
    #: A millimetre that nobody can see costs this: of two ways under a pen, the shorter one.
    unseen_nats_per_mm: float = 0.03
    #: A hidden way to a circled find to which no line plainly comes is likelier by this: who circled it came.
    circled_way_nats: float = 3.0
    #: The same of a hidden way from a door into the find's room.
    circled_room_nats: float = 1.5
    #: A fall costs this.
    fall_nats: float = 0.6
    #: A crossing and any other link without length costs this.
    crossing_nats: float = 0.1
    #: A step to a find in a room costs this.
    room_find_nats: float = 0.8
    #: A second walk along a link costs this, and the ink must show two lines.
    twice_nats: float = 4.0
    #: A second walk along a link that leaves no ink of its own costs this.
    twice_unseen_nats: float = 2.0
    #: A second walk between a door and its room costs this.
    twice_room_nats: float = 5.0
    #: Walking a link to its end and straight back costs this: a scribbled false way looks so, too.
    turn_back_nats: float = 10.0
    #: The same costs this where there is a find at its end ...
    fetch_nats: float = 4.0
    #: ... and this where that find is circled.
    circled_fetch_nats: float = 1.0
    #: Two lines laid on each other are wider than one by this; even lines vary by about 0.3 mm.
    wider_mm: float = 0.42
    #: Each millimetre beyond speaks for a second line by this ...
    wider_nats_per_mm: float = 14.0
    #: ... which says no less than this ...
    overlaid_least_nats: float = -6.0
    #: ... and no more than this.
    overlaid_most_nats: float = 4.0


@dataclass(frozen=True)
class Meetings:
    """How lines that meet at a junction or in a room are paired."""

    #: A line's heading near a place is taken from this distance ...
    heading_from_corridors: float = 0.16
    #: ... to this one.
    heading_to_corridors: float = 0.79
    #: A pairing at a junction that is likelier than another one by less than this is asked about.
    doubt_nats: float = 1.5
    #: A pairing in a room that is likelier than another one by less than this is asked about.
    room_doubt_nats: float = 5.0


@dataclass(frozen=True)
class RoomLines:
    """Lines through rooms."""

    #: A line ends in a room where running on over blank card would cost more than this.
    end_nats: float = 9.0
    #: Two lines that end in one room cost this beyond that.
    two_ends_nats: float = 12.0
    #: A millimetre of a room that glare or a thing hides costs no more than this.
    hidden_nats_per_mm: float = 0.6
    #: A line ends on a find in a room to which blank card costs less than this.
    carrier_reach_nats: float = 5.0
    #: Each rank among the finds that may carry off speaks against a find by this ...
    carrier_rank_nats: float = 2.0
    #: ... and that it is no gate by this.
    no_gate_nats: float = 3.0
    #: A millimetre on full ink costs this.
    ink_nats_per_mm: float = 0.15
    #: A millimetre on blank card costs this.
    blank_nats_per_mm: float = 3.0
    #: A turn by one heading (22.5 degrees) costs this.
    turn_nats: float = 0.35


@dataclass(frozen=True)
class RockLines:
    """Lines straight through rock from one place to another."""

    #: Such a line is no longer than this.
    most_corridors: float = 4.0
    #: It is inked along at least this share of what is seen of it ...
    inked_share: float = 0.95
    #: ... and of a band of 4 mm about it less than this share is inked.
    band_share: float = 0.75
    #: It is looked for instead of a way against which the ink speaks by more than this.
    instead_nats: float = 1.5


@dataclass(frozen=True)
class Doubts:
    """When a part of the path may have been misread, so that the user is asked."""

    #: Another reading of a link is worked out where its score is nearer to zero than this.
    weak_nats: float = 12.0
    #: A link of which less than this share is visible is hidden: the ink cannot say no.
    least_seen_share: float = 0.6
    #: An end of the path is a guess where no ink leads to it for this long ...
    guessed_mm: float = 12.0
    #: ... and other readings of it are less likely by no more than this.
    guessed_behind_nats: float = 1.0
    #: Ink leads along a link with a higher score than this.
    guessed_nats: float = 0.5
    #: An end on the outer edge is covered where less than this share of the cards can be seen ...
    covered_end_share: float = 0.4
    #: ... both within this distance, close by, ...
    covered_near_mm: float = 6.0
    #: ... and within this one, a hand's breadth round.
    covered_round_mm: float = 30.0
    #: An end within the dungeon is hidden where less than this share can be seen ...
    hidden_end_share: float = 0.3
    #: ... within this distance ...
    hidden_end_mm: float = 3.0
    #: ... and that the path goes on from there is less likely by no more than this.
    hidden_end_behind_nats: float = 2.0
    #: That a whole thin path is an old one is less likely than that a pen ran dry by this, where no other ink
    #: is left over. Set by reason: a player photographs what he drew.
    old_path_behind_nats: float = 4.0
    #: This many circled finds on the path, and none beside it, speak for it as a whole as plain ink does.
    bearing_marks: int = 3


@dataclass(frozen=True)
class Strokes:
    """Which strokes belong to the path, and the order in which they were drawn."""

    #: That a further stroke begins after one that left the dungeon costs this, and the same that it begins on
    #: the outer edge after one that did not leave, or within after one that did.
    reentered_nats: float = 0.4
    #: Of two ends within the dungeon a line begins at the one of lower rank, 0 where nothing holds it: a find
    #: has this rank ...
    begun_at_find_rank: int = 1
    #: ... and a door, a room and a find in a room have this one.
    begun_in_room_rank: int = 2
    #: A shorter stroke than this is a dot, an overshoot or a mark beside the path.
    least_corridors: float = 0.95
    #: A further stroke is read where its links together are this likely, or where it comes to a gate.
    worth_nats: float = 9.0
    #: One is read as well where its links are this likely, ...
    plain_nats: float = 6.0
    #: ... at least this share of each can be seen, ...
    plain_seen_share: float = 0.9
    #: ... and blank card beside each speaks against a second line by at least this.
    plain_beside_nats: float = 5.0

    def begun_rank(self, kind: str) -> int:
        """Rank of a kind of place as the start of a path; lower ranks come first."""
        if kind in ("door", "room", "room_find"):
            return self.begun_in_room_rank
        return self.begun_at_find_rank if kind == "find" else 0


@dataclass(frozen=True)
class Leftovers:
    """Ink that the path does not explain."""

    #: Along walls a corridor's floor is too dark to tell ink from shade, this far on either side.
    shade_mm: float = 0.95
    #: A ring and a strike through it keep within this distance beyond the rim of a find's icon.
    ring_beyond_mm: float = 2.45
    #: An icon's own errors keep within this distance beyond its rim.
    icon_beyond_mm: float = 0.85
    #: A shorter piece of ink than this is a speck.
    least_corridors: float = 0.79
    #: A line is at least this many times as long as it is thick; shade at a card's edge is a patch.
    slender_factor: float = 2.0
    #: Ink runs on from a line that ends in a room where it is no farther from that end than this ...
    tail_corridors: float = 0.71
    #: ... and farther than this from every other door.
    tail_to_door_corridors: float = 0.79
    #: What keeps within this distance of a card's edge is its shade: no corridor runs there.
    rim_mm: float = 2.5
    #: Ink is the path's own within this width of its line.
    drawn_mm: float = 3.4


@dataclass(frozen=True)
class Dots:
    """Dots beside the path, at which a further line begins or ends."""

    #: Ink at a gate is a dot where it covers at least this ...
    gate_mm2: float = 1.0
    #: ... within this share of the gate's icon.
    gate_share: float = 0.75
    #: Ink at an outer opening is a dot where it covers at least this ...
    edge_mm2: float = 0.4
    #: ... within this distance of the edge ...
    edge_near_mm: float = 1.3
    #: ... and within this one ...
    edge_round_mm: float = 4.0
    #: ... no more than this many times as much: shadows and floors that look inked go on.
    edge_alone_factor: float = 1.6
    #: Ink within this width of the path's own line is no dot at an outer opening.
    edge_clear_mm: float = 6.0
    #: A line that begins or ends at a gate has a dot's ink within this share of its icon.
    begun_share: float = 0.4


STYLE, OWN_LINES, LINKS = Style(), OwnLines(), Links()
ENDS, WALKS, MEETINGS = Ends(), Walks(), Meetings()
ROOM_LINES, ROCK_LINES = RoomLines(), RockLines()
DOUBTS, STROKES = Doubts(), Strokes()
LEFTOVERS, DOTS = Leftovers(), Dots()
