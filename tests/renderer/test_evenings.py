"""Photos of real evenings: each nuisance does what its name says, and what is told of it is true."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from long_rest import long_but
from numpy.typing import NDArray
from PIL import Image
from printed_faces import print_offset
from scipy.spatial import cKDTree

from calibration.enrol.card_geometry import contract_problems
from samples import (
    camera,
    clutter,
    compositor,
    evenings,
    ink,
    layouts,
    nuisances,
    scenes,
    second_deck,
    spread,
)
from samples.deck import open_deck
from samples.drawing import on_true_table
from samples.ghosts import Wipe, wiped
from samples.nuisances import Nuisances
from samples.projection import card_to_photo
from samples.sample import Sample, path_to_photo
from samples.scene_schema import Finish, Post, Scene
from samples.splits import EVENINGS, FIRST_SEED
from samples.tables import table_texture
from samples.truth import truth_of, washed_out, write_truth
from scorer.dungeon import build_dungeon
from scorer.mapmasters import referee_dungeon

SEED = FIRST_SEED["tuning-evening"] + 900


@cache
def made(wanted: Nuisances, seed: int = SEED) -> Sample:
    """A scene with these nuisances and no others."""
    for attempt in range(evenings.PATIENCE):
        try:
            return evenings.evening(open_deck(), "tuning-evening", seed, attempt, wanted)
        except layouts.NoScene:
            continue
    raise AssertionError(f"no scene with {wanted} from seed {seed}")


def plain(**named: Any) -> Nuisances:
    return Nuisances("hard", strength=0.5, tilt_deg=5.0, **named)


def small(scene: Scene, **changes: Any) -> Scene:
    """The scene as a small quiet photo."""
    view = scene.camera
    share = 900 / max(view.width, view.height)
    view = msgspec.structs.replace(view, width=round(view.width * share), height=round(view.height * share))
    changes = {"post": Post(noise=0, chroma_noise=0)} | changes
    return msgspec.structs.replace(scene, camera=view, **changes)


def light_of(sample: Sample, scene: Scene) -> NDArray[np.float32]:
    """Linear light (H, W) before the phone exposes it."""
    return np.asarray(compositor.render_ideal(scene, sample.images.__getitem__).mean(axis=2), np.float32)


def tableau_distances(sample: Sample) -> list[float]:
    """How far cards that touch by the record lie apart, mm."""
    pairs = spread.touching(sample.record.cards, open_deck().card_size_mm)
    ground = [clutter.ground_of(card) for card in sample.scene.cards]
    return [ground[i].distance(ground[j]) for i, j, _ in pairs]


# --- which photo has which ----------------------------------------------------------------------------------


def test_an_evening_is_a_function_of_split_and_index() -> None:
    one, other = (scenes.make_sample("tuning-evening", 6) for _ in range(2))
    assert one.scene == other.scene and one.record == other.record and one.nuisances == other.nuisances
    assert all(np.array_equal(picture, other.images[name]) for name, picture in one.images.items())
    assert truth_of(one, renderer="x") == truth_of(other, renderer="x")


@pytest.mark.long
def test_no_two_splits_show_the_same_scene() -> None:
    found = [scenes.make_sample(split, 2).scene for split in EVENINGS]  # type: ignore[arg-type]
    assert all(a.cards != b.cards and a.light != b.light for a, b in itertools.combinations(found, 2))


def test_every_ten_photos_have_the_same_tiers() -> None:
    for first in (0, 10, 70):
        tiers = Counter(nuisances.TIERS[(first + k) % len(nuisances.TIERS)] for k in range(10))
        assert tiers == {"easy": 2, "typical": 4, "hard": 2, "wild": 2}


def test_wilder_tiers_have_more_and_easy_ones_none() -> None:
    def count(found: Nuisances) -> int:
        return sum(bool(value) for name, value in found.named().items() if name not in ("tier", "steep"))

    rng = np.random.default_rng(1)
    many = {tier: [nuisances.random_nuisances(tier, rng) for _ in range(200)] for tier in nuisances.NUMBERS}
    means = [np.mean([count(found) for found in many[tier]]) for tier in ("easy", "typical", "hard", "wild")]
    assert means[0] == 0 and means == sorted(means)
    assert max(found.tilt_deg for found in many["easy"]) < 20
    assert 50 < max(found.tilt_deg for found in many["wild"]) <= 60
    assert min(found.tilt_deg for found in many["wild"]) == 0
    seen = {name for found in many["wild"] for name, value in found.named().items() if value}
    assert seen == set(Nuisances("wild").named())


def test_truth_names_the_tier_and_each_nuisance_in_words_to_group_by(tmp_path: Path) -> None:
    sample = made(plain(pens="marks", spur=True))
    told = truth_of(sample, renderer="compositor")["sample"]
    assert (told["tier"], told["pens"], told["deck"], told["sleeves"]) == ("hard", "marks", "open", "")
    assert told["spur"] == bool(sample.spurs_mm) == bool(told["spurs_px"])
    assert all(isinstance(told[name], bool | str) for name in Nuisances("easy").named())


# --- cards apart --------------------------------------------------------------------------------------------


def test_sleeved_cards_lie_three_to_four_mm_apart_and_the_record_has_them_in_contact() -> None:
    sample = made(plain(sleeves="clear"))
    assert all(2.0 < apart < 5.0 for apart in tableau_distances(sample))
    assert 2.6 < float(np.median(tableau_distances(sample))) < 4.4
    faults = build_dungeon(open_deck(), sample.record.cards).faults
    assert "detached" not in {fault.rule for fault in faults}


@pytest.mark.long
def test_gaps_are_as_wide_as_told() -> None:
    sample = made(plain(gap_mm=6.0))
    distances = tableau_distances(sample)
    assert 4.5 < max(distances) < 7.5
    assert min(distances) < 6.0
    assert sample.nuisances is not None and sample.nuisances.named()["gaps"] == "wide"


def test_ink_lies_on_the_sleeve_and_reaches_its_rim() -> None:
    sample = made(plain(sleeves="matte"))
    for card in sample.scene.cards:
        assert card.sleeve is not None
        if card.ink is not None:
            wide = card.size_mm[0] + 2 * card.sleeve.border_mm
            assert sample.images[card.ink].shape[1] == round(wide * ink.OVERLAY_PX_PER_MM)


@pytest.mark.long
def test_matte_film_greys_the_print_under_it() -> None:
    sample = made(plain(sleeves="matte"))
    sleeved = small(sample.scene, props=(), others=())
    bare_cards = tuple(msgspec.structs.replace(card, sleeve=None, ink=None) for card in sleeved.cards)
    inkless = tuple(msgspec.structs.replace(card, ink=None) for card in sleeved.cards)
    under = light_of(sample, msgspec.structs.replace(sleeved, cards=inkless))
    bare = light_of(sample, msgspec.structs.replace(sleeved, cards=bare_cards))
    at = _middles(sample, sleeved)
    darkest = [float(np.quantile(field[at], 0.02)) for field in (under, bare)]
    assert darkest[0] > 1.2 * darkest[1]


def _middles(sample: Sample, scene: Scene) -> NDArray[np.bool_]:
    """The inner part of every tableau card in the renderer's picture."""
    share = compositor.RENDER_SHARE
    size = round(scene.camera.width * share), round(scene.camera.height * share)
    view = msgspec.structs.replace(scene.camera, width=size[0], height=size[1])
    mask = np.zeros(size[::-1], np.uint8)
    for card in scene.cards:
        corners = card_to_photo(view, card, np.array([[15, 20], [48, 20], [48, 68], [15, 68.0]]))
        cv2.fillPoly(mask, [corners.round().astype(np.int32)], 1)
    return mask > 0


