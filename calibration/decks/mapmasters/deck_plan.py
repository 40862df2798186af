"""The open deck's plan: required features of each card, the input of
`calibration.decks.mapmasters.invent`."""

from __future__ import annotations

from dataclasses import dataclass, replace

# What a find is worth to its player, about its victory points.
WORTH = {
    "coin": 1.0, "barrel": 1.0, "sword": 1.0, "scroll": 1.0, "key": 2.0, "rope": 3.0, "magic_circle": 2.0,
    "pitfall": 2.5, "lava_pit": 2.5, "padlock": 2.5, "monster": 2.5, "recycle": 1.0, "scissors": 1.0,
}  # fmt: skip
WORTH_BY_COST = {3: (3.5, 7.0), 4: (6.0, 9.5), 5: (8.5, 12.5), 6: (11.5, 17.0)}
FINDS_BY_COST = {3: (3, 3), 4: (4, 4), 5: (5, 5), 6: (6, 7)}
LAIRS = (((3, 3),), ((2, 3),), ((3, 3),), ((3, 3),), ((2, 3),), ((3, 2),), ((2, 3),), ((3, 2),))


@dataclass(frozen=True)
class Wish:
    """Required features of a card."""

    id: str
    kind: str
    cost: int | None
    finds: tuple[int, int]
    worth: tuple[float, float]
    rooms: tuple[tuple[int, int], ...]
    openings: int
    underground: bool
    under_openings: int
    pit: bool = False
    room_pit: bool = False
    loops: int = 1
    edge_door: bool = False
    ell: bool = False
    doors: tuple[int, ...] = ()
    must: tuple[str, ...] = ()
    starter: bool = False
    dead_end: bool = False


def wishes() -> list[Wish]:
    """The required features of all cards of the deck."""
    plan: list[Wish] = []
    for i in range(9):
        rooms: tuple[tuple[int, int], ...] = (
            ((2, 2),) if i % 3 == 0 else ((2, 1),) if i % 3 == 1 else ((1, 2),) if i == 5 else ()
        )
        plan.append(
            Wish(
                f"S{i + 1}",
                "starter",
                None,
                (2, 3),
                (2.0, 6.0),
                rooms,
                5 if i % 4 else 6,
                underground=i % 2 == 1,
                under_openings=1 if i in (1, 5) else 0,
                loops=1,
                starter=True,
                ell=i == 6,
                dead_end=i in (2, 8),
            )
        )
    # Blocks of eighteen cards, one block a cost; each list says how features are spread within a block.
    rooms_of = {
        3: [((2, 1),), ((1, 2),), (), ((2, 2),), ((1, 2),), ((2, 1),)],
        4: [((2, 2),), ((2, 1),), ((1, 2), (2, 1)), ((2, 2),), ((1, 2),), ()],
        5: [((2, 2),), ((2, 2),), ((2, 1), (1, 2)), ((3, 1),), ((1, 2),), ((2, 2), (2, 1))],
        6: [((2, 2),), ((2, 2), (1, 2)), ((2, 3),), ((2, 2), (2, 1)), ((3, 2),), ((2, 2),)],
    }
    for block, cost in enumerate((3, 4, 5, 6)):
        for i in range(18):
            number = block * 18 + i + 1
            rooms = rooms_of[cost][i % 6]
            big = any(w > 1 and h > 1 for w, h in rooms)
            must = []
            if cost >= 4 and rooms and i % 3 == 0:
                must.append("monsters")
            if rooms and i % 4 == 1:
                must.append("padlock")
            if i % 6 == 2:
                must.append("magic_circle")
            if i % 6 == 4:
                must.append("lava_pit")
            if i % 9 == 3:
                must.append("recycle")
            if i % 9 == 7:
                must.append("scissors")
            if cost >= 5 and i % 5 == 0:
                must.append("rope")
            underground = i % 5 != 4
            plan.append(
                Wish(
                    f"D{number:02d}",
                    "dungeon",
                    cost,
                    FINDS_BY_COST[cost],
                    WORTH_BY_COST[cost],
                    rooms,
                    openings=(6 if i % 9 == 0 else 4 if i % 9 == 5 else 5),
                    underground=underground,
                    under_openings=(2 if i % 6 == 3 else 1 if i % 2 else 0) if underground else 0,
                    pit=underground and i % 4 == 2,
                    room_pit=underground and big and i % 6 == 0 and cost >= 4,
                    loops=1 if rooms else 2,
                    edge_door=i % 9 == 8,
                    ell=big and i % 6 == 3,
                    must=tuple(must),
                    doors=((1,), (2,), (3,), (2,), (4,), (2,), (3,), (1,))[(i + block) % 8],
                    dead_end=(i + block) % 7 == 4,
                )
            )
    for i in range(8):
        boss = i < 4
        plan.append(
            Wish(
                f"B{i + 1:02d}",
                "boss" if boss else "step",
                None,
                (4, 6) if boss else (3, 5),
                (6, 20),
                LAIRS[i],
                openings=5 if i % 3 else 4,
                underground=i % 2 == 1,
                under_openings=0,
                loops=0,
                must=("monsters",),
                doors=(3,) if i % 2 else (2,),
                edge_door=i in (2, 6),
            )
        )
    return plan


def relaxed(wish: Wish) -> list[Wish]:
    """The wish followed by weaker versions of it, for combinations of features that do not fit on a card."""
    doors = tuple(min(2, d) for d in wish.doors)
    return [
        wish,
        replace(wish, doors=doors, openings=min(5, wish.openings), edge_door=False, ell=False),
        replace(wish, doors=(2, 1), openings=4, loops=0, under_openings=0, edge_door=False, ell=False),
        replace(
            wish,
            doors=(1,),
            rooms=wish.rooms[:1],
            openings=4,
            loops=0,
            under_openings=0,
            room_pit=False,
            pit=False,
            underground=False,
        ),
    ]
