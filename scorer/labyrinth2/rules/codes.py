"""The rule codes that a ruling can cite, each with its sentence: problems of a position, and rules that a
pass can break, in the order of citation (docs/LABYRINTH2.md)."""

from __future__ import annotations

from scorer.text import Text

#: Problems of a position. Those in `STOPPING` prevent play.
PROBLEMS: dict[str, Text] = {
    "missing-tile": Text("Cells of the board without a tile: {count}."),
    "unread": Text("Things that could not be read: {count}. Check and name them."),
    "no-spare": Text("Exactly one tile lies beside the board, not {count}."),
    "dragon-place": Text("Exactly one dragon stands over the middle of the board, or with a player."),
    "explorer-missing": Text("{player}'s explorer is not on the board."),
    "late-chips": Text("All treasures 1 to 6 are taken; lay out 7 to 12 before anybody goes on."),
    "fixed-moved": Text("{count} printed tiles are not as the board has them."),
    "too-many": Text("There are {count} of {piece}, and the box has {copies}."),
    "chip-mix": Text("Treasures 1 to 6 and 7 to 12 lie on the board together."),
    "chip-order": Text("Somebody holds a treasure higher than the lowest on the board."),
}
STOPPING = frozenset({"missing-tile", "unread", "no-spare", "dragon-place", "explorer-missing", "late-chips"})

#: Violations by a pass, in the order of citation.
VIOLATIONS: dict[str, Text] = {
    "game-over": Text("The dragon is won and the game is over; nothing is played any more."),
    "wrong-player": Text("It is {other}'s turn, not {player}'s."),
    "extra-card": Text("A further turn costs one hand card of 7 to 12, and there is only one."),
    "no-push": Text("Every turn begins with pushing in the spare tile, needed or not."),
    "not-a-push": Text("No single push of the spare tile leads from the first board to the second."),
    "push-reversed": Text("The tile may not go in at {arrow}, where the last push let it out."),
    "not-carried": Text(
        "What stands on a pushed line moves with its tile; {piece} is not where the push brings it."
    ),
    "nest": Text("Nobody walks into or out of the dragon's nest."),
    "walk-blocked": Text("No joined corridor leads there from where the push left the explorer."),
    "treasure-many": Text("Only one treasure is taken in a turn."),
    "treasure-nested": Text("No treasure is taken from the dragon's nest."),
    "treasure-order": Text("Treasure {value} has to wait: {lowest} is the lowest left."),
    "treasure-elsewhere": Text("A treasure is taken only on the tile where the explorer stops."),
    "treasure-unwalked": Text("Who takes a treasure has to have walked to it from another tile."),
    "treasure-left": Text("The walk ended on a treasure that has to be taken."),
    "late-chips": Text("Treasures 7 to 12 come all together, and only when the second 6 is taken."),
    "card-wrong": Text("One hand card of the taken treasure's value brings a coin, and nothing else does."),
    "die-unearned": Text("The dragon die is thrown when a treasure was taken, and at no other time."),
    "dragon-turned": Text("Each arrow thrown turns the dragon a quarter clockwise, and nothing else does."),
    "fight-missing": Text("{player} has to fight and did not."),
    "fight-unearned": Text("{player} does not have to fight, and loses nothing."),
    "reroll-card": Text("Each further throw of a battle die costs one hand card of 1 to 6."),
    "fight-lost": Text("Who last throws 1 to 3 loses the lowest treasure, and nobody loses anything else."),
    "final-early": Text("The dragon is fought only when all treasures are taken."),
    "final-place": Text("Only who ends the turn on the tile that the dragon looks at may fight it."),
    "holds-wrong": Text("What {player} holds does not follow from this turn."),
    "coin-wrong": Text("{player}'s coins do not follow from this turn."),
}
ORDER = {code: number for number, code in enumerate(VIOLATIONS)}
