"""The rule codes that a ruling can cite, each with its sentence: problems of a position, and rules that an
action can break, in the order of citation (docs/ICE_AND_IDOLS.md)."""

from __future__ import annotations

from scorer.text import Text

#: Problems of a position.
PROBLEMS: dict[str, Text] = {
    "off-grid": Text("{count} things lie outside the 5 x 5 cells."),
    "two-tiles": Text("Cells with more than one tile: {count}."),
    "too-many": Text("There are {count} of {piece}, and the box has {copies}."),
    "tiles-missing": Text("{count} tiles are neither in the temple nor beside it."),
    "unread": Text("Things that could not be read: {count}. Check and name them."),
    "no-tile": Text("{piece} stands on no tile."),
    "place-missing": Text("{piece} stands on a tile with two corridors; say on which."),
    "place-unknown": Text("The tile under {piece} has no such corridor."),
    "no-figure": Text("{player}'s figure is nowhere."),
    "two-figures": Text("{piece} stands there twice."),
    "borders": Text("Sun faces moon and star faces comet."),
    "ground": Text("The parts of the map do not cover every cell once."),
    "hands": Text("{player} carries more idols than allowed, or two alike."),
    "off-board": Text("{count} things lie where the research track has no space."),
    "unread-track": Text("{count} things on the research track could not be read; check and name them."),
    "floating-cube": Text("On the track of {idol} a cube stands above an empty space."),
    "setup-cubes": Text("Cubes of colours that nobody plays stand on the lowest spaces, and only there."),
    "cubes-over": Text("There are more than 10 cubes of {colour}."),
    "token-missing": Text("The track of {idol} has no VP token."),
    "token-doubled": Text("The track of {idol} has more than one VP token."),
    "locked-early": Text("The token of {idol} is on top, and its track is not full."),
    "lock-missing": Text("The track of {idol} is full, so its token belongs on top."),
}
#: With one of these nothing about the temple is answered; with `unread-track` nothing about the track.
STOPPING = frozenset(
    {
        "off-grid",
        "two-tiles",
        "unread",
        "no-tile",
        "place-missing",
        "place-unknown",
        "no-figure",
        "two-figures",
        "ground",
        "borders",
    }
)

#: Violations by an action, in the order of citation.
VIOLATIONS: dict[str, Text] = {
    "after-pass": Text("After a pass nothing else is done."),
    "not-to-move": Text("It is {other}'s turn, not {player}'s."),
    "pass-not-first": Text("A pass is the first action of a turn."),
    "wrong-character": Text("That is another character's ability."),
    "no-power": Text("{player} does not have that power."),
    "adrenaline-spent": Text("The adrenaline token lies on its minus side."),
    "not-held": Text("{player} does not carry that idol."),
    "same-tile": Text("A pass leads to another tile."),
    "wall": Text("The own corridor does not open to that side."),
    "gap": Text("There is no tile."),
    "occupied": Text("A figure stands on that tile."),
    "not-empty": Text("A tile slides only into an empty space."),
    "no-spare": Text("That tile is not among those to be laid."),
    "blocked": Text("No corridor of that tile opens back."),
    "no-idol": Text("That idol is not here."),
    "same-idol": Text("{player} carries one of that kind."),
    "hands-full": Text("{player}'s hands are full."),
    "no-altar": Text("The altar of that idol is not here."),
    "quick-study": Text("In the quick game an idol that is placed is always studied."),
    "own-turned": Text("At this table the architect does not turn the own tile."),
    "power-owned": Text("{player} has that power already."),
    "track-full": Text("That research track is full."),
    "no-marker": Text("{player} has no cube left."),
    "no-ap": Text("That costs {cost} AP, and {player} has {left} left."),
    "event-missing": Text("An event is due; say which card was drawn."),
    "event-unearned": Text("No event is due here."),
    "shift-unearned": Text("The VP tokens are not shifted here."),
    "after-differs": Text("The table after the turn does not match the actions: {what}."),
}
ORDER = {code: number for number, code in enumerate(VIOLATIONS)}
