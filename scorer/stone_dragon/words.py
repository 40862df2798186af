"""Rulings of Stone Dragon in words: the actions played, the options of each player, the problems of a
position."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.board_game import BoardWords, unjudged
from scorer.board_problems import told_cell
from scorer.stone_dragon.enrol import ASKED
from scorer.stone_dragon.photo.diff import Difference
from scorer.stone_dragon.rules.board_ruling import BoardRuling, Options
from scorer.stone_dragon.rules.codes import section_of
from scorer.stone_dragon.rules.fights import ToldFight
from scorer.stone_dragon.rules.turn_ruling import Asked, ToldAction, TurnRuling
from scorer.text import NO_WORDS, SEMICOLON, Text, capitalised, listed, sentences, unchanged
from scorer.verdict import Fact, Reason, ToldStep, numbered_steps
from scorer.vocabulary import Vocabulary

_FINE = Text("Nothing is wrong with this board.")
_UNTOLD = Text("Say what was done; the two boards alone do not show it.")
#: What each action is, with `{cell}` for where.
DONE: dict[str, Text] = {
    "move": Text("goes to {cell}"),
    "search": Text("searches the room"),
    "explore": Text("turns up a panel"),
    "turn": Text("turns a panel"),
    "potion": Text("drinks a potion"),
    "use": Text("uses an item card"),
    "attack": Text("attacks"),
    "sell": Text("sells cards"),
    "buy": Text("buys a chip"),
    "heal": Text("heals 1 life"),
    "victory": Text("draws victory cards"),
    "change": Text("changes coins"),
    "equip": Text("equips a chip"),
    "reveal": Text("shows a victory card"),
}
_DIFFERS: dict[str, Text] = {
    "unread": Text("The photo of the board afterwards could not be read completely."),
    "tile": Text("panel at {cell}"),
    "pawn": Text("{player}'s pawn"),
    "life": Text("{player}'s life"),
    "coins": Text("{player}'s coins"),
    "holds": Text("what {player} holds"),
    "equipped": Text("{player}'s equipment"),
    "victory": Text("{player}'s victory cards"),
    "hand": Text("{player}'s hidden cards"),
    "dragon": Text("the dragon"),
}


# --- boards -------------------------------------------------------------------------------------------------


def board_steps(ruling: BoardRuling) -> tuple[ToldStep, ...]:
    """One line per player about the current options."""
    return numbered_steps((name, _options(name, each)) for name, each in (ruling.options or {}).items())


_GO = Text("go to {cells}")
_EXPLORE = Text("turn up the panel at {cells}")
_ATTACK = Text("attack {who}")
_THE_DRAGON = Text("the dragon")


def _options(name: str, options: Options) -> Text:
    can = []
    if options.moves:
        can.append(_GO.filled(cells=listed((told_cell(cell) for cell in options.moves), SEMICOLON)))
    if options.explore:
        can.append(_EXPLORE.filled(cells=listed((told_cell(each.to) for each in options.explore), SEMICOLON)))
    if options.attack:
        can.append(_ATTACK.filled(who=listed(_called(each) for each in options.attack)))
    if not can:
        return Text("{name} can neither go nor fight.", name=name)
    return Text("{name} can {what}.", name=name, what=listed(can, Text(", or ")))


def _called(name: str) -> Text:
    """The name of the defender: a player, or the dragon."""
    return _THE_DRAGON if name == "dragon" else unchanged(name)


# --- turns --------------------------------------------------------------------------------------------------


def turn_steps(ruling: TurnRuling) -> tuple[ToldStep, ...]:
    """The actions of a turn in order, each with its fight."""
    fights = {fight.action: _fight(fight) for fight in ruling.fights}
    return numbered_steps(
        (f"{each.cell[0]},{each.cell[1]}", _action(each, fights.get(each.action, NO_WORDS)))
        for each in ruling.actions
    )


def _action(action: ToldAction, fought: Text) -> Text:
    done, cell = DONE[action.do], told_cell(action.cell)
    did = Text("{player} {done}.", player=action.player, done=done.filled(cell=cell))
    return did if fought == NO_WORDS else sentences((did, fought))


def _fight(fight: ToldFight) -> Text:
    told = [
        Text(
            "{who} strikes {other}: {attack} - {defence} = {damage}.",
            who=fight.attacker,
            other=_called(fight.defender),
            attack=fight.attack,
            defence=fight.defence,
            damage=fight.damage,
        )
    ]
    if fight.counter is not None:
        back = fight.counter
        told.append(
            Text(
                "Back: {attack} - {defence} = {damage}.",
                attack=back.attack,
                defence=back.defence,
                damage=back.damage,
            )
        )
    if fight.beaten is not None:
        told.append(capitalised(Text("{who} is beaten.", who=_called(fight.beaten))))
    if fight.stolen is not None:
        told.append(Text("The winner takes {what}.", what=fight.stolen))
    return sentences(told)


def _asked(asked: Sequence[Asked]) -> tuple[Text, ...]:
    return tuple(
        Text(
            "Look whether what {card} asks for is met by {player}; here it counts as met.",
            card=each.card,
            player=each.player,
        )
        for each in asked
    )


def _differs(differs: Sequence[Difference]) -> tuple[Text, ...]:
    if not differs:
        return ()
    if differs[0].what == "unread":
        return (_DIFFERS["unread"],)
    told = []
    for each in differs:
        cell = NO_WORDS if each.cell is None else told_cell(each.cell)
        words = _DIFFERS[each.what]
        told.append(words.filled(player=each.player, cell=cell))
    return (Text("The photo differs from what was entered: {what}.", what=listed(told, SEMICOLON)),)


#: The labels of house rules, and what they say.
SETTINGS: dict[str, tuple[Text, Text]] = {
    "room_search": (
        Text("Searching a room"),
        Text("on-entry: a room is searched as it is entered, at no cost; action: searching is an action."),
    ),
    "turn_under_dragon": (
        Text("Turning the dragon's panel"),
        Text("On: the panel under the dragon may be turned."),
    ),
    "turn_entrance": (Text("Turning the entrance"), Text("On: the entrance may be turned.")),
    "free_after_last": (
        Text("Free actions at the end"),
        Text("On: change, equipment and victory cards are allowed when no action is left."),
    ),
    "curse_takes": (
        Text("What a curse takes"),
        Text("equipped: the chip that is equipped; any: else the lowest of its kind in the hand."),
    ),
    "steal_on_counter": (
        Text("Taking a chip when striking back"),
        Text("On: who beats the attacker by striking back takes a chip, too."),
    ),
    "defeat_ends_turn": (
        Text("Beaten in the own turn"),
        Text("On: the turn ends then; off: the other actions are still there."),
    ),
    "dragon_is_monster": (
        Text("The dragon is a monster"),
        Text("On: to be beaten by the dragon is to be beaten by a monster."),
    ),
    "eloquence_any": (
        Text("Eloquence on others' cards"),
        Text("On: any player's card may be swapped; off: only an own one."),
    ),
}

VOCABULARY = Vocabulary(
    words={
        **{sort.role: sort.name for asked in ASKED for sort in asked.sorts},
        "tile": Text("panel"),
        "pawn": Text("pawn"),
        "cursed": Text("cursed"),
        "dragon-card": Text("dragon card"),
        "monster": Text("monster"),
        "item": Text("item card"),
        "curse": Text("curse"),
        "dragon": Text("dragon"),
        "sword": Text("sword"),
        "shield": Text("shield"),
        "potion": Text("potion"),
        "coin": Text("coin"),
        "life": Text("life"),
        "character": Text("character"),
        "coins": Text("coins"),
        "equipped": Text("worn"),
        "victory": Text("victory cards"),
    }
)

WORDS = BoardWords(
    vocabulary=VOCABULARY,
    board_steps=board_steps,
    fine=lambda ruling: Reason("legal", _FINE),
    board_facts=lambda ruling: [
        Fact(Text("Stars of {name}", name=name), unchanged(count))
        for name, count in ruling.stars.items()
        if count is not None
    ],
    turn_steps=turn_steps,
    turn_facts=lambda ruling: [
        Fact(Text("Dragon killed by"), unchanged(name)) for name in [ruling.slayer] if name is not None
    ],
    turn_notes=lambda ruling: (*_asked(ruling.asked), *_differs(ruling.differs)),
    unknown=lambda ruling: unjudged(ruling, _UNTOLD),
    section_of=section_of,
)
