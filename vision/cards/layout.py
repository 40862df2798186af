"""The layout: where the sighted cards lie on the table. One plane, one scale, cards that touch or fill cells.

All matches of all cards are explained together by one homography from table mm to photo pixels and one place
and turn per card. On that plane a match tells its card's place to a few millimetres, so cards too weak to be
found alone are found by it. Each is then compared with its art, and the free sites beside it are searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.errors import Code, WaymarkError
from vision.allowance import allowance, one_allowance
from vision.cards.adjacency import (
    cells_in_line,
    collide,
    extent,
    off_quarter,
    quarter_of,
    snap,
    touching_groups,
    touching_side,
)
from vision.cards.compare import Likeness, align, least_likeness, likeness_at, likeness_to, turned_map
from vision.cards.features import Sighting
from vision.cards.hypotheses import MISFIT_PX, Candidate, compete, find_candidates, lying_on
from vision.cards.identify import (
    CLEAR_LIKENESS,
    SURE_LIKENESS,
    Lying,
    Rivals,
    Sisters,
    is_plain,
    is_strange,
    name,
    near_rivals,
    told_by_colour,
)
from vision.cards.index import CardIndex
from vision.cards.looks import SMALL_PX, price_of, sighted, sights_of
from vision.cards.neighbour_search import beside_gaps, covered_places, look_closely, search_sites
from vision.cards.plane import Placed, fit_plane
from vision.cards.search_views import STEEP, Sight, from_above, steepness
from vision.cards.unknown_cards import strangers_beside
from vision.mirrored import MirroredPhoto, turned_over
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.sharpness import is_blurred
from vision.photo.view import LEAST_VISIBLE, Reductions, View, halvings_for_ink, px_per_mm
from vision.trace import current

Array = NDArray[np.float64]

# The numbers below were tuned on the open deck's cards, 63 x 88 mm, in renders of tables.

#: What is left over by a look is looked at again from so many votes on, and a card below this confidence.
LEFT_VOTES = 2.0
SURE_ENOUGH = 0.5
#: Cards are compared with their art in a view about as fine as the index's small pictures.
COMPARED_PX_PER_MM = 2.6
#: Sightings from which the plane is tried.
PLANES_TRIED = 3
#: Candidates for one place that are compared with the art.
TRIED_PER_PLACE = 4
#: A candidate with this many times the votes of another, and like its art, leaves no room for it.
CLEAR_VOTES = 4.0
#: How often found neighbours open new sites beside them.
SITE_ROUNDS = 8
#: On a table that is seen from far aside no more cards than these are seldom all: the nearest are seen first.
FEW_AFAR = 2
#: Another group that has at least so many cards less than the largest, and two, may be the tableau that is
#: meant; it is not when it lies farther from the picture's middle by this share of its diagonal. Of 135
#: photos of `tuning-evening`, hard and wild, five had such a group, whole and with a line, 0.16 to 0.24
#: farther: none was meant.
GROUP_LESS, GROUP_ASIDE = 1, 0.13
#: People hold the tableau in the middle of the picture (316 photos of `tuning-evening`: up to 0.11 away).
#: Where the largest group lies farther from it than the first share, and any other card nearer than that
#: group by the second, these may be what is left of it; where they are two and more and no farther from it
#: than the third, they are taken for the tableau, and the largest group, a neighbour's, is asked about.
OFF_MIDDLE, NEARER_MIDDLE, IN_MIDDLE = 0.15, 0.1, 0.11


@dataclass(frozen=True)
class CardPose:
    """One card of the tableau, where it lies on the table and in the photo.

    `card`           id in the catalogue
    `rotation`       degrees clockwise about its centre in the table's frame, as it really lies: 90 and 270
                     also for a card that may not lie across
    `x_mm`, `y_mm`   top-left corner of its footprint in the table's frame: the record's `x` and `y`
    `card_to_photo`  (3, 3) float64 homography from mm on the upright card (x right, y down, from the printed
                     top-left corner) to photo pixels. It is the card's own: it carries the card's bow and the
                     lens, so it is better on the card than `Layout.table_to_photo`
    `corners_px`     (4, 2) float64 photo pixels: the printed top-left, top-right, bottom-right, bottom-left
    `confidence`     0..1, how sure it is that this is the card and that it lies there
    """

    card: str
    rotation: int
    x_mm: float
    y_mm: float
    card_to_photo: NDArray[np.float64]
    corners_px: NDArray[np.float64]
    confidence: float


@dataclass(frozen=True)
class CardDoubt:
    """A card that could be another: `index` into `Layout.poses`, the ids that it may be (best first) and why.

    `reason` is "alike" where two cards of the catalogue fit about as well, "unlike-its-art" where the best of
    them fits much worse than the photo's other cards do theirs: it may be covered, or a card not in the
    catalogue. "gap" stands on a card beside a place where a card is missing between the tableau and another
    card in line with it, "stranger" on one beside which a card seems to lie that has no name, "cut-off" on
    one beside which a card runs out of the picture, "group" on the first card where another group of cards
    may be the tableau that is meant, "screen" on the first one where all seem to be shown on a screen.
    `corners_px` (N, 2) is then what the doubt is about, and `sighted` the card that runs out of the picture.
    "turned" stands on a card that could as well be itself turned, "alone" on the only card of a photo in
    which others were sighted that do not lie on its plane: not all are what they seem.
    """

    index: int
    options: tuple[str, ...]
    reason: str
    corners_px: NDArray[np.float64] | None = None
    sighted: str = ""


@dataclass(frozen=True)
class Layout:
    """The largest group of touching cards and the plane that they lie on.

    `poses`            the tableau's cards; the first lies at the origin of the table's frame
    `table_to_photo`   (3, 3) float64 homography from table mm (x right, y down) to photo px, shared by all
    `others`           cards that do not touch the group (a neighbour's, a market's), placed in the same frame
    `doubts`           cards that could be another card
    """

    poses: tuple[CardPose, ...]
    table_to_photo: NDArray[np.float64]
    others: tuple[CardPose, ...] = ()
    doubts: tuple[CardDoubt, ...] = field(default=())


@dataclass(frozen=True)
class _Look:
    """The cards found at one look, each with its rivals, on one plane. `unclear`: something of it leads to
    expect more, or another card, of a closer look."""

    judged: list[tuple[Candidate, Rivals]]
    table_to_photo: Array
    layout: Layout
    unclear: bool

    @property
    def worth(self) -> float:
        """How much of the photo it explains."""
        return sum(candidate.likeness for candidate, _ in self.judged)

    @property
    def doubtful(self) -> bool:
        """Whether a closer look may tell more. A tableau of one card is rare: the others may be too small to
        be seen yet."""
        return self.unclear or len(self.layout.poses) == 1

    @property
    def poor(self) -> bool:
        """Whether nothing is surely a card of the tableau: none is like its art, or one lies alone, and there
        are somebody else's, or something is unclear, or others may be shortened too much to be seen. Where
        nothing of that is so one card is all there is, as in a first round."""
        lone = len(self.judged) > len(self.layout.poses) == 1 or (
            len(self.judged) == 1 and (self.unclear or self.steep)
        )
        return lone or max(candidate.likeness for candidate, _ in self.judged) < SURE_LIKENESS

    @property
    def steep(self) -> bool:
        """Whether the table is seen from so far aside that a look from above tells more."""
        return steepness(self.table_to_photo, [one.placed for one, _ in self.judged]) >= STEEP

    @property
    def small(self) -> bool:
        """Whether the cards have so few pixels that an enlarged picture tells more."""
        poses = (*self.layout.poses, *self.layout.others)
        sides = [
            np.linalg.norm(np.roll(pose.corners_px, -1, axis=0) - pose.corners_px, axis=1) for pose in poses
        ]
        return float(np.median([each.max() for each in sides])) < SMALL_PX


@one_allowance()
@single_threaded_blas()
def read_layout(photo: Photo, index: CardIndex) -> Layout:
    """Find the cards of a photo and solve where they lie.

    A small picture tells most photos; a closer look is taken where it leaves something open.

    Raises `WaymarkError` (no-card, exit status 4) when no card of the index is in the photo, as
    `MirroredPhoto` where one is in its mirror image.
    """
    likeness, photo_at = likeness_to(index), Reductions(photo)
    freely = index.neighbours.laying.grid is None
    best: _Look | None = None
    for number, sight in enumerate(sights_of(photo_at, index)):
        if number and not allowance().covers(price_of(sight)):
            break
        best = _better(best, _look(photo, photo_at, likeness, sight))
        close = number > 0 or not freely
        if freely and best is not None and best.doubtful and (above := _above(best, photo_at)) is not None:
            best, close = _better(best, _look(photo, photo_at, likeness, above)), True
        small = best is not None and best.small and not sight.finely
        if best is not None and not best.poor and not small and (close or not best.doubtful):
            break
        # The looks that are left take most of the time.
        if best is None and number == 1 and _is_mirrored(photo, likeness):
            raise MirroredPhoto(no_card())
        if number == 1 and freely and is_blurred(sight.view.grey):
            break
    if best is None:
        raise MirroredPhoto(no_card()) if number < 1 and _is_mirrored(photo, likeness) else no_card()
    return best.layout


def _is_mirrored(photo: Photo, likeness: Likeness) -> bool:
    """Whether the first look at the mirror image of a photo finds cards that are like their art."""
    over = turned_over(photo)
    photo_at = Reductions(over)
    look = _look(over, photo_at, likeness, next(sights_of(photo_at, likeness.index)))
    return look is not None and not look.poor


def layout_seen(photo: Photo, photo_at: Reductions, index: CardIndex, sight: Sight) -> Layout | None:
    """The layout of the cards that one picture of a photo shows by itself; None where it shows none."""
    look = _look(photo, photo_at, likeness_to(index), sight)
    return None if look is None else look.layout


def _above(look: _Look, photo_at: Reductions) -> Sight | None:
    """The table of a look from above, where that tells more."""
    placed = [candidate.placed for candidate, _ in look.judged]
    return from_above(photo_at, look.table_to_photo, placed) if look.steep else None


def _better(one: _Look | None, other: _Look | None) -> _Look | None:
    """Of two looks the one that explains more of the photo."""
    if one is None or other is None:
        return one or other
    return other if other.worth > one.worth else one


def _look(photo: Photo, photo_at: Reductions, likeness: Likeness, sight: Sight) -> _Look | None:
    """The cards that are found in a picture of the photo; None where there are none."""
    index, view = likeness.index, sight.view
    features, matches, seen = sighted(sight, index)
    sightings = [replace(each, card_to_photo=sight.to_photo @ each.card_to_photo) for each in seen]
    if (made := current()) is not None:
        made.update(pixels=photo.pixels, features=sight.on_photo(features), sightings=sightings)
        made["sighted"] = tuple(index.ids[sighting.card] for sighting in sightings)
        made["supporting_px"] = tuple(
            geometry.apply(sight.to_photo, matches.at_px[sighting.inliers]) for sighting in sightings
        )
    best: tuple[Array, list[Candidate], View, Likeness, list[Candidate]] | None = None
    for seed in seen[:PLANES_TRIED]:
        table_to_sight, candidates = find_candidates(seed, seen, matches, index, view.scale)
        if not candidates:
            continue
        table_to_photo = sight.to_photo @ table_to_sight
        reduction = _comparing_scale(table_to_photo, candidates)
        near = photo_at.view(max(photo.width, photo.height) * reduction)
        as_seen = likeness.as_soft(COMPARED_PX_PER_MM * near.scale / reduction)
        found = _compare(candidates, table_to_photo, near, as_seen)
        if found and (best is None or _worth(found) > _worth(best[1])):
            best = table_to_photo, found, near, as_seen, candidates
        if best is not None and len(best[1]) >= 2:
            break
    if best is None:
        return None
    table_to_photo, found, near, likeness, candidates = best
    # The last steps take about as long as the decoder for a whole picture, where ink needs that.
    photo.begin(halvings_for_ink((_fineness(one) for one in found), photo.halvings))
    # A false sighting makes a plane of its own, on which no other one lies.
    alone = len(found) == 1 and len(sightings) > 1
    table_to_photo, found = _refit(table_to_photo, found, near.scale)
    if more := _sighted_apart(sightings, found, table_to_photo, near, likeness):
        table_to_photo, found = _refit(table_to_photo, found + more, near.scale)
    for _ in range(SITE_ROUNDS):
        more = search_sites(found, table_to_photo, near, likeness)
        if not more:
            break
        table_to_photo, found = _refit(table_to_photo, found + more, near.scale)
    judged = [_best_face(candidate, near, likeness) for candidate in found]
    strange = [candidate.placed for candidate, rivals in judged if is_strange(candidate, rivals)]
    judged = [each for each in judged if not is_strange(*each)]
    if not judged:
        return None
    freely = index.neighbours.laying.grid is None
    if freely:
        judged, strange = _look_closely(judged, strange, table_to_photo, photo_at, near, likeness)
    judged = _told_by_colour(judged, photo_at, likeness)
    found = [candidate for candidate, _ in judged]
    layout = _lay_out(judged, table_to_photo, photo, index)
    if alone and len(found) == 1 and not layout.doubts:
        layout = replace(layout, doubts=(CardDoubt(0, (layout.poses[0].card,), "alone"),))
    unclear = _may_tell_more(layout, found)
    unclear |= len(found) <= FEW_AFAR and steepness(table_to_photo, [one.placed for one in found]) >= STEEP
    left = _left_over(sightings, candidates, found, table_to_photo, index)
    unclear |= any(_visible(corners, photo) >= LEAST_VISIBLE for _, corners in left)
    if freely:
        asked = [(one, _outline(one, table_to_photo), "stranger") for one in strange]
        asked += [(*each, "cut-off") for each in left if _visible(each[1], photo) < LEAST_VISIBLE]
        layout = _with_strangers(layout, found, asked, index)
        unclear |= any(doubt.reason == "stranger" for doubt in layout.doubts)
    return _Look(judged, table_to_photo, layout, unclear)


def _may_tell_more(layout: Layout, found: Sequence[Candidate]) -> bool:
    """Whether a closer look may name what this one doubts. What a close-up told of a covered card is all that
    there is; where it told a whole card, this look was not close enough."""
    close = {id(one.aligned.card_to_photo): one.likeness for one in found if one.aligned and one.close}
    covered = {place for place, likeness in close.items() if likeness < CLEAR_LIKENESS}
    if len(covered) < len(close):
        return True
    poses = (*layout.poses, *layout.others)
    if any(pose.confidence < SURE_ENOUGH and id(pose.card_to_photo) not in covered for pose in poses):
        return True
    return any(
        doubt.corners_px is not None or id(layout.poses[doubt.index].card_to_photo) not in covered
        for doubt in layout.doubts
    )


def _look_closely(
    judged: list[tuple[Candidate, Rivals]],
    strange: list[Placed],
    table_to_photo: Array,
    photo_at: Reductions,
    near: View,
    likeness: Likeness,
) -> tuple[list[tuple[Candidate, Rivals]], list[Placed]]:
    """The found cards and those that a close look finds where one seems to lie, and the places that keep no
    name."""
    found = [candidate for candidate, _ in judged]
    lying = [*(one.placed for one in found), *strange]
    strange = strange + strangers_beside(lying, table_to_photo, photo_at, near, likeness)
    more: list[Candidate] = []
    for place in (*strange, *covered_places(found, table_to_photo, near, likeness)):
        if not any(collide(place, one.placed) for one in more):
            card = look_closely(place, table_to_photo, photo_at, near, likeness)
            more += [card] if card is not None else []
    if not more:
        return judged, strange
    # Beside them others may lie.
    beside = search_sites(found + more, table_to_photo, near, likeness)
    for candidate in more:
        assert candidate.aligned is not None
        rivals = likeness_at(near, candidate.aligned.card_to_photo, candidate.placed.card, likeness)
        judged = [*judged, (candidate, rivals)]
    judged += [each for one in beside if not is_strange(*(each := _best_face(one, near, likeness)))]
    named = [candidate.placed for candidate, _ in judged]
    return judged, [one for one in strange if not any(collide(one, other) for other in named)]


def _told_by_colour(
    judged: Sequence[tuple[Candidate, Rivals]], photo_at: Reductions, likeness: Likeness
) -> list[tuple[Candidate, Rivals]]:
    """The cards with their rivals, sisters in the order in which their colours put them, and without rivals
    among them where these are plain; and whether the colours of cards that are less like their art fit."""
    usual = float(np.median([candidate.likeness for candidate, _ in judged]))
    groups = touching_groups([candidate.placed for candidate, _ in judged])
    group_of = {k: number for number, group in enumerate(groups) for k in group}
    sure, open_, asked = [], [], []
    for k, (candidate, rivals) in enumerate(judged):
        assert candidate.aligned is not None
        card = candidate.placed.card
        lying = Lying(card, candidate.aligned.card_to_photo, group_of[k])
        near = near_rivals(candidate, rivals)
        options = [card, *(one for one in likeness.sisters(card) if (one, 0) in near)]
        if not near:
            sure.append(lying)
        if len(options) > 1 or (not near and not is_plain(candidate, rivals, usual)):
            open_.append(k)
            asked.append(
                Sisters(lying, tuple(options), tuple(_likeness_of(judged[k], one) for one in options))
            )
    told = told_by_colour(sure, asked, photo_at, likeness.index) if asked else []
    named = list(judged)
    for k, each in zip(open_, told, strict=True):
        if each is not None:
            candidate, rivals = judged[k]
            sisters = [one for one in each.options if one != candidate.placed.card]
            left = {rival: like for rival, like in rivals.items() if rival[1] or rival[0] not in sisters}
            if not each.clear:
                # Their likeness in grey says nothing; what their colours say is asked about.
                alike = [candidate.likeness, *(rivals[one, 0] for one in sisters)]
                alike.sort(reverse=True)
                left |= {(one, 0): like for one, like in zip(each.options[1:], alike[1:], strict=True)}
            placed = replace(candidate.placed, card=each.options[0])
            named[k] = replace(candidate, placed=placed, in_colour=each.clear), left
    return named


def _likeness_of(judged: tuple[Candidate, Rivals], card: int) -> float:
    """How like its place a card or one of its rivals is, upright."""
    candidate, rivals = judged
    return candidate.likeness if card == candidate.placed.card else rivals[card, 0]


def _with_strangers(
    layout: Layout,
    found: Sequence[Candidate],
    strange: Sequence[tuple[Placed, Array, str]],
    index: CardIndex,
) -> Layout:
    """The layout with a doubt for each place that touches its tableau and has no name: the place on the plane
    of `found`, its outline in the photo and the reason."""
    places = {id(one.aligned.card_to_photo): one.placed for one in found if one.aligned is not None}
    tableau, others = (
        [places[id(pose.card_to_photo)] for pose in poses] for poses in (layout.poses, layout.others)
    )
    doubts = list(layout.doubts)
    for place, corners, reason in strange:
        beside = [i for i, one in enumerate(tableau) if touching_side(place, one) is not None]
        if beside:
            read = layout.poses[beside[0]].card
            sighted = index.ids[place.card] if reason == "cut-off" else ""
            doubts.append(CardDoubt(beside[0], (read,), reason, corners, sighted))
    # With its unnamed cards another group may be the larger one; where they part this one that is asked,
    # and one of the groups is enough.
    parted = any(doubt.reason in ("gap", "stranger", "group") for doubt in doubts)
    unnamed = [(place, corners) for place, corners, reason in strange if reason == "stranger" and not parted]
    for group in touching_groups([*others, *(place for place, _ in unnamed)]):
        asked = [i - len(others) for i in group if i >= len(others)]
        if len(asked) < len(group) >= max(2, len(tableau)) and asked:
            doubts.append(CardDoubt(0, (layout.poses[0].card,), "group", unnamed[asked[0]][1]))
            break
    return replace(layout, doubts=tuple(doubts))


def _comparing_scale(table_to_photo: Array, candidates: Sequence[Candidate]) -> float:
    """The reduction of the photo at which its cards are compared with their art."""
    middles = np.array([candidate.placed.centre_mm for candidate in candidates])
    slopes = geometry.jacobian(table_to_photo, middles)
    return COMPARED_PX_PER_MM / float(np.median(np.sqrt(np.abs(np.linalg.det(slopes)))))


def _fineness(candidate: Candidate) -> float:
    """How many pixels of the photo a millimetre of a found card has."""
    assert candidate.aligned is not None
    size_mm = candidate.placed.size_mm
    corners = geometry.apply(candidate.aligned.card_to_photo, geometry.rectangle(*size_mm))
    return px_per_mm(corners, size_mm)


def _left_over(
    sightings: Sequence[Sighting],
    candidates: Sequence[Candidate],
    found: Sequence[Candidate],
    table_to_photo: Array,
    index: CardIndex,
) -> list[tuple[Placed, Array]]:
    """Where cards seem to lie though none was found: places with many votes, and sightings, each with its
    corners (4, 2) in the photo."""
    places = [candidate.placed for candidate in found]
    left: list[tuple[Placed, Array]] = []

    def keep(placed: Placed, corners: Array) -> None:
        if not any(collide(placed, other) for other in (*places, *(one for one, _ in left))):
            left.append((placed, corners))

    for one in candidates:
        if one.votes >= LEFT_VOTES:
            keep(one.placed, _outline(one.placed, table_to_photo))
    from_photo = np.asarray(np.linalg.inv(table_to_photo), np.float64)
    for sighting in sightings:
        size_mm = index.sizes_mm[sighting.card]
        to_table = from_photo @ sighting.card_to_photo
        x, y = geometry.apply(to_table, np.asarray(size_mm) / 2)
        keep(Placed(sighting.card, (float(x), float(y)), 0.0, size_mm), sighting.corners_px(index))
    return left


def _outline(placed: Placed, table_to_photo: Array) -> Array:
    face = geometry.rectangle(*placed.size_mm)
    return geometry.apply(table_to_photo @ placed.to_table(), face)


def _visible(corners: Array, photo: Photo) -> float:
    """The share of an outline that lies in the photo."""
    frame = geometry.rectangle(photo.width, photo.height).astype(np.float32)
    quad = corners.astype(np.float32)
    inside, _ = cv2.intersectConvexConvex(quad, frame)
    return float(inside) / max(float(cv2.contourArea(quad)), 1.0)


def no_card() -> WaymarkError:
    """The error for a photo in which no card of the catalogue was recognised."""
    return WaymarkError(
        Code.NO_CARD,
        "No card of this catalogue was recognised; take a sharp photo from above, filled by the cards, or "
        "name the catalogue of the game or box that lies there.",
        "このカタログのカードが見つかりません。カードが大きく入るように真上からはっきり撮るか、"
        "その場にあるゲームや箱のカタログを指定してください。",
    )


def _worth(found: Sequence[Candidate]) -> float:
    return sum(candidate.likeness for candidate in found)


def _compare(
    candidates: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Candidate]:
    """Compare candidates with their art, strongest first; the best at each place stays."""
    compared: list[Candidate] = []
    tried: list[Candidate] = []
    for candidate in candidates:
        rivals = [other for other in tried if collide(candidate.placed, other.placed)]
        beaten = any(other.votes > CLEAR_VOTES * candidate.votes and other.aligned for other in rivals)
        if beaten or len(rivals) >= TRIED_PER_PLACE:
            continue
        footprint = candidate.placed.to_table()
        aligned = align(view, table_to_photo @ footprint, candidate.placed.card, likeness)
        if aligned is not None and aligned.likeness >= least_likeness(candidate.placed.size_mm):
            candidate = replace(candidate, aligned=aligned)
            compared.append(candidate)
        tried.append(candidate)
    return compete(sorted(compared, key=lambda candidate: -candidate.likeness))


def _sighted_apart(
    sightings: Sequence[Sighting],
    found: Sequence[Candidate],
    table_to_photo: Array,
    view: View,
    likeness: Likeness,
) -> list[Candidate]:
    """The sighted cards that are plainly like their art where no card was found: they lie at another angle
    than the others, as somebody else's do, or the plane was known too badly there."""
    more: list[Candidate] = []
    for sighting in sightings:
        placed = lying_on(table_to_photo, sighting, likeness.index)
        if placed is None or any(collide(placed, other.placed) for other in (*found, *more)):
            continue
        aligned = align(view, sighting.card_to_photo, sighting.card, likeness)
        if aligned is not None and aligned.likeness >= CLEAR_LIKENESS:
            more.append(Candidate(placed, sighting.inliers, sighting.support, aligned))
    return more


