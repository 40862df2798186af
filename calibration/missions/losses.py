"""Losing events of missions: people declare them at the table, and the simulated player avoids them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorer.catalogue import Catalogue
from scorer.face import turned_face
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling


@dataclass(frozen=True)
class TooLate:
    """Losing event: all `cards` are laid, and the mission is not won with the last of them."""

    cards: int


@dataclass(frozen=True)
class TooLoud:
    """Losing event: all groups together defeat more than `monsters` monsters."""

    monsters: int


@dataclass(frozen=True)
class Below:
    """Losing event: a group goes underground; with an artifact, only the group that carries it."""

    artifact: str | None = None


@dataclass(frozen=True)
class Teleported:
    """Losing event: any group teleports."""


@dataclass(frozen=True)
class OutOfOrder:
    """Losing event: the goal `then` is met before the goal `first`."""

    first: str
    then: str


Loss = TooLate | TooLoud | Below | Teleported | OutOfOrder

#: By mission and code, those that `lose.declared` names.
OWN: Mapping[str, Mapping[str, Loss]] = {
    "M02": {"cook_underground": Below("cook")},
    "M03": {"alarm": TooLoud(2)},
    "M04": {"unpaid": OutOfOrder("B05.toll", "B07.watch")},
    "M05": {"lantern_out": Teleported()},
    "M06": {"nightfall": TooLate(8)},
    "M07": {"drowned": Below()},
    "M08": {"nightfall": TooLate(13)},
    "M10": {"shrine_disturbed": Teleported()},
    "M11": {"alarm": TooLoud(3)},
    "M12": {"ogre_awake": TooLoud(2)},
    "M13": {"nightfall": TooLate(6)},
}


@dataclass(frozen=True)
class Limits:
    """Constraints on a path that avoid losing: monsters that may still be defeated (None: any number),
    whether teleports are allowed, and artifacts not allowed underground (None: no group may go there)."""

    monsters: int | None = None
    teleports: bool = True
    dry: frozenset[str] | None = frozenset()


def limits(losses: Mapping[str, Loss], monsters: int) -> Limits:
    """The constraints on a path planned after a number of monsters was defeated."""
    left = [loss.monsters - monsters for loss in losses.values() if isinstance(loss, TooLoud)]
    below = [loss.artifact for loss in losses.values() if isinstance(loss, Below)]
    return Limits(
        min(left, default=None),
        not any(isinstance(loss, Teleported) for loss in losses.values()),
        None if None in below else frozenset(name for name in below if name is not None),
    )


def happened(
    losses: Mapping[str, Loss], catalogue: Catalogue, record: TableRecord, ruling: CoopRuling
) -> tuple[str, ...]:
    """Codes of the losing events visible in a table's record. A `TooLate` event is not visible there."""
    return tuple(code for code, loss in losses.items() if _shown(loss, catalogue, record, ruling))


def _shown(loss: Loss, catalogue: Catalogue, record: TableRecord, ruling: CoopRuling) -> bool:
    match loss:
        case TooLoud(monsters):
            return sum(group.discovered.get("monster", 0) for group in ruling.groups) > monsters
        case Teleported():
            return any(len(path.path) > 1 for path in record.paths)
        case OutOfOrder(first, then):
            met = [path.goal for path in ruling.paths]
            return then in met and first not in met[: met.index(then)]
        case Below(artifact):
            return _went_below(catalogue, record, ruling, artifact)
        case TooLate():
            return False


def _went_below(catalogue: Catalogue, record: TableRecord, ruling: CoopRuling, artifact: str | None) -> bool:
    mission = record.mission
    lair = mission.artifacts.get(artifact) if not isinstance(mission, str | None) and artifact else None
    carriers = {group.group for group in ruling.groups if artifact is None or artifact in group.artifacts}
    carrying = dict.fromkeys(carriers, artifact is None)
    for path in record.paths:
        if path.group not in carriers:
            continue
        for name in (name for stroke in path.path for name in stroke):
            number, _, place = name.partition(".")
            card = record.cards[int(number)]
            assert card.card is not None, "lines are on cards that lie face up"
            carrying[path.group] |= card.card == lair
            sites = turned_face(catalogue, card.card, card.rotation).sites
            level = next(site.level for site in sites if site.id == place)
            if carrying[path.group] and level != "main":
                return True
    return False