# --- ink ----------------------------------------------------------------------------------------------------


def cover_along(
    sample: Sample, lines: tuple[NDArray[np.float64], ...], clear_mm: float
) -> NDArray[np.float64]:
    """The ink's cover 0..1 along lines on the table, where this round's path is `clear_mm` away or more."""
    fresh = cKDTree(np.vstack(sample.path_mm))
    found = []
    for line in lines:
        apart, _ = fresh.query(line)
        line = line[apart >= clear_mm]
        for card in sample.scene.cards:
            local = layouts.table_to_card_true(card, line)
            inside = ((local > 1) & (local < np.asarray(card.size_mm) - 1)).all(axis=1)
            if card.ink is not None and inside.any():
                pixels = (local[inside] * ink.OVERLAY_PX_PER_MM).astype(int)
                found.append(sample.images[card.ink][pixels[:, 1], pixels[:, 0], 3] / 255)
    return np.concatenate(found)


@pytest.mark.parametrize("strength", long_but([0.12, 0.34], 1))
def test_a_ghost_is_as_strong_as_told_and_smeared(strength: float) -> None:
    sample = made(plain(ghost=strength))
    lines = tuple(line for line in sample.ghosts_mm if len(line) > 100)
    ghost = cover_along(sample, lines, clear_mm=8.0)
    # (marks of this round lie on some of it; swathes are wiped clean)
    assert 0.45 * strength < float(np.median(ghost)) < 1.3 * strength
    assert float(np.median(cover_along(sample, sample.path_mm, 0.0))) > 2 * float(np.median(ghost))


