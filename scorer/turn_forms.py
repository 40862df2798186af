"""Interface of a grid game as played at the table: set-up, entry of a turn step by step, the resulting board,
and each player's possessions. Each board game brings one (`Play.forms`); pages and programs use only
this."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from scorer.action_fields import offers, questions
from scorer.board_record import Board, Cell
from scorer.catalogue import Card, Catalogue
from scorer.text import NO_WORDS, SPACE, Text, listed, lower, unchanged

#: arrow: a place at the edge where a tile goes in; things: any of the choices; count: how many of each.
Lies = Literal["", "here", "beyond"]
FieldKind = Literal["cell", "arrow", "rotation", "choice", "things", "count"]
ROTATIONS: tuple[str, ...] = ("0", "90", "180", "270")
#: In a record's `more`: people have ended the game, and everything counts as it lies.
ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Seated:
    """A player, listed clockwise, with the colour of the player's figure."""

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class StepField:
    """One field of a step. `choices` are ids of pieces, names of players or words, labelled by `words`;
    `likely` are cells of legal steps. `tile` is the tile to be turned. Instead, `lies` may refer to the
    tile under the mover's figure ("here"), or to the next one towards the entered side ("beyond").

    `by` is an earlier field on which this one depends: `choices_by` has its choices by that field's value.
    The field is not asked where there are none."""

    id: str
    label: Text
    kind: FieldKind
    choices: tuple[str, ...] = ()
    words: Mapping[str, Text] = field(default_factory=dict)
    likely: tuple[Cell, ...] | None = None
    tile: str | None = None
    lies: Lies = ""
    by: str = ""
    choices_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    optional: bool = False


@dataclass(frozen=True, slots=True)
class StepForm:
    """The form of a step that can be entered next. `lead` marks the one to offer first. Unless `possible`,
    the step would break a rule now, whatever its fields."""

    id: str
    label: Text
    fields: tuple[StepField, ...]
    lead: bool = False
    possible: bool = True


@dataclass(frozen=True, slots=True)
class Trace:
    """An effect of a turn, to be drawn over its board: a push, a walk or a taking as a line through points.
    Points are in cell units; whole numbers are corners. `wrong` marks a cell where a rule was broken."""

    kind: Literal["push", "walk", "take", "wrong"]
    points: tuple[tuple[float, float], ...]
    label: str = ""


Step = Mapping[str, Any]


class BoardTable:
    """Default behaviour of all board games at the table; each game overrides the rest."""

    #: The places round the board at which tiles go in.
    arrows: tuple[str, ...] = ()

    def begun(self, catalogue: Catalogue, players: Sequence[Seated]) -> Board:
        """The certain part of the initial board for these players."""
        raise NotImplementedError

    def may_deal(self, catalogue: Catalogue, board: Board) -> bool:
        """Whether parts of the initial board are dealt at random."""
        return False

    def dealt(self, catalogue: Catalogue, board: Board, chance: random.Random) -> Board:
        """The board with its random parts dealt."""
        return board

    def forms(
        self, catalogue: Catalogue, board: Board, steps: Sequence[Step], terms: Any
    ) -> tuple[StepForm, ...]:
        """The forms of the steps that the player to move can enter next."""
        return ()

    def claims(self, steps: Sequence[Step]) -> dict[str, Any]:
        """The claims of a turn record, made of the entered steps."""
        return {"actions": [dict(step) for step in steps]}

    def seen_steps(self, ruling: Any) -> tuple[Step, ...]:
        """The steps of a turn that two photos have shown, so that nobody is asked for them."""
        return ()

    def shown(self, catalogue: Catalogue, board: Board, claims: Mapping[str, Any], terms: Any) -> Board:
        """The board after the steps entered so far, as a basis for the next one."""
        return board

    def after(
        self, catalogue: Catalogue, before: Board, ruling: Any, claims: Mapping[str, Any], seen: Board | None
    ) -> Board | None:
        """The board after a turn: computed from the claims where the turn is legal, else as photographed
        (`seen`); None where neither is there."""
        told = after_told(ruling.after) if ruling.legal else None
        stands = seen if told is None else told
        return stands and msgspec.structs.replace(stands, to_move=next_player(before, ruling.player))

    def rows(self, catalogue: Catalogue, board: Board, terms: Any) -> dict[str, dict[str, Any]]:
        """Each player's possessions, by the columns of the score sheet; None where unknown."""
        return {}

    def is_over(self, catalogue: Catalogue, board: Board) -> bool:
        """Whether the game has ended by its rules."""
        return False

    def traces(self, before: Board, after: Board, catalogue: Catalogue, ruling: Any) -> tuple[Trace, ...]:
        """The effects of a turn, to be drawn over its board."""
        return ()

    def without_advice(self, ruling: Any) -> Any:
        """The ruling on a board without hints for further play."""
        return ruling

    def best(self, catalogue: Catalogue, board: Board, terms: Any) -> Text | None:
        """The best action of the player to move, as a hint; None where it cannot be computed."""
        return None


