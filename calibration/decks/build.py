"""Builds the open deck's catalogue from its declarations.

python -m calibration.decks.build                    # catalogue.json, the art of every card, tokens
python -m calibration.decks.build --topology-only    # catalogue.json alone
python -m calibration.decks.build S3-red D29         # catalogue.json and the art of these cards
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec
from PIL import Image

from calibration.decks.mapmasters.declaration import COLOURS, load_declarations
from calibration.decks.mapmasters.geometry import CARD_SIZE_MM, lay_out
from calibration.missions.pieces import FOLDER as PIECES
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import FILE_NAME, Card, Catalogue, told_card

PX_PER_MM = 8.0


def build_catalogue() -> Catalogue:
    """The deck's catalogue, with each card laid out from its declaration. The nine starters come in five
    colours each."""
    cards: list[Card] = []
    for declared in load_declarations():
        if declared.kind == "starter":
            cards += [lay_out(declared, id_=f"{declared.id}-{colour}", colour=colour) for colour in COLOURS]
        else:
            cards.append(lay_out(declared))
    return Catalogue(name="open", game="mapmasters", cards=tuple(cards), card_size_mm=CARD_SIZE_MM)


def catalogue_json(catalogue: Catalogue) -> bytes:
    """The catalogue as JSON with one card a line, for small files and small diffs."""
    told = msgspec.to_builtins(msgspec.structs.replace(catalogue, cards=()))
    head = msgspec.json.encode({key: value for key, value in told.items() if key != "out"})
    cards = b",\n".join(msgspec.json.encode(told_card(card)) for card in catalogue.cards)
    return head.replace(b'"cards":[]', b'"cards":[\n' + cards + b"\n]") + b"\n"


def write_topology(catalogue: Catalogue, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE_NAME).write_bytes(catalogue_json(catalogue))


def write_art(catalogue: Catalogue, folder: Path, only: Collection[str] = ()) -> None:
    """Draw the cards (all, or those named in `only`) as 8-bit palette-free PNG at 8 px/mm."""
    from calibration.decks.mapmasters.art import draw_card

    (folder / "art").mkdir(parents=True, exist_ok=True)
    for card in catalogue.cards:
        if only and card.id not in only:
            continue
        draw_card(card, card.seed or 0, PX_PER_MM).save(folder / card.art, optimize=True)


def build_pieces(
    doc: str | None, catalogue: Catalogue, folder: Path, draw: Callable[[Card, float], Image.Image]
) -> None:
    """Command that builds a board game's pieces: the catalogue, and the art of all or of named pieces as
    PNG at 8 px/mm. `doc` is its help text."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pieces", nargs="*", help="ids of the pieces to draw; all when none is named")
    parser.add_argument("--topology-only", action="store_true", help="write catalogue.json, draw nothing")
    parser.add_argument("--out", type=Path, default=folder, help="folder to write")
    args = parser.parse_args()
    write_topology(catalogue, args.out)
    if args.topology_only:
        return
    (args.out / "art").mkdir(parents=True, exist_ok=True)
    for card in catalogue.cards:
        if not args.pieces or card.id in args.pieces:
            draw(card, PX_PER_MM).save(args.out / card.art, optimize=True)


def write_pieces(folder: Path) -> None:
    """Draw the tokens of artifacts, at 1.5 times the cards' resolution because they are small."""
    from calibration.decks.mapmasters.art.artifacts import ARTIFACTS, draw_token

    (folder / PIECES).mkdir(parents=True, exist_ok=True)
    for name in ARTIFACTS:
        draw_token(name, 1.5 * PX_PER_MM).save(folder / PIECES / f"{name}.png", optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cards", nargs="*", help="ids of the cards to draw; all when none is named")
    parser.add_argument("--topology-only", action="store_true", help="write catalogue.json, draw nothing")
    parser.add_argument("--out", type=Path, default=bundled_catalogue(), help="folder to write")
    args = parser.parse_args()
    catalogue = build_catalogue()
    write_topology(catalogue, args.out)
    if not args.topology_only:
        write_art(catalogue, args.out, args.cards)
        if not args.cards:
            write_pieces(args.out)


if __name__ == "__main__":
    main()