@pytest.mark.long
def test_a_wipe_leaves_no_fresh_edge() -> None:
    line = np.zeros((360, 360), np.float32)
    line[:, 170:190] = 2.5
    wipe = Wipe(0.3, angle_deg=0.0, reach_mm=4.0, swathe_mm=40.0, seed=3)
    left = wiped(line, 0.0, wipe, 0)[100:260].mean(axis=0)
    fresh = 1 - np.exp(-line[180])
    assert np.abs(np.diff(left)).max() / left.max() < 0.35 * np.abs(np.diff(fresh)).max() / fresh.max()
    # drawn out the way the cloth went, and that way only
    assert left[200:240].mean() > 3 * left[120:160].mean()


@pytest.mark.long
def test_a_spur_lies_off_the_path_and_is_not_in_the_record() -> None:
    sample = next(s for k in range(8) if (s := made(plain(spur=True), SEED + k)).spurs_mm)
    assert float(cover_along(sample, sample.spurs_mm, 2.5).mean()) > 0.5
    without = made(plain(), sample.seed)
    assert without.record.path == sample.record.path


def test_a_second_pen_has_another_colour() -> None:
    marked = next(s for k in range(8) if (s := made(plain(pens="marks"), SEED + k)).record.marks.circled)
    hues = [sample_colours(marked), sample_colours(made(plain(), marked.seed))]
    assert len(hues[0]) > len(hues[1]) == 1


