"""The rule codes that a ruling can cite, each with its sentence and the rulebook's section: problems of a
position, and rules that an action can break (docs/STONE_DRAGON.md)."""

from __future__ import annotations

from scorer.text import Text, unchanged

#: Problems of a position. Those in `STOPPING` prevent play.
PROBLEMS: dict[str, Text] = {
    "grid": Text("The panels lie in four rows of four."),
    "cells": Text("Cells without a panel: {count}."),
    "unread": Text("Things that could not be read: {count}. Check and name them."),
    "entrance-missing": Text("The entrance panel is not there."),
    "entrance-face-down": Text("The entrance panel lies face down; turn it up."),
    "entrance-place": Text("The entrance panel lies in a corner."),
    "entrance-turned": Text(
        "At the start both passages of the entrance lead to neighbours, and its arrow points out."
    ),
    "panels-up": Text("At the start all panels but the entrance lie face down; {count} do not."),
    "pawn-missing": Text("{player}'s pawn is not exactly once on the panels."),
    "pawn-face-down": Text("{player}'s pawn stands on a panel that lies face down."),
    "pawn-extra": Text("{piece} is nobody's pawn."),
    "pawn-place": Text("At the start {player}'s pawn stands on the entrance."),
    "dragon-missing": Text("The dragon's pawn is not exactly once on the panels."),
    "dragon-place": Text("The dragon stands on the panel farthest from the entrance, and never moves."),
    "players": Text("Three or four players play, each with another character."),
    "copies": Text("There are {count} of {piece}, and the box has {copies}."),
    "equipment": Text("On {player}'s character lie one sword and one shield at most, and nothing else."),
    "curse-twice": Text("{piece} lies before {player} more than once."),
    "no-life": Text("{player} has no life left and has to begin again at the entrance."),
    "dragon-life": Text("The dragon's life is impossible: its card says {life}."),
    "same-side": Text("Of two {piece} one lies for points and one for its bonus."),
    "eloquence-side": Text(
        "{piece} lies the wrong way: only Eloquence is laid used up, and it is never laid in any other way."
    ),
    "life": Text("At the start {player} has {count} life, as the character says."),
    "coins": Text("At the start {player} has {count} coins, as the character says."),
    "victory-count": Text("At the start {player} has one hidden victory card."),
    "holdings": Text("At the start {player} has nothing else."),
}
STOPPING = frozenset({"grid", "cells", "unread", "entrance-missing", "pawn-missing", "dragon-missing"})

