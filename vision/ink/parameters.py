"""Parameters of the ink reader: what counts as ink, as a thing on a card, as glare, and as a pen.

Scores are log-likelihood ratios in nats; picture values are 0 to 1. A value without figures was set on the
tuning split of `samples/` while the reader was written; docs/experiments.md lists what the others were
measured on. Read a value through its module where it is used, never at import: `vision.parameters.varied`
sets another for a while.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Evidence:
    """The evidence of one pixel for or against ink."""

    #: Most evidence of a single pixel for or against ink.
    limit_nats: float = 4.0
    #: A pixel with more evidence than this is inked.
    sure_nats: float = 1.5
    #: Remaining registration error of a card; it lowers the evidence near printed edges in proportion to
    #: their slope.
    registration_mm: float = 0.12
    #: Least share of the pen's colour in a pixel of a pen's film; the residue of a wiped line has less.
    least_cover_share: float = 0.5
    #: Standard deviation of a film's thickness, as a share of the contrast between ink and card.
    film_spread_share: float = 0.12
    #: Distance from the line between the card's and the ink's colour above which a colour is neither of the
    #: two.
    colour_tolerance_value: float = 0.11
    #: Contrast between ink and card (standard deviations of the noise) below which the pixel counts as not
    #: visible.
    least_contrast_deviations: float = 2.0
    #: Contrast between the pen's and the card's colour up to which a line would not show.
    shows_contrast_value: float = 0.25
    #: A pixel is changed if it differs from the blank card by this many standard deviations of the noise ...
    changed_deviations: float = 5.0
    #: ... and by at least this value.
    changed_value: float = 0.12


@dataclass(frozen=True)
class Things:
    """Objects on a card, such as hands, dice and mugs, and their shadows."""

    #: Least diameter of a disc that fits into a changed region for it to be an object; crossing lines, rings
    #: and strikes are narrower.
    disc_mm: float = 4.4
    #: Margin around the changed region that an object also covers.
    rim_mm: float = 2.0
    #: Least diameter of a disc that fits into a changed region beside an object for it to be the object's
    #: shadow.
    shadow_mm: float = 2.8
    #: Largest hole that is filled as part of an object.
    hole_mm2: float = 60.0
    #: Parts of objects closer together than this are joined.
    gap_mm: float = 7.0
    #: An object is extended over pixels that differ from its colour by less than this ...
    unlike_value: float = 0.10
    #: ... and by less than they differ from the blank card, minus this margin.
    nearer_value: float = 0.03
    #: Side of the square over which an object's colour is averaged.
    reach_mm: float = 12.0
    #: Least diameter of a disc that fits into such an extension.
    grown_mm: float = 3.0
    #: An object is glare if its darkest channel is above this.
    white_value: float = 0.8
    #: Ink closer to an object than this is not evidence of a further pen, since shadows have edges like
    #: lines.
    no_further_pen_mm: float = 12.0


@dataclass(frozen=True)
class Glare:
    """Light that a reflection adds."""

    #: Side of the square over which added light is averaged.
    reach_mm: float = 9.0
    #: Added light above which a line looks paler.
    pales_value: float = 0.15
    #: Added light from which no line would show.
    hides_value: float = 0.4
    #: Position between these two (0 to 1) from which a pixel counts as not visible.
    veiled_share: float = 0.7


@dataclass(frozen=True)
class Pens:
    """The colours of the pens that drew on a photo."""

    #: Ink that seems to absorb more than all light by more than this is ignored: the illumination is
    #: misjudged there.
    misjudged_light_value: float = 0.1
    #: Largest colour difference between pixels of one pen.
    spread_value: float = 0.22
    #: Radius within which most pixels of a pen's colour lie. Tuned on drawn test cards, checked on the
    #: shipped photos.
    core_value: float = 0.12
    #: Area of ink darker than the card from which a pen is a dark one.
    least_dark_mm2: float = 60.0
    #: With less dark ink the pen is still a dark one, unless the ink lighter than the card covers more than
    #: this many times the dark ink's area ...
    light_factor: float = 3.0
    #: ... which counts as at least this. Tuned on drawn test cards; orange and red are light on dark floors.
    least_light_mm2: float = 6.0
    #: If lines away from objects cover at least this, ink beside objects is ignored when pens are searched.
    apart_mm2: float = 8.0
    #: A photo with less ink than this counts as blank.
    least_ink_mm2: float = 0.8
    #: Absorptance (strongest channel) below which a film is thin: it may be the residue of a wipe.
    thin_share: float = 0.4
    #: Absorptance of a full film. A thinner one is scaled up to it to estimate the pen's colour.
    full_share: float = 0.6
    #: Chroma difference from the card above which ink has a colour of its own, so that it may cover a dark
    #: floor instead of absorbing its light.
    coloured_value: float = 0.2
    #: Least width of a pen's line; thinner ink is a misjudged edge of a wall or an icon.
    least_width_mm: float = 0.75


@dataclass(frozen=True)
class FurtherPens:
    """Ink that the pens found so far do not explain."""

    #: Least area drawn by a further pen.
    least_mm2: float = 10.0
    #: Colour difference from the films of the pens found so far above which ink is unexplained.
    unlike_value: float = 0.15
    #: Least share of a further pen's ink that has a single colour.
    alike_share: float = 0.75
    #: Least absorptance of a further pen's film, unless it has a colour of its own.
    film_share: float = 0.35
    #: Least length of a further pen's lines.
    length_mm: float = 2.5


@dataclass(frozen=True)
class KnownPen:
    """A pen that the player has shown before."""

    #: A film counts as ink down to this many standard deviations below the pen's usual film ...
    spread_deviations: float = 2.0
    #: ... but not below this share of the usual film ...
    least_cover_share: float = 0.4
    #: ... and always from this share on.
    enough_cover_share: float = 0.65
    #: Least share of the usual film that the plainest lines are assumed to have.
    line_film_share: float = 0.8
    #: Share of a pixel's noise that remains after averaging over the pen's tip.
    noise_share: float = 0.5
    #: Contrast (standard deviations of that noise) below which the pixel counts as not visible.
    least_contrast_deviations: float = 1.2
    #: Tolerance of the film's hue, as a share of its absorption: the tangent of 20 degrees.
    hue_share: float = 0.36
    #: Area of plain lines from which the photo's own pens are found without the known pen.
    plain_mm2: float = 40.0
    #: Absorptance (strongest channel) above which a film is plain.
    plain_film_share: float = 0.5
    #: Share of the film's absorption up to which a line would not show, because the card itself reflects too
    #: little light.
    shows_value: float = 0.3


@dataclass(frozen=True)
class Ghosts:
    """Residue of wiped lines, distinguished from this round's lines by the thickness of the film."""

    #: Quantile over all inked pixels that estimates the film of the plainest lines ...
    line_film_quantile: float = 0.75
    #: ... its least value, as a share of a full film ...
    least_line_film_share: float = 0.6
    #: ... and the value if no pen left a full film.
    thin_line_film_share: float = 0.65
    #: A line with at most this share of the plainest lines' film is residue of a wiped one.
    wiped_share: float = 0.39
    #: A line with at least this share belongs to this round; between the two values a question is asked.
    fresh_share: float = 0.46
    #: Cost of walking a wiped line.
    walked_nats: float = 8.0


EVIDENCE, THINGS, GLARE = Evidence(), Things(), Glare()
PENS, FURTHER_PENS, KNOWN_PEN = Pens(), FurtherPens(), KnownPen()
GHOSTS = Ghosts()