def walk_trace(cells: Iterable[Cell | None]) -> tuple[Trace, ...]:
    """A walk through the middles of cells, as far as known; none where nobody moved."""
    line = tuple((cell[0] + 0.5, cell[1] + 0.5) for cell in cells if cell is not None)
    return (Trace("walk", line),) if len(set(line)) > 1 else ()


def next_player(board: Board, player: str) -> str:
    """The name of the player to move after a player."""
    names = [each.name for each in board.players]
    return names[(names.index(player) + 1) % len(names)]


def figures_by_colour(catalogue: Catalogue, role: str) -> dict[str, str]:
    """The ids of the figures of a role, by colour."""
    return {card.colour: card.id for card in catalogue.cards if card.role == role and card.colour}


def after_told(told: Mapping[str, Any] | None) -> Board | None:
    """The board contained in a ruling, as a record; None for none."""
    if told is None:
        return None
    from scorer.board_record import board_from

    return board_from(dict(told), anywhere=True)


# --- forms of games whose turns are lists of actions --------------------------------------------------------


def action_forms(
    actions: Collection[type[msgspec.Struct]],
    words: Mapping[str, Text],
    kinds: Mapping[str, Sequence[str]],
    players: Sequence[str],
    names: Mapping[str, Text],
    choices: Mapping[str, tuple[str, ...]] = {},
    more: Mapping[str, Mapping[str, Any]] = {},
) -> tuple[StepForm, ...]:
    """A form for each action, called by `words`: cells and rotations by their types, other fields by what
    they name (`scorer.action_fields`); what has no question (a fight's payments) is told by a record.

    `names` call choices. `choices` and `more` are the choices of further fields, and what else a field says,
    by the action's tag and the field (`pass.place`)."""
    asked, offered = questions(actions), {**offers(actions, kinds, players), **choices}
    return tuple(
        StepForm(
            str(action.__struct_config__.tag),
            words.get(str(action.__struct_config__.tag), NO_WORDS),
            tuple(_fields(action, asked, offered, names, more)),
        )
        for action in actions
    )


def _fields(
    action: type[msgspec.Struct],
    labels: Mapping[str, Text],
    choices: Mapping[str, tuple[str, ...]],
    names: Mapping[str, Text],
    more: Mapping[str, Mapping[str, Any]],
) -> list[StepField]:
    tag, found = str(action.__struct_config__.tag), []
    for each in msgspec.structs.fields(action):
        name = each.encode_name
        told = choices.get(f"{tag}.{name}")
        kind: FieldKind | None = "choice" if told is not None else None
        info = _without_none(msgspec.inspect.type_info(each.type))
        if f"{tag}.{name}" not in choices and isinstance(info, msgspec.inspect.TupleType):
            kind = "cell"
        elif isinstance(info, msgspec.inspect.VarTupleType) and told is not None:
            kind = "things"
        elif isinstance(info, msgspec.inspect.DictType) and told is not None:
            kind = "count"
        elif "rotation" in name:
            kind = "rotation"
        elif told is None and isinstance(info, msgspec.inspect.LiteralType):
            kind, told = "choice", tuple(str(value) for value in info.values)
        if kind is None:
            continue
        label = labels.get(f"{tag}.{name}", NO_WORDS)
        found.append(
            StepField(
                name,
                label,
                kind,
                told or (),
                {each: names[each] for each in told or () if each in names},
                optional=not each.required,
                **more.get(f"{tag}.{name}", {}),
            )
        )
    return sorted(found, key=lambda each: each.optional)


def _without_none(info: msgspec.inspect.Type) -> msgspec.inspect.Type:
    if isinstance(info, msgspec.inspect.UnionType):
        return next(each for each in info.types if not isinstance(each, msgspec.inspect.NoneType))
    return info


def thing_called(
    catalogue: Catalogue, words: Mapping[str, Text], colours: Mapping[str, Text], name: str
) -> Text:
    """The name of a piece for people: its role (or kind), colour and value, if the game has words for these
    and the name is unique. Otherwise its role and the words of its id are used, as far as the game has
    them; else its id."""
    card = catalogue.by_id.get(name)
    if card is None:
        return unchanged(name)
    called = _by_role(card, words, colours)
    alike = (each for each in catalogue.cards if each.role == card.role and each.kind == card.kind)
    if called is not None and all(each is card or _by_role(each, words, colours) != called for each in alike):
        return called
    role = words.get(card.role or str(card.kind))
    parts = [part for part in name.split("-") if part != card.role]
    if role is None or not any(part in words for part in parts):
        return unchanged(name)
    told = [words.get(part, unchanged(part)) for part in parts]
    return Text("{role}: {parts}", role=role, parts=listed(told, SPACE))


def _by_role(card: Card, words: Mapping[str, Text], colours: Mapping[str, Text]) -> Text | None:
    role = words.get(card.role or str(card.kind))
    if role is None:
        return None
    number = str(card.value if card.value is not None else card.id.rpartition("-")[2])
    colour = colours.get(card.colour or "")
    last = unchanged(f" {int(number)}") if number.isdecimal() else NO_WORDS
    if colour is None:
        return Text("{role}{last}", role=role, last=last)
    return Text("{colour} {role}{last}", colour=lower(colour), role=role, last=last)
