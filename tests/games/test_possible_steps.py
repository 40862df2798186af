"""Steps that go by the rules now are told from those that would break one, by trying them."""

from __future__ import annotations

from scorer.possible_steps import tried
from scorer.text import NO_WORDS
from scorer.turn_forms import Step, StepField, StepForm

CELLS = [(0, 0), (1, 0), (0, 1), (1, 1)]
WALK = StepForm("walk", NO_WORDS, (StepField("to", NO_WORDS, "cell"),))
TURN = StepForm(
    "turn", NO_WORDS, (StepField("at", NO_WORDS, "cell"), StepField("rotation", NO_WORDS, "rotation"))
)
BUY = StepForm(
    "buy",
    NO_WORDS,
    (
        StepField("chip", NO_WORDS, "choice", ("sword", "shield")),
        StepField("by", NO_WORDS, "choice", ("Aya",), optional=True),
    ),
)
REST = StepForm("rest", NO_WORDS, ())


def test_a_walk_is_offered_to_the_cells_where_it_goes_by_the_rules() -> None:
    (walk,) = tried([WALK], CELLS, lambda step: step["to"] != (1, 0))
    assert walk.possible and walk.fields[0].likely == ((1, 0),)


def test_what_hangs_on_the_first_thing_is_tried_with_it_and_without() -> None:
    gain = StepField(
        "gain", NO_WORDS, "choice", ("a", "b"), by="card", choices_by={"x": ("b",)}, optional=True
    )
    use = StepForm("use", NO_WORDS, (StepField("card", NO_WORDS, "choice", ("w", "x")), gain))
    steps: list[Step] = []

    def breaks(step: Step) -> bool:
        steps.append(step)
        return step != {"do": "use", "card": "x", "gain": "b"}

    assert tried((use,), (), breaks)[0].possible
    assert {"do": "use", "card": "w"} in steps and all(step.get("gain") != "a" for step in steps)


def test_what_goes_by_the_rules_nowhere_is_not_possible() -> None:
    (walk, rest) = tried([WALK, REST], CELLS, lambda step: True)
    assert not walk.possible and walk.fields[0].likely == ()
    assert not rest.possible


def test_a_cell_counts_when_anything_may_be_done_there() -> None:
    (turn,) = tried([TURN], CELLS, lambda step: (step["at"], step["rotation"]) != ((0, 1), 270))
    assert turn.fields[0].likely == ((0, 1),)
    assert turn.fields[1].likely is None


def test_one_choice_that_goes_by_the_rules_is_enough_and_what_may_be_left_out_is() -> None:
    told: list[Step] = []

    def breaks(step: Step) -> bool:
        told.append(step)
        return bool(step["chip"] != "shield")

    (buy,) = tried([BUY], CELLS, breaks)
    assert buy.possible and buy.fields == BUY.fields
    assert told == [{"do": "buy", "chip": "sword"}, {"do": "buy", "chip": "shield"}]
