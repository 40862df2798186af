"""Random games that shrink: chance drawn by Hypothesis, and a state machine run so often."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

#: A `random.Random` whose every draw Hypothesis makes: what fails is told as the simplest draws that fail.
CHANCE = st.randoms(use_true_random=False)
#: A table is many draws, and takes a second referee a while to rule on.
SLOW_AND_LARGE = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.filter_too_much,
)


def tried(examples: int) -> settings:
    """The settings for so many random tables."""
    return settings(max_examples=examples, suppress_health_check=SLOW_AND_LARGE)


def run_machine(machine: type[RuleBasedStateMachine], examples: int, steps: int) -> None:
    """Run a state machine: so many games of so many steps each."""
    run_state_machine_as_test(machine, settings=settings(tried(examples), stateful_step_count=steps))