def sample_colours(sample: Sample) -> set[tuple[int, ...]]:
    """The thick ink's colours, to steps that no pen's own unevenness bridges."""
    seen = [sample.images[card.ink].reshape(-1, 4) for card in sample.scene.cards if card.ink is not None]
    thick = np.vstack(seen)
    thick = thick[thick[:, 3] > 250][:, :3].astype(int)
    means: list[NDArray[np.int_]] = []
    for colour in thick[:: max(1, len(thick) // 500)]:
        if all(np.abs(colour - mean).max() > 40 for mean in means):
            means.append(colour)
    return {tuple(map(int, mean)) for mean in means}


@pytest.mark.parametrize("rule", long_but(nuisances.BREAKABLE, 0, 6, 10))
def test_a_path_against_a_rule_breaks_that_rule(rule: str) -> None:
    for seed in range(SEED, SEED + 12):
        sample = evening_breaking(rule, seed)
        if sample is not None:
            ruling = referee_dungeon(build_dungeon(open_deck(), sample.record.cards), sample.record)
            assert ruling.violations[0].rule == rule
            assert sample.nuisances is not None and sample.nuisances.broken_rule == rule
            assert not sample.legal
            return
    raise AssertionError(f"no path breaks {rule}")


def evening_breaking(rule: str, seed: int) -> Sample | None:
    for attempt in range(3):
        try:
            return evenings.evening(open_deck(), "tuning-evening", seed, attempt, plain(broken_rule=rule))
        except layouts.NoScene:
            continue
    return None


def test_the_path_needs_a_token_that_the_record_tells_of() -> None:
    sample = made(plain(tokens=True))
    assert sample.record.fairy_tokens and sample.legal
    dungeon = build_dungeon(open_deck(), sample.record.cards)
    ruling = referee_dungeon(dungeon, sample.record)
    paid = {payment.means for step in ruling.steps for payment in step.paid}
    assert any(means.startswith("fairy:") for means in paid)
    bare = referee_dungeon(dungeon, msgspec.structs.replace(sample.record, fairy_tokens={}))
    assert (bare.discovered, bare.legal) != (ruling.discovered, ruling.legal)


# --- light, things, company ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", long_but(["stripe", "haze"], 0))
def test_glare_brightens_the_cards_where_it_lies(kind: str) -> None:
    sample = made(plain(glare=kind))
    scene = small(sample.scene, props=(), others=(), finish=Finish(linen=0))
    without = msgspec.structs.replace(scene, light=msgspec.structs.replace(scene.light, reflections=()))
    more = light_of(sample, scene) - light_of(sample, without)
    low, broad, peak = np.quantile(more[_middles(sample, scene)], [0.0, 0.75, 0.97])
    assert low > -0.05 and peak > 0.1
    # a stripe is narrow, a haze is not
    assert (peak > 6 * broad) == (kind == "stripe")


@pytest.mark.long
def test_truth_tells_of_a_path_that_light_hides(tmp_path: Path) -> None:
    sample = made(plain())
    size = (sample.scene.camera.height, sample.scene.camera.width, 3)
    grey = np.full(size, 120, np.uint8)
    assert not washed_out(sample, grey)
    at = path_to_photo(sample, sample.path_mm[0])
    glared = grey.copy()
    cv2.circle(glared, tuple(at[len(at) // 2].round().astype(int).tolist()), 60, (255, 255, 255), -1)
    assert washed_out(sample, glared)
    Image.fromarray(glared).save(tmp_path / "photo.png")
    told = msgspec.json.decode(write_truth(sample, tmp_path / "photo.png", renderer="x").read_bytes())
    assert told["sample"]["washed_out"] is True


@pytest.mark.parametrize("kind", long_but(["hand", "finger", "pen"], 1))
def test_what_lies_over_the_path_hides_the_places_told(kind: str) -> None:
    sample = next(s for k in range(8) if (s := made(plain(over=kind), SEED + k)).hidden)
    scene = small(sample.scene)
    thing = scene.props[-1]
    assert thing.kind == ("pen" if kind == "pen" else "hand")
    with_it, without = (
        compositor.photograph(each, sample.images.__getitem__).astype(int)
        for each in (scene, msgspec.structs.replace(scene, props=scene.props[:-1]))
    )
    changed = np.abs(with_it - without).max(axis=2)
    dungeon = build_dungeon(open_deck(), sample.record.cards)
    for name in sample.hidden:
        card = scene.cards[dungeon.places[name].card_index]
        at = on_true_table(dungeon, list(scene.cards), name)
        seen = card_to_photo(scene.camera, card, layouts.table_to_card_true(card, at[None]))
        x, y = camera.distort(seen, scene.camera, scene.post)[0].round().astype(int)
        if 3 <= x < changed.shape[1] - 3 and 3 <= y < changed.shape[0] - 3:
            assert changed[y - 2 : y + 3, x - 2 : x + 3].mean() > 8, name


@pytest.mark.long
def test_low_light_is_darker_and_noisier() -> None:
    dim, bright = made(plain(low_light=True)), made(plain())
    scene = small(bright.scene)
    dark, clear = (
        compositor.photograph(msgspec.structs.replace(scene, post=s.scene.post), s.images.__getitem__)
        .astype(float)
        .mean(axis=2)
        for s in (dim, bright)
    )
    assert dark.mean() < 0.8 * clear.mean()
    grain = [
        float(np.median(np.abs(cv2.Laplacian(photo, cv2.CV_64F))) / photo.mean()) for photo in (dark, clear)
    ]
    assert grain[0] > 1.3 * grain[1]


@pytest.mark.parametrize(
    "wanted",
    long_but(
        [
            plain(sleeves="matte"),
            plain(home_print=True),
            plain(gap_mm=6.0),
            Nuisances("hard", strength=0.5, tilt_deg=58.0),
        ],
        3,
    ),
    ids=["sleeves", "home print", "gaps", "steep"],
)
def test_the_print_lies_where_the_truth_says(wanted: Nuisances) -> None:
    sample = made(wanted)
    photo = compositor.photograph(sample.scene, sample.images.__getitem__)
    found = [print_offset(sample, photo, card) for card in sample.scene.cards]
    # ink, glare and blur take from the agreement, never from the place
    assert np.median([agreement for _, agreement in found]) > 0.35
    assert max(off_mm for off_mm, agreement in found if agreement > 0.2) < 0.25


def test_a_messengers_copy_is_small_and_its_truth_fits_it(tmp_path: Path) -> None:
    sample = made(plain(messenger=True))
    scene = sample.scene
    picture = np.zeros((scene.camera.height, scene.camera.width, 3), np.uint8)
    told = truth_of(sample, renderer="compositor")
    corners = np.array(told["cards"][0]["corners"])
    full = camera.distort(
        card_to_photo(scene.camera, scene.cards[0], _corners(scene)), scene.camera, scene.post
    )
    cv2.fillPoly(picture, [full.round().astype(np.int32)], (255, 255, 255))
    path = camera.write_photo(picture, tmp_path / "photo", scene.post, scene.camera)
    with Image.open(path) as stored:
        assert stored.format == "JPEG" and not stored.getexif()
        assert 1.4e6 < stored.width * stored.height < 2.1e6
        assert (stored.width, stored.height) == (told["photo"]["width"], told["photo"]["height"])
        seen = np.asarray(stored.convert("L"))
    ys, xs = np.nonzero(seen > 127)
    assert np.abs(np.array([xs.min(), xs.max()]) - [corners[:, 0].min(), corners[:, 0].max()]).max() < 2
    assert np.abs(np.array([ys.min(), ys.max()]) - [corners[:, 1].min(), corners[:, 1].max()]).max() < 2
    assert write_truth(sample, path, renderer="compositor").exists()


def _corners(scene: Scene) -> NDArray[np.float64]:
    width, height = scene.cards[0].size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


@pytest.mark.long
def test_neighbours_and_the_market_lie_apart_from_the_tableau() -> None:
    sample = made(plain(neighbours=True, market=True))
    assert any(card.ink for card in sample.scene.others)
    assert sum(card.ink is None for card in sample.scene.others) >= 2
    own = [clutter.ground_of(card) for card in sample.scene.cards]
    for other in sample.scene.others:
        assert min(clutter.ground_of(other).distance(card) for card in own) > 15
    ids = [card.card for card in (*sample.scene.cards, *sample.scene.others)]
    assert len(set(ids)) == len(ids)


@pytest.mark.long
def test_cards_printed_at_home_are_paler_and_of_another_size() -> None:
    sample, original = made(plain(home_print=True)), made(plain())
    card = sample.scene.cards[0]
    assert card.size_mm != open_deck().card_size_mm
    assert abs(card.size_mm[0] / open_deck().card_size_mm[0] - 1) < 0.04
    printed, face = (
        cv2.cvtColor(s.images[s.scene.cards[0].face], cv2.COLOR_RGB2GRAY) for s in (sample, original)
    )
    assert printed.shape == face.shape
    assert np.quantile(printed, 0.02) > np.quantile(face, 0.02)
    told = np.array(truth_of(sample, renderer="x")["cards"][0]["corners"])
    view = sample.scene.camera
    again = camera.in_file(card_to_photo(view, card, _corners(sample.scene)), view, sample.scene.post)
    assert np.abs(told - again).max() < 0.02


def test_a_table_seen_at_sixty_degrees_has_all_cards_in_view() -> None:
    sample = made(Nuisances("wild", strength=0.8, tilt_deg=60.0))
    assert sample.scene.camera.tilt_deg == 60.0
    told = truth_of(sample, renderer="x")
    size = np.array([told["photo"]["width"], told["photo"]["height"]])
    for card in told["cards"]:
        assert (np.array(card["corners"]) > 0).all() and (np.array(card["corners"]) < size).all()
    picture = compositor.photograph(small(sample.scene), sample.images.__getitem__)
    assert picture.std() > 10


@pytest.mark.long
def test_a_checked_cloth_has_strong_contrast() -> None:
    texture, _ = table_texture("checked_cloth", SEED, (600, 600), 4.0)
    grey = cv2.cvtColor(texture, cv2.COLOR_RGB2GRAY)
    assert float(np.quantile(grey, 0.9)) - float(np.quantile(grey, 0.1)) > 80


# --- the second deck ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def blueprint() -> Any:
    return second_deck.second_deck()


@pytest.mark.long
def test_the_second_decks_dungeons_are_sound(blueprint: Any) -> None:
    problems = [p for card in blueprint.cards for p in contract_problems(card, blueprint.card_size_mm)]
    assert problems == []
    assert blueprint.game == "mapmasters" and blueprint.card_size_mm != open_deck().card_size_mm
    assert not {card.id for card in blueprint.cards} & {card.id for card in open_deck().cards}


@pytest.mark.long
def test_the_second_deck_looks_like_no_card_of_the_open_one(blueprint: Any) -> None:
    face = second_deck.draw(blueprint.card("C07"))
    assert face.shape == (890, 570, 3)
    assert np.array_equal(face, second_deck.draw(blueprint.card("C07")))
    grey = cv2.cvtColor(cv2.resize(face, (57, 89), interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    for card in open_deck().cards[::12]:
        other = cv2.imread(str(open_deck().art_path(card)), cv2.IMREAD_GRAYSCALE)
        assert other is not None
        other = cv2.resize(other, (57, 89), interpolation=cv2.INTER_AREA)
        assert abs(float(np.corrcoef(grey.ravel(), other.ravel())[0, 1])) < 0.7


@pytest.mark.long
def test_ink_on_the_second_deck_can_be_seen(blueprint: Any) -> None:
    """Corridors are pale, as a pen of any colour needs them."""
    card = blueprint.card("C33")
    grey = cv2.cvtColor(second_deck.draw(card), cv2.COLOR_RGB2GRAY)
    at = np.array([node.at for node in card.nodes if node.kind == "junction"]) * second_deck.PX_PER_MM
    for x, y in at.round().astype(int):
        assert np.median(grey[y - 10 : y + 11, x - 10 : x + 11]) > 150
