"""What the network for marks is trained on: restyled faces, and crops with what is true of them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from samples.deck import card_face, open_deck
from samples.restyled_deck import restyled_deck
from tools.mark_examples import HUNDREDTHS, MARGIN, VARIANTS, examples, table
from vision.marks import CHANNELS, SIDE


def test_a_restyled_face_is_another_and_stays_the_same(tmp_path: Path) -> None:
    card = open_deck().cards[40]
    one, again, other = (
        card_face(restyled_deck(open_deck(), style, tmp_path / name), card)
        for style, name in ((3, "a"), (3, "b"), (4, "c"))
    )
    plain = card_face(open_deck(), card)
    assert np.array_equal(one, again)
    for face in (plain, other):
        assert cv2.absdiff(one, face).mean() > 10


@pytest.mark.long
def test_examples_show_the_marks_that_were_drawn_and_others_by_chance(tmp_path: Path) -> None:
    sample, deck, _ = table(100_003, tmp_path)
    crops, told = examples(sample, deck, tmp_path)
    side = round(SIDE * MARGIN)
    assert crops.shape == (len(told), CHANNELS, side, side)
    finds = len(told) // VARIANTS
    assert len(told) <= VARIANTS * finds + VARIANTS
    drawn = sample.record.marks
    assert told[:finds].sum() == len(drawn.circled) + len(drawn.struck)
    assert told[finds:].mean() > told[:finds].mean()
    # a struck find has more ink in its middle than one without marks
    middle = (
        crops[:, 4, side // 2 - 4 : side // 2 + 4, side // 2 - 4 : side // 2 + 4].mean(axis=(1, 2))
        / HUNDREDTHS
    )
    assert middle[told[:, 1]].mean() > middle[~told.any(axis=1)].mean() + 0.3