def _refit(table_to_photo: Array, found: Sequence[Candidate], scale: float) -> tuple[Array, list[Candidate]]:
    """Fit plane and places once more to the aligned cards, which tell them better than single matches."""
    aligned = [candidate.aligned for candidate in found if candidate.aligned is not None]
    plane = fit_plane(
        table_to_photo,
        [candidate.placed for candidate in found],
        [one.at_mm for one in aligned],
        [one.at_px for one in aligned],
        huber_px=MISFIT_PX / scale,
    )
    return plane.table_to_photo, [
        replace(candidate, placed=placed) for candidate, placed in zip(found, plane.placed, strict=True)
    ]


def _best_face(candidate: Candidate, view: View, likeness: Likeness) -> tuple[Candidate, Rivals]:
    """The candidate, or what is more like its place; and the likeness of the next best cards and turns there.

    Features can mistake a starter for its other colour where blur has taken the finer half of them.
    """
    turned_back = False
    while True:
        assert candidate.aligned is not None
        placed, aligned = candidate.placed, candidate.aligned
        rivals = likeness_at(view, aligned.card_to_photo, placed.card, likeness)
        card, quarters = max(rivals, key=lambda rival: rivals[rival], default=(placed.card, 0))
        if rivals.get((card, quarters), -1.0) > candidate.likeness:
            turned = turned_map(aligned.card_to_photo, placed.size_mm, quarters)
            better = align(view, turned, card, likeness)
            # A card that is much the same turned is told by little of it: not by its likeness as a whole.
            same = card == placed.card and not turned_back
            if better is not None and (better.likeness > candidate.likeness or same):
                placed = replace(placed, card=card, turn_rad=placed.turn_rad + quarters * np.pi / 2)
                candidate = replace(candidate, placed=placed, aligned=better)
                turned_back = turned_back or same
                continue
        return candidate, rivals


