"""Rulings of Ice and Idols in words: the actions played, the reach of each player, the problems of a
position."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from scorer.board_game import BoardWords
from scorer.board_problems import told_cell
from scorer.ice_and_idols.enrol import ASKED
from scorer.ice_and_idols.rules.board_ruling import BoardRuling, CheapestTold, PlayerTold
from scorer.ice_and_idols.rules.pieces import IdolKind
from scorer.ice_and_idols.rules.track_ruling import TrackTold
from scorer.ice_and_idols.rules.turn_ruling import ToldAction, TurnRuling
from scorer.ice_and_idols.sheet import IDOL_WORDS
from scorer.text import NO_WORDS, SEMICOLON, Text, listed, sentences, unchanged
from scorer.verdict import Fact, Reason, ToldStep, numbered_steps
from scorer.vocabulary import Vocabulary

_FINE = Text("Nothing is wrong with this table.")
_UNKNOWN: dict[str, Text] = {
    "board": Text("This turn cannot be judged until the temple is corrected."),
    "actions": Text("Say what was done; the two tables alone do not show it."),
    "ground": Text("This turn depends on the map under the temple, which is not known."),
    "research": Text("This turn depends on the research track, which is not known."),
    "spare": Text("This turn depends on the tiles beside the temple, which are not known."),
}
#: What each action is.
DONE: dict[str, Text] = {
    "move": Text("Walks one tile"),
    "pick": Text("Picks up an idol"),
    "place": Text("Places an idol"),
    "drop": Text("Drops an idol"),
    "adrenaline": Text("Uses adrenaline"),
    "jade": Text("Turns the temple"),
    "ruby": Text("Turns a tile"),
    "gold": Text("Slides a tile"),
    "curator": Text("Jumps over a space"),
    "keysmith": Text("Lays a tile"),
    "sculptor": Text("Shifts a row or column"),
    "architect": Text("Changes two tiles over"),
    "pass": Text("Passes"),
}
_SIDES = {
    "top": Text("up"),
    "right": Text("right"),
    "bottom": Text("down"),
    "left": Text("left"),
    "clockwise": Text("clockwise"),
    "counterclockwise": Text("counterclockwise"),
}


_IDOLS_WITHIN = Text("Idols within reach: {which}.")
_ALTARS_WITHIN = Text("Altars within reach: {which}.")

# --- boards -------------------------------------------------------------------------------------------------


def board_steps(ruling: BoardRuling) -> tuple[ToldStep, ...]:
    """One line per player about the cells within reach."""
    return numbered_steps((player.name, _player(player)) for player in ruling.players)


def _player(player: PlayerTold) -> Text:
    if player.reach is None:
        told = [Text("{player} begins the next turn with {ap} AP.", player=player.name, ap=player.ap)]
    else:
        told = [
            Text(
                "{player} begins the next turn with {ap} AP and can walk to {count} corridors.",
                player=player.name,
                ap=player.ap,
                count=len(player.reach) - 1,
            )
        ]
    if player.gets is not None:
        told += [_within(_IDOLS_WITHIN, player.gets.idols), _within(_ALTARS_WITHIN, player.gets.altars)]
    return sentences(each for each in told if each != NO_WORDS)


def _within(words: Text, found: Mapping[IdolKind, int]) -> Text:
    if not found:
        return NO_WORDS
    return words.filled(
        which=listed(Text("{idol} {ap} AP", idol=IDOL_WORDS[kind], ap=ap) for kind, ap in found.items())
    )


def _facts(ruling: BoardRuling) -> list[Fact]:
    facts = [_track(track) for track in ruling.tracks or ()]
    if ruling.end is not None and ruling.end.triggered:
        facts.append(Fact(Text("End"), Text("The game ends after this round.")))
    if ruling.cheapest is not None:
        facts.append(Fact(Text("Cheapest way"), _cheapest(ruling.cheapest)))
    return facts


_FILLED = Text("{filled} of {spaces} spaces; {value} VP a cube")
_LOCKED = Text("{filled} of {spaces} spaces; {value} VP a cube, locked")


def _track(track: TrackTold) -> Fact:
    value = "?" if track.value is None else str(track.value)
    return Fact(
        IDOL_WORDS[track.idol],
        (_LOCKED if track.locked else _FILLED).filled(filled=track.filled, spaces=track.spaces, value=value),
    )


def _cheapest(cheapest: CheapestTold) -> Text:
    if cheapest.actions is None:
        return Text("There is no way with these AP.")
    told = []
    for action in cheapest.actions:
        way = str(action.get("to") or action.get("turn") or "")
        words, side = DONE[action["do"]], _SIDES.get(way, NO_WORDS)
        cell = told_cell(action["cell"]) if "cell" in action else NO_WORDS
        where = NO_WORDS if cell == NO_WORDS else Text("({cell})", cell=cell)
        told.append(sentences(each for each in (words, where, side) if each != NO_WORDS))
    what = listed(told, SEMICOLON) if told else Text("nothing to do")
    return Text("{ap} AP: {what}", ap=cheapest.ap, what=what)


# --- turns --------------------------------------------------------------------------------------------------


def turn_steps(ruling: TurnRuling) -> tuple[ToldStep, ...]:
    """The actions of a turn, each with the AP left after it."""
    return tuple(_step(step) for step in ruling.steps)


def _step(step: ToldAction) -> ToldStep:
    left = unchanged(f"{step.ap} AP")
    return ToldStep(step.action + 1, step.do, DONE[step.do], left)


def _points(ruling: TurnRuling) -> Fact:
    points = msgspec.structs.asdict(ruling.ap)
    return Fact(
        Text("Action points"), Text("{start} and {gained} more, {spent} spent, {left} left", **points)
    )


#: The labels of house rules, and what they say.
SETTINGS: dict[str, tuple[Text, Text]] = {
    "quick": (
        Text("Quick play"),
        Text("On: all have the five powers from the start; an idol that is placed is studied."),
    ),
    "architect_turns": (
        Text("What the architect turns"),
        Text("both: both tiles may be turned; other: only the one that comes into the old place."),
    ),
}

VOCABULARY = Vocabulary(
    words={
        **IDOL_WORDS,
        **{sort.role: sort.name for asked in ASKED for sort in asked.sorts},
        "powers": Text("powers"),
        "character": Text("figure"),
        "cube": Text("cube"),
        "idol": Text("idol"),
        "key": Text("key card"),
        "event": Text("event card"),
        "vp": Text("VP token"),
        "adrenaline": Text("adrenaline"),
        "plus": unchanged("+"),
        "minus": unchanged("−"),
        "first-player": Text("first player"),
    }
)

WORDS = BoardWords(
    vocabulary=VOCABULARY,
    board_steps=board_steps,
    fine=lambda ruling: Reason("legal", _FINE),
    board_facts=_facts,
    turn_steps=turn_steps,
    turn_facts=lambda ruling: [_points(ruling)],
    unknown=lambda ruling: Reason(
        "unknown", _UNKNOWN[ruling.unknown or ("board" if ruling.problems else "actions")]
    ),
)
