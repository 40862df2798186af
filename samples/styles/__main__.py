"""Write the deck of a style: `python -m samples.styles --style woodcut-1 --out DIR`; or, with
`--game stone_dragon`, a board game's box."""

from __future__ import annotations

import argparse
from pathlib import Path

from samples.styles.boxes import SETS, write_box
from samples.styles.decks import BY_HAND, write_deck
from samples.styles.style import held_out_names, training_names


def main() -> None:
    """Write one deck, or list the names of all."""
    parser = argparse.ArgumentParser(description="Write a deck in a style")
    parser.add_argument("--style", help="its name; --list shows all")
    parser.add_argument("--game", choices=SETS, help="the box of this board game, no deck")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("for training:", *training_names())
        print("held out:", *held_out_names(), *BY_HAND)
    elif options.style and options.out:
        try:
            if options.game:
                catalogue = write_box(options.style, options.game, options.out)
            else:
                catalogue = write_deck(options.style, options.out)
        except ValueError as error:
            parser.error(f"{error}; --list shows the names")
        print(f"{options.out}: {len(catalogue.cards)} cards")
    else:
        parser.error("give --style and --out, or --list")


if __name__ == "__main__":
    main()
