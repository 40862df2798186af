"""Parameters of the reader of several groups' pens on one table.

A value without figures was set on 8 photos of `tuning-cooperative`; docs/experiments.md lists what the others
were measured on. Read a value through its module where it is used, never at import:
`vision.parameters.varied` sets another for a while.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Squares:
    """Small squares into which drawn lines are cut, to identify their pens by hue."""

    #: Side of a square.
    side_mm: float = 3.0
    #: Least area of ink in a square for it to count.
    least_mm2: float = 1.2
    #: Least absorptance of the film of ink that counts.
    film_share: float = 0.22
    #: Least picture value, in every channel, of the floor under ink that counts.
    ground_value: float = 0.3


@dataclass(frozen=True)
class Pens:
    """Finding the pens that drew on the table, by the directions in which they change the card's colour."""

    #: Angle within which most squares of one pen agree in the direction of their colour change.
    core_deg: float = 5.0
    #: Angle within which all squares of one pen agree.
    spread_deg: float = 12.0
    #: Least angle of a further pen's direction from those of the pens found.
    apart_deg: float = 12.0
    #: Angle from every pen at which a square belongs to no pen.
    far_deg: float = 25.0
    #: Angle between two pens above which they are never merged.
    one_deg: float = 24.0
    #: Density of squares between two pens, relative to the weaker pen's, above which they are merged.
    valley_share: float = 0.45
    #: Quantile of the colour change from which pixels count as a pen's full film.
    fullest_quantile: float = 0.6
    #: Least area of a pen's ink on the table.
    least_mm2: float = 14.0
    #: Least area of a pen's ink on a card for the card to be on its map.
    least_on_card_mm2: float = 2.0
    #: Least area of a pen's ink on the card where it drew most.
    least_on_fullest_mm2: float = 21.0


@dataclass(frozen=True)
class Owners:
    """Assigning pens to groups by the pen colours that the groups stated."""

    #: Excess of an assignment's total hue difference over the best one up to which it remains possible.
    near_deg: float = 3.5
    #: Hue difference assumed between a pen and a group that stated no colour.
    any_colour_deg: float = 25.0
    #: A group without a pen may share one that is off its colour by less than this beyond its owner's: inks
    #: of black and brown, and of one colour, are found as one.
    shared_deg: float = 9.0
    #: Largest hue difference of a pen or stroke from a stated colour for it to have that colour.
    told_deg: float = 16.0
    #: Hue difference from its group's colour above which a pen's owner is in doubt.
    nobodys_deg: float = 26.0
    #: Largest excess over the nearest colour's hue difference for a pen to have another colour.
    told_farther_deg: float = 8.0
    #: Candidate shares of a pen's chroma that a photo keeps.
    chroma_kept_shares: tuple[float, ...] = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    #: Usual share of the chroma that a photo keeps.
    usual_chroma_share: float = 0.75
    #: Penalty (degrees) per unit of deviation from the usual share.
    chroma_deg: float = 20.0


@dataclass(frozen=True)
class PenInk:
    """The ink map of one pen where several pens drew."""

    #: A line leads on to the next card where its ink within this distance of the way there ...
    way_out_mm: float = 5.0
    #: ... covers at least this.
    way_out_mm2: float = 2.5
    #: Share of another pen's evidence that counts against this pen.
    other_pen_share: float = 0.4
    #: Least share of a ring's outline with a pen's ink for the ring to be that pen's.
    own_ring_share: float = 0.45


@dataclass(frozen=True)
class Strokes:
    """Strokes that may belong to another pen, may be a shadow, or may be hidden."""

    #: Least area of a stroke's ink for its hue to be measured.
    hue_mm2: float = 8.0
    #: A stroke is in another group's colour where it is nearer to it than to its own by more than this.
    others_deg: float = 2.0
    #: A short stroke is a shadow where it is nearer to grey than to every group's colour by more than this.
    shadow_deg: float = 2.0
    #: Nats per degree in favour of another pen or a shadow.
    hue_nats_per_deg: float = 0.4
    #: Largest number of links of a stroke that may be a shadow.
    most_shadow_links: int = 8
    #: Least share of a stroke's links in another pen's line for it to run along that line.
    along_share: float = 0.6
    #: Least nats in favour of leaving out such a stroke.
    stray_nats: float = 1.6
    #: An object stands on a place if, within this distance of it, ...
    standing_mm: float = 5.0
    #: ... more than this share of the card is hidden.
    standing_hidden_share: float = 0.5
    #: Nats by which another end of a line under an object is less likely.
    standing_behind_nats: float = 1.5
    #: Least inked share of a link along which a line may be extended by one place ...
    thin_coverage_share: float = 0.25
    #: ... and the nats by which that is less likely.
    thin_behind_nats: float = 1.0


@dataclass(frozen=True)
class Photos:
    """Joining several photos of one table."""

    #: Least number of cards that two photos must share to be joined (all of them in a photo of fewer).
    least_shared_cards: int = 2
    #: Largest distance between the positions of a card that two photos share.
    shared_mm: float = 6.0


SQUARES, PENS, OWNERS = Squares(), Pens(), Owners()
PEN_INK, STROKES, PHOTOS = PenInk(), Strokes(), Photos()
