"""Laws of the referee over random dungeons and walks, on cards of the open deck and on one that is full of
trouble.
"""

from __future__ import annotations

import random
from functools import cache

import msgspec
from dungeons import HEIGHT, WIDTH, card, catalogue, referee_either_way
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters import Ruling, referee
from scorer.mapmasters.direction import worth
from scorer.mapmasters.means import SPELLBOOKS, TOOLS
from scorer.mapmasters.objectives import tallies
from scorer.mapmasters.ruling import Payment, Step
from scorer.placement import OPPOSITE
from scorer.record import PlacedCard, Record, StatedPayment, make_record, path_backwards

TROUBLE = card(
    "T",
    "w1 sword1 pit1 Adw",
    "Ade circle1 e1",
    "n monster1 Adn",
    "Ads Bdw",
    "Bde barrel1 e2",
    "Bds scroll1 s",
    "Bdn rope1 lava1 w2",
    "u1 st1u key1u e2u",
    "st1 Bdn",
    "u2 w2u",
    rooms={"A": "monster circle coin pit", "B": "barrel scroll lava circle"},
    stairs=["st1 st1u"],
    falls=["pit1 u1", "A4 u2"],
)
#: Three cards in a row, the middle one shifted, and a fourth below.
SPOTS = [(0.0, 0.0), (WIDTH, HEIGHT / 2), (2 * WIDTH, 0.0), (0.0, HEIGHT)]

seeds = st.integers(0, 2**32)


@cache
def deck() -> Catalogue:
    open_deck = load_catalogue(bundled_catalogue())
    return Catalogue(
        name="open and trouble",
        game=open_deck.game,
        card_size_mm=open_deck.card_size_mm,
        cards=open_deck.cards + catalogue(TROUBLE).cards,
    )


def random_record(rng: random.Random) -> Record:
    """A walk that mostly follows the ways of a random dungeon, sometimes jumps, and sometimes does as it
    likes.
    """
    names = [face.id for face in deck().cards if face.kind in ("dungeon", "starter")]
    cards = tuple(
        PlacedCard("T" if rng.random() < 0.5 else rng.choice(names), x, y, rng.choice((0, 180)))
        for x, y in SPOTS[: rng.randint(1, 4)]
    )
    dungeon = build_dungeon(deck(), cards)
    return make_record(
        cards,
        max((random_path(rng, dungeon) for _ in range(rng.randint(1, 3))), key=len),
        fairy_tokens={tool: rng.randint(0, 3) for tool in TOOLS},
        spellbooks=tuple(rng.sample(SPELLBOOKS, rng.choice((0, 2, 4, 17)))),
    )


def random_path(rng: random.Random, dungeon: Dungeon) -> tuple[tuple[str, ...], ...]:
    places = sorted(dungeon.places)
    openings = sorted(dungeon.open_openings)
    here = rng.choice(openings or places)
    path, walked = [[here]], {here}
    for _ in range(rng.randint(0, 40)):
        if here in dungeon.open_openings and walked != {here} and rng.random() < 0.6:
            break
        targets = jump_targets(rng, dungeon, here)
        onward = [name for name in ways_on(dungeon, here) if name not in (*walked, *path[-1][-2:])]
        if targets and rng.random() < 0.5:
            here = rng.choice(targets)
            path.append([here])
        elif onward and rng.random() < 0.99:
            here = rng.choice(onward)
            path[-1].append(here)
        elif rng.random() < 0.8:
            break
        else:
            here = rng.choice(places)
            path[-1].append(here)
        if dungeon.places[here].kind != "room":
            walked.add(here)
    return tuple(tuple(stroke) for stroke in path)


def with_random_statements(rng: random.Random, record: Record) -> Record:
    """The record with statements about what was used along its path and elsewhere: some that can be followed,
    some that cannot.
    """
    places = sorted(build_dungeon(deck(), record.cards).places)
    along = [name for stroke in record.path for name in stroke]
    spent = [stated_as(payment) for payment in referee(deck(), record).spent]
    rng.shuffle(spent)
    means = [*TOOLS, *(f"fairy:{tool}" for tool in TOOLS), *SPELLBOOKS]
    for _ in range(rng.randint(0, 4)):
        at = rng.choice([*along, *(stated.at for stated in spent), rng.choice(places)])
        spent.append(StatedPayment(at=at, means=rng.choice(means)))
    return msgspec.structs.replace(record, payments=tuple(spent[: rng.randint(0, len(spent))]))


def stated_as(payment: Payment) -> StatedPayment:
    """A payment of a ruling as a person would state it."""
    return StatedPayment(at=payment.at, means=payment.means, source=payment.source)


def ways_on(dungeon: Dungeon, here: str) -> list[str]:
    """Where the ways from `here` lead, those up through a pitfall included."""
    return [link.b for link in dungeon.neighbours[here]] + [
        link.a for link in dungeon.links if link.one_way and link.b == here
    ]


def jump_targets(rng: random.Random, dungeon: Dungeon, here: str) -> list[str]:
    """Where some teleport may lead from `here`: mostly to its like, now and then to a monster."""
    find, side = dungeon.places[here].find, dungeon.places[here].side
    if here in dungeon.open_openings and side is not None and rng.random() < 0.2:
        return [name for name in sorted(dungeon.open_openings) if dungeon.places[name].side == OPPOSITE[side]]
    kind = find if find in ("magic_circle", "barrel") else "monster" if rng.random() < 0.03 else None
    return [
        name
        for name, place in sorted(dungeon.places.items())
        if kind is not None and place.find == kind and name != here
    ]