def _lay_out(
    judged: Sequence[tuple[Candidate, Rivals]], table_to_photo: Array, photo: Photo, index: CardIndex
) -> Layout:
    """Turn the frame so that cards lie in it as they may, its origin on the first; part off other groups."""
    found = [candidate for candidate, _ in judged]
    groups = touching_groups([candidate.placed for candidate in found])
    largest, rival = _tableau_of(groups, found, table_to_photo, photo)
    turn = _frame_turn([found[i].placed for i in largest], table_to_photo, index)
    frame = geometry.similarity(turn, np.zeros(2))
    to_frame = np.asarray(np.linalg.inv(frame), np.float64)
    placed = []
    for candidate in found:
        x, y = geometry.apply(to_frame, np.asarray(candidate.placed.centre_mm))
        at = float(x), float(y)
        placed.append(replace(candidate.placed, centre_mm=at, turn_rad=candidate.placed.turn_rad - turn))
    if index.neighbours.laying.grid is not None:
        largest, centres, to_table = cells_in_line(placed, index.neighbours.cell_mm)
    else:
        centres = snap(placed, index.neighbours.shifts)
        to_table = _closed_up([placed[i] for i in largest], centres[largest])
    corner = centres - np.array([extent(one.turn_rad, one.size_mm) for one in placed]) / 2
    order = sorted(largest, key=lambda i: (round(corner[i, 0] / 10), corner[i, 1]))
    origin = corner[order[0]]
    usual = float(np.median([candidate.likeness for candidate in found]))

    def pose(i: int, confidence: float) -> CardPose:
        aligned = found[i].aligned
        assert aligned is not None
        return CardPose(
            card=index.ids[placed[i].card],
            rotation=90 * quarter_of(placed[i].turn_rad),
            x_mm=round(float(corner[i, 0] - origin[0]), 2),
            y_mm=round(float(corner[i, 1] - origin[1]), 2),
            card_to_photo=aligned.card_to_photo,
            corners_px=geometry.apply(aligned.card_to_photo, geometry.rectangle(*placed[i].size_mm)),
            confidence=confidence,
        )

    poses, doubts = [], []
    for number, i in enumerate(order):
        naming = name(*judged[i], usual, index)
        poses.append(pose(i, naming.confidence))
        if naming.options:
            doubts.append(CardDoubt(number, naming.options, naming.reason))
    apart = [i for i in range(len(found)) if i not in largest]
    if index.neighbours.laying.grid is None:
        gaps = beside_gaps([placed[i] for i in order], [placed[i] for i in apart], index)
        doubts += [CardDoubt(i, (poses[i].card,), "gap") for i in gaps]
        if rival:
            corners = np.concatenate([_outline(found[i].placed, table_to_photo) for i in rival])
            low, high = corners.min(axis=0), corners.max(axis=0)
            around = geometry.rectangle(*(high - low)) + low
            doubts.append(CardDoubt(0, (poses[0].card,), "group", around))
    others = [pose(i, name(*judged[i], usual, index).confidence) for i in apart]
    to_photo = table_to_photo @ frame @ to_table @ geometry.similarity(0.0, origin)
    return Layout(tuple(poses), to_photo, tuple(others), tuple(doubts))


