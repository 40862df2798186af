"""How players' lines run at the finds of Map Masters."""

from scorer.drawing import LineHabits

HABITS = LineHabits(
    stops_at=frozenset({"monster", "padlock", "lava_pit", "pitfall"}),
    gates=frozenset({"magic_circle"}),
    stepped_on=("magic_circle", "barrel", "monster", "pitfall"),
)