#: Violations by an action.
VIOLATIONS: dict[str, Text] = {
    "after-end": Text("The dragon is dead and the game is over; nothing is played any more."),
    "not-your-turn": Text("{player} has no action now."),
    "no-actions-left": Text("{player} has no action left in this turn."),
    "not-adjacent": Text("That panel is not next to the own one."),
    "face-down": Text("That panel lies face down."),
    "no-passage": Text("No passage leads from the own panel to that one."),
    "not-face-down": Text("That panel lies face up already."),
    "draw-impossible": Text("{piece} cannot have been drawn: all of it is in sight elsewhere."),
    "not-connected": Text("A panel that is turned up has to join the own one."),
    "occupied": Text("A pawn stands on that panel, so it is not turned."),
    "entrance-fixed": Text("The entrance is not turned at this table."),
    "draw-missing": Text("The room was searched; say which card was drawn."),
    "draw-not-due": Text("No dungeon card is drawn here."),
    "not-a-room": Text("There is no room here to be searched."),
    "search-no-action": Text("A room is searched as it is entered; that is no action of its own."),
    "not-a-potion": Text("{piece} is no potion."),
    "chip-not-held": Text("{player} does not have {piece}."),
    "not-usable": Text("{piece} is no card to be used."),
    "card-not-held": Text("{player} does not have the card {piece}."),
    "cursed": Text("While a curse on it lies before {player}, that chip is neither bought nor made."),
    "wrong-level": Text("{piece} does not make that."),
    "supply-empty": Text("No {piece} is left."),
    "no-target": Text("Nobody attacks oneself."),
    "at-entrance": Text("No player is attacked at the entrance."),
    "not-same-panel": Text("{target} is not on the same panel."),
    "not-at-entrance": Text("That is done on the entrance panel only."),
    "nothing-sold": Text("No card is sold and no curse lifted."),
    "not-for-sale": Text("{piece} has no price."),
    "not-a-curse": Text("{piece} is no curse."),
    "coins-short": Text("{player} does not have the coins for it."),
    "life-full": Text("{player} has all the life to begin with; healing gives no more."),
    "pile-empty": Text("No victory card is left."),
    "draw-count": Text("Two victory cards are drawn, the last one alone."),
    "keep-not-drawn": Text("The card that is kept was not drawn."),
    "change-uneven": Text("Change is worth as much as was given."),
    "not-equipment": Text("{piece} cannot be equipped."),
    "not-the-moment": Text("{piece} is shown at the moment that it names, and at no other."),
    "condition-unmet": Text("What {piece} asks for is not met."),
    "side-forced": Text("The other {piece} lies that way, so this one takes the other side."),
    "eloquence-points": Text("Eloquence brings no points."),
    "no-swap": Text("There is no such card to be swapped."),
    "swap-same-name": Text("Both {piece} lie open, so neither is swapped."),
    "boost-not-due": Text("{player} does not strike or is not struck there, so nothing is paid for it."),
    "no-ability": Text("{player} has no ability for that."),
    "not-a-monster": Text("{piece} is no monster card."),
    "choice-missing": Text("Two chips can be taken; say which."),
    "steal-not-due": Text("No chip is taken here."),
}

#: The section of the rulebook by code; S is its supplement on cards, "" where it is silent.
SECTIONS: dict[str, str] = {
    **dict.fromkeys(("grid", "cells", "entrance-missing", "entrance-face-down", "entrance-place"), "1.1"),
    **dict.fromkeys(("entrance-turned", "panels-up", "pawn-missing", "pawn-place", "dragon-missing"), "1.1"),
    **dict.fromkeys(("players", "life", "coins", "holdings", "equipment"), "1.3"),
    **dict.fromkeys(("dragon-life",), "1.2"),
    **dict.fromkeys(("victory-count",), "1.5"),
    **dict.fromkeys(("dragon-place", "after-end"), "5"),
    **dict.fromkeys(("no-life", "choice-missing", "steal-not-due"), "3"),
    **dict.fromkeys(("boost-not-due", "no-ability", "not-a-monster"), "3"),
    **dict.fromkeys(("same-side", "eloquence-side", "condition-unmet", "side-forced"), "4"),
    **dict.fromkeys(("eloquence-points", "no-swap", "swap-same-name"), "4"),
    **dict.fromkeys(("not-the-moment",), "S"),
    **dict.fromkeys(
        (
            "not-your-turn",
            "no-actions-left",
            "not-adjacent",
            "face-down",
            "no-passage",
            "not-face-down",
            "not-connected",
            "occupied",
            "curse-twice",
            "draw-missing",
            "draw-not-due",
            "not-a-room",
            "search-no-action",
            "not-a-potion",
            "chip-not-held",
            "not-usable",
            "card-not-held",
            "cursed",
            "wrong-level",
            "supply-empty",
            "no-target",
            "at-entrance",
            "not-same-panel",
            "not-at-entrance",
            "nothing-sold",
            "not-for-sale",
            "not-a-curse",
            "coins-short",
            "life-full",
            "pile-empty",
            "draw-count",
            "keep-not-drawn",
            "change-uneven",
            "not-equipment",
            "pawn-face-down",
        ),
        "2",
    ),
}


def section_of(code: str) -> Text:
    """The rulebook's section of a code, in words; empty where it has none."""
    section = SECTIONS.get(code, "")
    if section == "S":
        return Text("supplement on cards")
    return Text("section {section}", section=section) if section else unchanged("")