def _tableau_of(
    groups: Sequence[list[int]], found: Sequence[Candidate], table_to_photo: Array, photo: Photo
) -> tuple[list[int], list[int]]:
    """The group of cards that is the tableau: the largest, of equal ones the most central, but none far aside
    where another lies in the middle; and the one that may be it as well, if any."""
    middle, diagonal = np.array([photo.width, photo.height]) / 2, float(np.hypot(photo.width, photo.height))

    def aside(group: list[int]) -> float:
        centres = geometry.apply(table_to_photo, np.array([found[i].placed.centre_mm for i in group]))
        return float(np.linalg.norm(centres.mean(axis=0) - middle)) / diagonal

    ranked = sorted(groups, key=lambda group: (-len(group), aside(group)))
    first = ranked[0]
    if aside(first) > OFF_MIDDLE:
        bound = min(IN_MIDDLE, aside(first) - NEARER_MIDDLE)
        central = [group for group in ranked[1:] if len(group) > 1 and aside(group) < bound]
        if central:
            return central[0], first
    near = (
        group
        for group in ranked[1:]
        if (len(group) >= max(2, len(first) - GROUP_LESS) and aside(group) < aside(first) + GROUP_ASIDE)
        or (aside(first) > OFF_MIDDLE and aside(group) < aside(first) - NEARER_MIDDLE)
    )
    return first, next(near, [])


