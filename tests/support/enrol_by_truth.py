"""Enrols a photo whose outlines its truth tells: `python enrol_by_truth.py DIR PHOTO`. Finding cards takes
most of an enrolment's time and writes nothing; a test of what is written needs not wait for it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from calibration.enrol.faces.enrolment import EnrolledPhoto, enrol_photo
from vision.outlines.blank_cards import BlankCard, BlankTable
from vision.photo.lens import Lens


def enrol_by_truth(folder: Path, photo: Path) -> EnrolledPhoto:
    """`enrol_photo`, with outlines from the photo's truth."""
    truth = json.loads(photo.with_name(photo.stem + ".truth.json").read_bytes())

    def found(picture: Any, size_mm: Any, lens: Any = None) -> BlankTable:
        cards = [BlankCard(np.array(card["corners"], float), 1.0, 1.0) for card in truth["cards"]]
        return BlankTable(tuple(cards), Lens(picture.width, picture.height), 8.0)

    with patch("calibration.enrol.faces.enrolment.find_blank_cards", found):
        return enrol_photo(folder, photo)


if __name__ == "__main__":
    enrol_by_truth(Path(sys.argv[1]), Path(sys.argv[2]))
