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

    #: A square has this side.
    side_mm: float = 3.0
    #: A square counts where its ink covers at least this.
    least_mm2: float = 1.2
    #: Only ink whose film takes more of the light than this counts.
    film_share: float = 0.22
    #: Only ink on floors that are lighter than this in every channel counts.
    ground_value: float = 0.3


@dataclass(frozen=True)
class Pens:
    """Finding the pens that drew on the table, by the directions in which they change the card's colour."""

    #: Most squares of one pen point within this of each other.
    core_deg: float = 5.0
    #: All squares of one pen point within this of each other.
    spread_deg: float = 12.0
    #: A further pen points more than this elsewhere.
    apart_deg: float = 12.0
    #: A square that points this far or more from every pen is no pen's.
    far_deg: float = 25.0
    #: Two pens that point more than this apart are never one.
    one_deg: float = 24.0
    #: Two pens are one where more than this share of what is about the lesser of them is between them.
    valley_share: float = 0.45
    #: A pen's full film is that of its pixels from this quantile on.
    fullest_quantile: float = 0.6
    #: A pen has drawn at least this on the table.
    least_mm2: float = 14.0
    #: A pen is looked for on a card on which it has drawn at least this.
    least_on_card_mm2: float = 2.0
    #: A pen has drawn at least this on some card.
    least_on_fullest_mm2: float = 21.0


@dataclass(frozen=True)
class Owners:
    """Assigning pens to groups by the pen colours that the groups stated."""

    #: Pens may be others' where that fits the colours worse by less than this, all pens together.
    near_deg: float = 3.5
    #: A pen is off a group whose colour nobody told by this.
    any_colour_deg: float = 25.0
    #: A group without a pen may share one that is off its colour by less than this beyond its owner's: inks
    #: of black and brown, and of one colour, are found as one.
    shared_deg: float = 9.0
    #: A pen or stroke within this of a colour that is told may be of that colour.
    told_deg: float = 16.0
    #: A pen that is farther than this from its group's colour is nobody's, and asked about.
    nobodys_deg: float = 26.0
    #: A pen may be of a colour that is farther by less than this than its nearest.
    told_farther_deg: float = 8.0
    #: A photo keeps one of these shares of a pen's chroma.
    chroma_kept_shares: tuple[float, ...] = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    #: A photo usually keeps this share.
    usual_chroma_share: float = 0.75
    #: It counts this that a photo keeps all of the chroma more or less than usual.
    chroma_deg: float = 20.0


@dataclass(frozen=True)
class PenInk:
    """The ink map of one pen where several pens drew."""

    #: A line leads on to the next card where its ink within this distance of the way there ...
    way_out_mm: float = 5.0
    #: ... covers at least this.
    way_out_mm2: float = 2.5
    #: What speaks for another pen speaks against this one with this share.
    other_pen_share: float = 0.4
    #: A ring is a pen's own where its ink shows along at least this share of it.
    own_ring_share: float = 0.45


@dataclass(frozen=True)
class Strokes:
    """Strokes that may belong to another pen, may be a shadow, or may be hidden."""

    #: A stroke's own colour is told where its ink covers at least this.
    hue_mm2: float = 8.0
    #: A stroke is in another group's colour where it is nearer to it than to its own by more than this.
    others_deg: float = 2.0
    #: A short stroke is a shadow where it is nearer to grey than to every group's colour by more than this.
    shadow_deg: float = 2.0
    #: It is so much likelier another's or a shadow's by each degree.
    hue_nats_per_deg: float = 0.4
    #: A shadow is read as no more links than this.
    most_shadow_links: int = 8
    #: A stroke runs along another one that has at least this share of its links.
    along_share: float = 0.6
    #: That such a stroke is none is likelier by at least this.
    stray_nats: float = 1.6
    #: Something stands on a place where, within this distance of it, ...
    standing_mm: float = 5.0
    #: ... more than this share cannot be seen.
    standing_hidden_share: float = 0.5
    #: That a line ends elsewhere under what stands on its end is less likely by this.
    standing_behind_nats: float = 1.5
    #: A line may lead on by a way along which at least this share is inked ...
    thin_coverage_share: float = 0.25
    #: ... which is less likely by this.
    thin_behind_nats: float = 1.0


@dataclass(frozen=True)
class Photos:
    """Joining several photos of one table."""

    #: A photo lies on another's table by at least this many cards that both show (one of fewer: by all).
    least_shared_cards: int = 2
    #: Cards that both show lie within this of each other.
    shared_mm: float = 6.0


SQUARES, PENS, OWNERS = Squares(), Pens(), Owners()
PEN_INK, STROKES, PHOTOS = PenInk(), Strokes(), Photos()
