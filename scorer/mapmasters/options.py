"""The options by which the command line states means and objectives of a round. Every command line imports
this module, so it imports no more than it needs."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.errors import Code, WaymarkError
from scorer.mapmasters.rules.means import TOOLS, checked_spellbooks, checked_tokens
from scorer.mapmasters.rules.objectives import VP_EACH
from scorer.mapmasters.rules.terms import TOKENS_OF_A_KIND
from scorer.port.options import Option
from scorer.text import Text


def _tokens(words: Sequence[str]) -> dict[str, int]:
    """Fairy tokens by kind, from words such as `sword=1`. Raises `WaymarkError` for more than the box has."""
    tokens: dict[str, int] = {}
    for word in words:
        kind, _, number = word.partition("=")
        try:
            tokens[kind] = tokens.get(kind, 0) + int(number)
        except ValueError:
            raise ValueError(word) from None
    held = {str(tool): count for tool, count in checked_tokens(tokens).items()}
    for kind, count in held.items():
        if count > TOKENS_OF_A_KIND:
            raise WaymarkError(
                Code.UNKNOWN_TOKEN,
                Text(
                    "--fairy {kind}={held} is more than the box has; a player holds at most {most} tokens of "
                    "a kind.",
                    kind=kind,
                    held=count,
                    most=TOKENS_OF_A_KIND,
                ),
            )
    return held


def _objective(words: Sequence[str]) -> str:
    return words[-1]


OPTIONS: tuple[Option, ...] = (
    Option(
        flag="--primary",
        term="primary",
        metavar="NAME",
        help=Text("The round's primary objective."),
        read=_objective,
        choices=tuple(VP_EACH),
    ),
    Option(
        flag="--secondary",
        term="secondary",
        metavar="NAME",
        help=Text("The round's secondary objective."),
        read=_objective,
        choices=tuple(VP_EACH),
    ),
    Option(
        flag="--fairy",
        term="fairy_tokens",
        metavar="KIND=N",
        help=Text("Fairy tokens held, such as sword=1; once for each kind, at most 5 of it."),
        read=_tokens,
        form=f"KIND=N ({', '.join(TOOLS)})",
        multiple=True,
    ),
    Option(
        flag="--spellbook",
        term="spellbooks",
        metavar="SB-N",
        help=Text("A spellbook held, such as SB-4."),
        read=checked_spellbooks,
        multiple=True,
    ),
)
