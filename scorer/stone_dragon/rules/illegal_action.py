"""The exception that ends the ruling on a turn at the first rule that an action breaks."""

from __future__ import annotations


class Breach(Exception):
    """An action breaks a rule, and does not happen. `about` fills the sentence of the rule."""

    def __init__(self, rule: str, **about: object) -> None:
        super().__init__(rule)
        self.rule = rule
        self.about = about
