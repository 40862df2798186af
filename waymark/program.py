"""What `import waymark` gives: results of one photo or record as frozen values with what people ask of them.

The command line calls the same functions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError
from scorer.record import Record
from scorer.text import Language, Text
from vision.photo import Photo, load_photo, photo_of_pixels
from vision.scan import SeenCard
from waymark.review.assessment import Assessment, answer, assess, other_answers
from waymark.review.pipeline import read_table, scan_json
from waymark.review.question_names import name_of
from waymark.review.table import Table

#: A file, its bytes, its pixels (height, width, 3) uint8 in red, green, blue, or what gives a decoded photo.
PhotoLike: TypeAlias = "str | Path | bytes | NDArray[np.uint8] | Photo | Callable[[], Photo]"
#: JSON, plain data, a game's own record, or a reading.
RecordLike: TypeAlias = "bytes | str | Mapping[str, Any] | msgspec.Struct | Reading"

#: Rules of the house come together under this word, beside the terms of a player.
_HOUSE = "house"