def prefixes(path: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    return [(*path[:s], path[s][:end]) for s in range(len(path)) for end in range(1, len(path[s]) + 1)]


def discovered(ruling: Ruling) -> dict[str, int]:
    return {**ruling.discovered, **ruling.optimizers}


@settings(deadline=None, max_examples=150)
@given(seeds)
def test_a_prefix_of_a_legal_path_is_legal_and_discovers_no_more(seed: int) -> None:
    record = random_record(random.Random(seed))
    whole = referee(deck(), record)
    if not whole.legal:
        return
    for path in prefixes(record.path):
        part = referee(deck(), msgspec.structs.replace(record, path=path))
        assert part.legal
        assert all(part.discovered[name] <= count for name, count in whole.discovered.items())


@settings(deadline=None, max_examples=150)
@given(seeds)
def test_an_illegal_path_counts_as_the_prefix_before_the_violation(seed: int) -> None:
    record = random_record(random.Random(seed))
    ruling = referee(deck(), record)
    if ruling.legal or ruling.last_place is None:
        return
    violation = ruling.violations[0]
    path = (*record.path[: violation.stroke], record.path[violation.stroke][: violation.step])
    before = referee(deck(), msgspec.structs.replace(record, path=path))
    assert before.legal
    assert discovered(before) == discovered(ruling)
    assert before.last_place == ruling.last_place


@settings(deadline=None, max_examples=150)
@given(seeds, st.sampled_from([*TOOLS, *SPELLBOOKS]))
def test_adding_means_never_lowers_a_score(seed: int, means: str) -> None:
    record = random_record(random.Random(seed))
    if means in TOOLS:
        tokens = record.fairy_tokens | {means: record.fairy_tokens.get(means, 0) + 1}
        richer = msgspec.structs.replace(record, fairy_tokens=tokens)
    else:
        richer = msgspec.structs.replace(record, spellbooks=(*record.spellbooks, means))
    poor, rich = referee(deck(), record), referee(deck(), richer)
    assert all(rich.discovered[name] >= count for name, count in poor.discovered.items())
    assert (rich.legal, rich.escaped) >= (poor.legal, poor.escaped)


@settings(deadline=None, max_examples=100)
@given(seeds)
def test_turning_the_whole_tableau_changes_nothing(seed: int) -> None:
    record = random_record(random.Random(seed))
    turned = tuple(
        PlacedCard(placed.card, -placed.x - WIDTH, -placed.y - HEIGHT, (placed.rotation + 180) % 360)  # type: ignore[arg-type]
        for placed in record.cards
    )
    assert referee(deck(), msgspec.structs.replace(record, cards=turned)) == referee(deck(), record)


@settings(deadline=None, max_examples=100)
@given(seeds)
def test_listing_the_cards_in_another_order_changes_nothing_but_names(seed: int) -> None:
    rng = random.Random(seed)
    record = random_record(rng)
    order = rng.sample(range(len(record.cards)), len(record.cards))
    number = {old: new for new, old in enumerate(order)}

    def renamed(name: str) -> str:
        index, _, local = name.partition(".")
        return f"{number[int(index)]}.{local}"

    other = msgspec.structs.replace(
        record,
        cards=tuple(record.cards[old] for old in order),
        path=tuple(tuple(renamed(name) for name in stroke) for stroke in record.path),
    )
    expected, ruling = referee(deck(), record), referee(deck(), other)
    assert discovered(ruling) == discovered(expected)
    assert (ruling.ended, ruling.legal, ruling.escaped) == (expected.ended, expected.legal, expected.escaped)
    assert [payment.means for payment in ruling.spent] == [payment.means for payment in expected.spent]
    assert [step.place for step in ruling.steps] == [renamed(step.place) for step in expected.steps]
    assert [violation.rule for violation in ruling.violations] == [
        violation.rule for violation in expected.violations
    ]
    assert {fault.rule for fault in ruling.placement} == {fault.rule for fault in expected.placement}


@settings(deadline=None, max_examples=100)
@given(seeds)
def test_every_step_accounts_for_what_was_found_and_spent(seed: int) -> None:
    ruling = referee(deck(), random_record(random.Random(seed)))
    paid: list[Payment] = [payment for step in ruling.steps for payment in step.paid]
    found = [name for step in ruling.steps for name in step.found]
    assert tuple(paid) == ruling.spent
    assert len(found) == len(set(found))
    steps: tuple[Step, ...] = ruling.steps
    assert ruling.last_place == (steps[-1].place if steps else None)


@settings(deadline=None, max_examples=100)
@given(seeds)
def test_a_path_of_unknown_direction_is_judged_alike_from_either_end(seed: int) -> None:
    record = random_record(random.Random(seed))
    backwards = msgspec.structs.replace(record, path=path_backwards(record.path))
    forth, back = referee_either_way(deck(), record), referee_either_way(deck(), backwards)
    assert forth.choice.by == back.choice.by
    assert forth.choice.asked or worth(forth.ruling) == worth(back.ruling)
    assert forth.ruling.legal == back.ruling.legal


@settings(deadline=None, max_examples=300)
@given(seeds)
def test_the_tally_grows_along_the_path_to_what_the_ruling_says(seed: int) -> None:
    read = random_record(random.Random(seed))
    ruling = referee(deck(), read)
    told = tallies(build_dungeon(deck(), read.cards), ruling)
    assert len(told) == len(ruling.steps)
    sums = [sum(tally.discovered.values()) for tally in told]
    assert sums == sorted(sums)
    if told:
        assert told[-1].discovered == ruling.discovered
        assert told[-1].coins == ruling.coins
