"""Laws of the referee over random dungeons and walks, on cards of the open deck and on one that is full of
trouble.
"""

from __future__ import annotations

import msgspec
from dungeons import HEIGHT, WIDTH, referee_either_way
from hypothesis import given, settings
from hypothesis import strategies as st
from random_records import chance, deck, in_turns, random_record

from scorer.dungeon import build_dungeon
from scorer.mapmasters import Ruling, referee
from scorer.mapmasters.rules.direction import worth
from scorer.mapmasters.rules.means import SPELLBOOKS, TOOLS
from scorer.mapmasters.rules.objectives import tallies
from scorer.mapmasters.rules.ruling import Payment, Step
from scorer.record import PlacedCard, path_backwards

seeds = st.integers(0, 2**32)


def prefixes(path: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    return [(*path[:s], path[s][:end]) for s in range(len(path)) for end in range(1, len(path[s]) + 1)]


def discovered(ruling: Ruling) -> dict[str, int]:
    return {**ruling.discovered, **ruling.optimizers}


@in_turns
@settings(max_examples=50)
@given(seeds)
def test_a_prefix_of_a_legal_path_is_legal_and_discovers_no_more(turn: int, seed: int) -> None:
    record = random_record(chance(turn, seed))
    whole = referee(deck(), record)
    if not whole.legal:
        return
    for path in prefixes(record.path):
        part = referee(deck(), msgspec.structs.replace(record, path=path))
        assert part.legal
        assert all(part.discovered[name] <= count for name, count in whole.discovered.items())


@in_turns
@settings(max_examples=50)
@given(seeds)
def test_an_illegal_path_counts_as_the_prefix_before_the_violation(turn: int, seed: int) -> None:
    record = random_record(chance(turn, seed))
    ruling = referee(deck(), record)
    if ruling.legal or ruling.last_place is None:
        return
    violation = ruling.violations[0]
    path = (*record.path[: violation.stroke], record.path[violation.stroke][: violation.step])
    before = referee(deck(), msgspec.structs.replace(record, path=path))
    assert before.legal
    assert discovered(before) == discovered(ruling)
    assert before.last_place == ruling.last_place


@in_turns
@settings(max_examples=50)
@given(seeds, st.sampled_from([*TOOLS, *SPELLBOOKS]))
def test_adding_means_never_lowers_a_score(turn: int, seed: int, means: str) -> None:
    record = random_record(chance(turn, seed))
    if means in TOOLS:
        tokens = record.fairy_tokens | {means: record.fairy_tokens.get(means, 0) + 1}
        richer = msgspec.structs.replace(record, fairy_tokens=tokens)
    else:
        richer = msgspec.structs.replace(record, spellbooks=(*record.spellbooks, means))
    poor, rich = referee(deck(), record), referee(deck(), richer)
    assert all(rich.discovered[name] >= count for name, count in poor.discovered.items())
    assert (rich.legal, rich.escaped) >= (poor.legal, poor.escaped)


@in_turns
@settings(max_examples=33)
@given(seeds)
def test_turning_the_whole_tableau_changes_nothing(turn: int, seed: int) -> None:
    record = random_record(chance(turn, seed))
    turned = tuple(
        PlacedCard(placed.card, -placed.x - WIDTH, -placed.y - HEIGHT, (placed.rotation + 180) % 360)  # type: ignore[arg-type]
        for placed in record.cards
    )
    assert referee(deck(), msgspec.structs.replace(record, cards=turned)) == referee(deck(), record)


@in_turns
@settings(max_examples=33)
@given(seeds)
def test_listing_the_cards_in_another_order_changes_nothing_but_names(turn: int, seed: int) -> None:
    rng = chance(turn, seed)
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


@in_turns
@settings(max_examples=33)
@given(seeds)
def test_every_step_accounts_for_what_was_found_and_spent(turn: int, seed: int) -> None:
    ruling = referee(deck(), random_record(chance(turn, seed)))
    paid: list[Payment] = [payment for step in ruling.steps for payment in step.paid]
    found = [name for step in ruling.steps for name in step.found]
    assert tuple(paid) == ruling.spent
    assert len(found) == len(set(found))
    steps: tuple[Step, ...] = ruling.steps
    assert ruling.last_place == (steps[-1].place if steps else None)


@in_turns
@settings(max_examples=33)
@given(seeds)
def test_a_path_of_unknown_direction_is_judged_alike_from_either_end(turn: int, seed: int) -> None:
    record = random_record(chance(turn, seed))
    backwards = msgspec.structs.replace(record, path=path_backwards(record.path))
    forth, back = referee_either_way(deck(), record), referee_either_way(deck(), backwards)
    assert forth.choice.by == back.choice.by
    assert forth.choice.asked or worth(forth.ruling) == worth(back.ruling)
    assert forth.ruling.legal == back.ruling.legal


@in_turns
@settings(max_examples=100)
@given(seeds)
def test_the_tally_grows_along_the_path_to_what_the_ruling_says(turn: int, seed: int) -> None:
    read = random_record(chance(turn, seed))
    ruling = referee(deck(), read)
    told = tallies(build_dungeon(deck(), read.cards), ruling)
    assert len(told) == len(ruling.steps)
    sums = [sum(tally.discovered.values()) for tally in told]
    assert sums == sorted(sums)
    if told:
        assert told[-1].discovered == ruling.discovered
        assert told[-1].coins == ruling.coins
