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

    #: No single pixel says more than this for or against ink.
    limit_nats: float = 4.0
    #: A pixel that says more than this for ink is inked.
    sure_nats: float = 1.5
    #: A card is registered to about this; near printed edges evidence is doubted in proportion.
    registration_mm: float = 0.12
    #: A pen's film covers at least this share of the card's colour; a wiped line's remains cover less.
    least_cover_share: float = 0.5
    #: A film is uneven by this share of the contrast between ink and card.
    film_spread_share: float = 0.12
    #: A colour that is farther than this from the line between card and ink is neither of the two.
    colour_tolerance_value: float = 0.11
    #: Where ink and card differ by fewer standard deviations of the noise than this nothing could be seen.
    least_contrast_deviations: float = 2.0
    #: Where a pen's colour differs from the card's by no more than this no line of it would show.
    shows_contrast_value: float = 0.25
    #: A pixel is changed where it differs from the blank card by this many deviations of the noise ...
    changed_deviations: float = 5.0
    #: ... and by this.
    changed_value: float = 0.12


@dataclass(frozen=True)
class Things:
    """Objects on a card, such as hands, dice and mugs, and their shadows."""

    #: What changed and lets in a disc of this diameter is a thing: lines, rings and strikes that meet do not.
    disc_mm: float = 4.4
    #: A thing covers the card this much farther than what it changed, all round it.
    rim_mm: float = 2.0
    #: What changed beside a thing and lets in a disc of this diameter is its shadow.
    shadow_mm: float = 2.8
    #: A hole in a thing of no more than this belongs to the thing.
    hole_mm2: float = 60.0
    #: Pieces of things that are nearer to each other than this are one.
    gap_mm: float = 7.0
    #: A thing goes on where the card differs from the thing's colour by less than this ...
    unlike_value: float = 0.10
    #: ... which has to be less than it differs from the blank card, by more than this.
    nearer_value: float = 0.03
    #: A thing's colour is its mean in a square of this side.
    reach_mm: float = 12.0
    #: What a thing goes on as lets in a disc of this diameter.
    grown_mm: float = 3.0
    #: A thing whose darkest channel is lighter than this is glare.
    white_value: float = 0.8
    #: Ink that is nearer to a thing than this tells no further pen: shadows have edges like lines.
    no_further_pen_mm: float = 12.0


@dataclass(frozen=True)
class Glare:
    """Light that a reflection adds."""

    #: Added light is averaged over a square of this side.
    reach_mm: float = 9.0
    #: A line pales where more light than this is added.
    pales_value: float = 0.15
    #: No line would show where this much light is added.
    hides_value: float = 0.4
    #: Nothing is seen from this share of the way between the two on.
    veiled_share: float = 0.7


@dataclass(frozen=True)
class Pens:
    """The colours of the pens that drew on a photo."""

    #: What is darker than black by more than this tells no pen: the light is misjudged there.
    misjudged_light_value: float = 0.1
    #: Pixels of one pen differ in colour by less than this.
    spread_value: float = 0.22
    #: A pen's colour is sought where most pixels differ by less than this. Set on drawn test cards, checked
    #: on the photos that ship.
    core_value: float = 0.12
    #: Ink darker than the card is the pen's where it covers this or more.
    least_dark_mm2: float = 60.0
    #: Less of it is the pen's where what is lighter than the card covers no more than this times as much ...
    light_factor: float = 3.0
    #: ... or this times at least so much. Set on drawn test cards; orange and red are light on dark floors.
    least_light_mm2: float = 6.0
    #: Ink beside a thing tells of no pen where lines elsewhere cover this or more.
    apart_mm2: float = 8.0
    #: A photo with less ink than this has none.
    least_ink_mm2: float = 0.8
    #: A film that takes less than this of the light, in the channel in which it takes most, is thin: it may
    #: be all that a wipe left.
    thin_share: float = 0.4
    #: A film that takes less than this is no full one; its pen's colour is that of a full one.
    full_share: float = 0.6
    #: Ink that is farther than this from the card's colour, light and shade apart, has a colour of its own:
    #: it may cover a dark floor instead of taking its light.
    coloured_value: float = 0.2
    #: What is thinner than this is no pen's line, but an edge of a wall or an icon that was misjudged.
    least_width_mm: float = 0.75


@dataclass(frozen=True)
class FurtherPens:
    """Ink that the pens found so far do not explain."""

    #: A further pen has drawn at least this.
    least_mm2: float = 10.0
    #: Ink is not explained where it is farther than this from the films of the pens before.
    unlike_value: float = 0.15
    #: At least this share of a further pen's ink is of one colour.
    alike_share: float = 0.75
    #: A further pen's film takes at least this much of the light, or has a colour of its own.
    film_share: float = 0.35
    #: A further pen's lines are longer than this.
    length_mm: float = 2.5


@dataclass(frozen=True)
class KnownPen:
    """A pen that the player has shown before."""

    #: A film thinner than the usual one by this many standard deviations is still a line of it ...
    spread_deviations: float = 2.0
    #: ... but covers no less than this share of the usual film ...
    least_cover_share: float = 0.4
    #: ... and a film that covers this share is always one.
    enough_cover_share: float = 0.65
    #: The plainest lines show at least this share of its film.
    line_film_share: float = 0.8
    #: Where a pen's tip is taken together this share of a pixel's noise is left.
    noise_share: float = 0.5
    #: Where its film and the card differ by fewer deviations of that noise nothing could be seen.
    least_contrast_deviations: float = 1.2
    #: Its film may be off its hue by this share of what it takes: the tangent of 20 degrees.
    hue_share: float = 0.36
    #: Where lines of a plain film cover this or more the photo's own pens are plain enough without it.
    plain_mm2: float = 40.0
    #: A film is plain where it takes more of the light than this, in the channel in which it takes most.
    plain_film_share: float = 0.5
    #: Where the card gives back no more than this of the light that its film takes no line of it shows.
    shows_value: float = 0.3


@dataclass(frozen=True)
class Ghosts:
    """Residue of wiped lines, distinguished from this round's lines by the thickness of the film."""

    #: The plainest lines have this quantile of the film of all that is inked ...
    line_film_quantile: float = 0.75
    #: ... and at least this share of a full film ...
    least_line_film_share: float = 0.6
    #: ... and are taken for this share where no pen left a full film.
    thin_line_film_share: float = 0.65
    #: A line with no more than this share of the plainest lines' film is an old one, wiped.
    wiped_share: float = 0.39
    #: A line with this share or more is this round's; between the two it is asked about.
    fresh_share: float = 0.46
    #: Walking a wiped line costs this.
    walked_nats: float = 8.0


EVIDENCE, THINGS, GLARE = Evidence(), Things(), Glare()
PENS, FURTHER_PENS, KNOWN_PEN = Pens(), FurtherPens(), KnownPen()
GHOSTS = Ghosts()
