"""`waymark scan` and `score` of tables on which several groups draw."""

from __future__ import annotations

from typing import Any

from waymark.cli.answers import wrong_usage
from waymark.cli.asked_photos import Asked, answer_photos, refuse
from waymark.cli.inputs import FirstPhotoEarly, game_of_groups, read_input


def answer_table(asked: Asked) -> None:
    """Answer the photos of one table together: scan and ruling, or the scan alone, and one picture. The
    table's record may state terms itself."""
    if asked.turn is not None:
        raise wrong_usage("usage.turn_board")
    refuse(asked.own, "usage.with_groups")
    choice, output, photos = asked.choice, asked.output, asked.photos
    together = ", ".join(photos)
    (picture,) = asked.pictures(photos[:1]).values()
    asked.told.check(choice)
    inputs = FirstPhotoEarly(photos, read_input)
    from waymark.review.groups import groups_json, score_groups

    def work(name: str) -> Any:
        cards = choice.load()
        game = game_of_groups(cards)
        shown = [inputs.load(photo) for photo in photos]
        scored = score_groups(shown, cards, game, asked.table.of(game), asked.told.of(game))
        if picture is not None:
            from waymark.picture.table_overlay import write_table

            write_table(picture, shown[scored.scan.photos[0]], cards, scored, output.language)
        answer = groups_json(scored, output.language)
        return answer["scan"] if asked.scan_alone else answer

    answer_photos(asked, [together], work, lambda: game_of_groups(choice.load()), {together: picture})
