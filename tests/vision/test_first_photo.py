"""The first photo is begun early; which one that is, nobody who loads photos can tell."""

from pathlib import Path

import pytest

from scorer.errors import WaymarkError
from waymark.cli.inputs import FirstPhotoEarly

DATA = Path(__file__).parents[1] / "data"
HEIC = (DATA / "quadrants.heic").read_bytes()
TURNED = (DATA / "quadrants-turned.heic").read_bytes()
FILES = {"a": HEIC, "b": TURNED, "broken": b"no picture"}


def test_photos_come_by_name_in_any_order_and_more_than_once() -> None:
    inputs = FirstPhotoEarly(["a", "b", "a"], FILES.__getitem__)
    sizes = {name: (photo.width, photo.height) for name in "ba" for photo in [inputs.load(name)]}
    assert sizes["a"] == sizes["b"][::-1]
    assert (inputs.load("a").pixels == inputs.load("a").pixels).all()


@pytest.mark.parametrize("names", [["broken", "a"], ["a", "broken"]])
def test_a_photo_that_cannot_be_read_is_told_when_it_is_asked_for(names: list[str]) -> None:
    inputs = FirstPhotoEarly(names, FILES.__getitem__)
    assert inputs.load("a").width > 0
    with pytest.raises(WaymarkError) as caught:
        inputs.load("broken")
    assert caught.value.code == "not-an-image"