def _closed_up(placed: Sequence[Placed], centres: Array) -> Array:
    """(3, 3) the map from a table on which cards lie at `centres` (N, 2), along its axes, to the one on which
    they were measured."""
    corners, measured = [], []
    for one, centre in zip(placed, centres, strict=True):
        lies = Placed(one.card, (centre[0], centre[1]), quarter_of(one.turn_rad) * np.pi / 2, one.size_mm)
        face = geometry.rectangle(*one.size_mm)
        corners.append(geometry.apply(lies.to_table(), face))
        measured.append(geometry.apply(one.to_table(), face))
    solved, _ = cv2.findHomography(np.concatenate(corners), np.concatenate(measured))
    return np.asarray(solved, np.float64)


def _frame_turn(placed: Sequence[Placed], table_to_photo: Array, index: CardIndex) -> float:
    """The turn at which most cards lie as they may, and then at which most of those are upright that may not
    lie in every way; of two as good, the one that is upright in the photo."""
    off = [off_quarter(card.turn_rad - placed[0].turn_rad) for card in placed]
    along = placed[0].turn_rad + float(np.mean(off))
    quarters = [quarter_of(card.turn_rad - along) for card in placed]
    middle = np.mean([card.centre_mm for card in placed], axis=0)
    slope = geometry.jacobian(table_to_photo, middle[None])[0]

    ways = [index.rotations[card.card] for card in placed]

    def merit(quarter: int) -> tuple[int, int, float]:
        turn = along + quarter * np.pi / 2
        down = slope @ np.array([-np.sin(turn), np.cos(turn)])
        lying = [(90 * (mine - quarter) % 360, way) for mine, way in zip(quarters, ways, strict=True)]
        allowed = sum(rotation in way for rotation, way in lying)
        upright = sum(rotation == 0 and len(way) < 4 for rotation, way in lying)
        return allowed, upright, float(down[1])

    return along + max(range(4), key=merit) * np.pi / 2
