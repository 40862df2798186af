"""Random records on dungeons that hold many ways, and what to state of them.

A law of the referee is tried on random records in turns: the first in `make test`, the others, on other
records, with the long tests.
"""

from __future__ import annotations

import random
from functools import cache

import msgspec
import pytest
from dungeons import HEIGHT, WIDTH, card, catalogue
from long_rest import long_but

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters import referee
from scorer.mapmasters.rules.means import SPELLBOOKS, TOOLS
from scorer.mapmasters.rules.ruling import Payment
from scorer.placement import OPPOSITE
from scorer.record import PlacedCard, Record, StatedPayment, make_record

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


in_turns = pytest.mark.parametrize("turn", long_but(range(3), 0))


def chance(turn: int, seed: int) -> random.Random:
    """Chance that no other seed and no other turn has."""
    return random.Random(seed + (turn << 33))


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
