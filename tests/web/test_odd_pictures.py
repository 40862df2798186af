"""Odd pictures go the three ways by which photos come: the command line, an upload, the enrolment of cards.
Each is read, or refused with the one sentence that says what is wrong and what to do, in both languages."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from api_calls import json_of
from cli_runs import run_here, run_program
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from photo_files import original_file
from PIL import Image

from calibration.open_deck import bundled_catalogue
from scorer.errors import WaymarkError
from vision.mirrored import MIRRORED
from waymark.review.pipeline import decode_reading
from webapp.decks.enrolling import Enrolling, jobs_of
from webapp.http.services import KEY, Services
from webapp.scans import worker
from webapp.store.photos import display_copy

# Where warnings are no errors, as they are in tests, nobody hears this one (last test but one).
pytestmark = pytest.mark.filterwarnings("ignore:Corrupt EXIF")

ENDS = b"\xff\xd9"
HEIC = (PHOTOS / "table-06.heic").read_bytes()


@cache
def cards(*, mirrored: bool = False) -> Image.Image:
    """Two cards of the open deck side by side, seen from above on a grey table."""
    table = Image.new("RGB", (1100, 900), (92, 84, 78))
    for number, card in enumerate(("D39", "D40")):
        face = Image.open(bundled_catalogue() / "art" / f"{card}.png").convert("RGB").resize((441, 616))
        table.paste(face, (100 + 441 * number, 140))
    return Image.fromarray(np.asarray(table)[:, ::-1]) if mirrored else table


def packed(kind: str, *, mirrored: bool = False, mode: str = "RGB", **options: Any) -> bytes:
    buffer = io.BytesIO()
    cards(mirrored=mirrored).convert(mode).save(buffer, kind, **options)
    return buffer.getvalue()


def cut(data: bytes, share: float = 0.6) -> bytes:
    return data[: int(share * len(data))]


def left_empty(data: bytes, share: float = 0.6) -> bytes:
    """As a copy leaves a file that broke off, on a disk where its room was kept."""
    return cut(data, share).ljust(len(data), b"\0")


def with_exif(data: bytes, exif: bytes) -> bytes:
    body = b"Exif\0\0" + exif
    return data[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + data[2:]


def scan_by_scan(data: bytes, scans: int) -> bytes:
    """The first scans of a progressive JPEG, with an end marker."""
    at = 0
    for _ in range(scans + 1):
        at = data.index(b"\xff\xda", at + 1)
    # Tables may stand before a scan.
    return data[: data.rindex(b"\xff\xc4", 0, at)] + ENDS


#: A directory of which the entries are missing: Pillow warns of it.
BROKEN_EXIF = b"II*\0\x08\0\0\0\x05\0\x12\x01"
#: The tail that Samsung's cameras write behind pixels without an end marker.
TRAILER = b"\x13SEFHj\0\0\0\x01\0\0\0\xff\x12\0\0\0\0\0\x18\0\0\0SEFT"
CUT_OFF = "The picture is cut off or damaged; copy or upload it once more."


@dataclass(frozen=True)
class Odd:
    """What is sent, and what is told (English); None where it is read."""

    data: Callable[[], bytes]
    told: str | None = None


ODD = {
    "plain": Odd(lambda: packed("JPEG")),
    "progressive": Odd(lambda: packed("JPEG", progressive=True)),
    "restart markers": Odd(lambda: packed("JPEG", restart_marker_rows=2)),
    "in shades of grey": Odd(lambda: packed("JPEG", mode="L")),
    "CMYK": Odd(lambda: packed("JPEG", mode="CMYK")),
    "AVIF": Odd(lambda: packed("AVIF", speed=10)),
    "WebP": Odd(lambda: packed("WEBP")),
    "no end marker": Odd(lambda: packed("JPEG").removesuffix(ENDS)),
    "a trailer for an end marker": Odd(lambda: packed("JPEG").removesuffix(ENDS) + TRAILER),
    "filled up behind its pixels": Odd(lambda: packed("JPEG").removesuffix(ENDS) + bytes(500) + ENDS),
    "broken EXIF": Odd(lambda: with_exif(packed("JPEG"), BROKEN_EXIF)),
    "mirrored": Odd(lambda: packed("JPEG", mirrored=True)),
    "cut": Odd(lambda: cut(packed("JPEG")), CUT_OFF),
    "cut, with an end marker": Odd(lambda: cut(packed("JPEG")) + ENDS, CUT_OFF),
    "cut near its end, with an end marker": Odd(lambda: cut(packed("JPEG"), 0.99) + ENDS, CUT_OFF),
    "progressive, cut, with an end marker": Odd(
        lambda: cut(packed("JPEG", progressive=True), 0.9) + ENDS, CUT_OFF
    ),
    "progressive, last scans missing": Odd(
        lambda: scan_by_scan(packed("JPEG", progressive=True), 6), CUT_OFF
    ),
    "restart markers, cut, with an end marker": Odd(
        lambda: cut(packed("JPEG", restart_marker_rows=2)) + ENDS, CUT_OFF
    ),
    "CMYK, cut, with an end marker": Odd(lambda: cut(packed("JPEG", mode="CMYK")) + ENDS, CUT_OFF),
    "JPEG left empty": Odd(lambda: left_empty(packed("JPEG")), CUT_OFF),
    "a part of a JPEG lost": Odd(lambda: cut(packed("JPEG"), 0.4) + packed("JPEG")[-9000:], CUT_OFF),
    "PNG cut": Odd(lambda: cut(packed("PNG")), CUT_OFF),
    "PNG left empty": Odd(lambda: left_empty(packed("PNG")), CUT_OFF),
    "WebP cut": Odd(lambda: cut(packed("WEBP")), CUT_OFF),
    "WebP left empty": Odd(lambda: left_empty(packed("WEBP")), CUT_OFF),
    "AVIF cut": Odd(lambda: cut(packed("AVIF", speed=10)), CUT_OFF),
    "HEIC cut": Odd(lambda: cut(HEIC), CUT_OFF),
    "HEIC left empty": Odd(lambda: left_empty(HEIC, 0.9), CUT_OFF),
    "GIF": Odd(
        lambda: packed("GIF"), "This is a GIF file, which is not read; send the photo itself as JPEG or HEIC."
    ),
    "BMP": Odd(
        lambda: packed("BMP"),
        "This is a BMP file, which is not read; send the photo as JPEG, PNG, WebP, HEIC or AVIF.",
    ),
    "TIFF": Odd(
        lambda: packed("TIFF"),
        "This is a TIFF file, which is not read; send the photo as JPEG, PNG, WebP, HEIC or AVIF.",
    ),
    "DNG": Odd(
        lambda: packed("TIFF", tiffinfo={0xC612: b"\1\4\0\0"}),
        "This is a raw photo (DNG), which is not read; "
        "send the JPEG or HEIC that the camera saves beside it.",
    ),
    "JPEG XL": Odd(
        lambda: b"\xff\x0a" + bytes(range(200)),
        "This is a JPEG XL file, which is not read; send the photo as JPEG, PNG, WebP, HEIC or AVIF.",
    ),
    "a film": Odd(
        lambda: b"\0\0\0\x18ftypmp42\0\0\0\0isommp42" + bytes(200),
        "This is a film, which is not read; take a photo and send that.",
    ),
    "no picture": Odd(
        lambda: b"hello" * 100,
        "This is not a picture that can be read; give a JPEG, PNG, WebP, HEIC or AVIF photo.",
    ),
}


class InProcess:
    """A queue that has things done here, in place of a reading process."""

    def lend(self, work: Any) -> Any:
        return work(self)

    def ask(self, function: Any, *arguments: Any, seconds: float) -> Any:
        return function(*arguments)


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest) -> Odd:
    return ODD[request.param]


@pytest.fixture
def file(odd: Odd, tmp_path: Path) -> Path:
    file = tmp_path / "odd.jpg"
    file.write_bytes(odd.data())
    return file


def test_odd_pictures_on_the_command_line(odd: Odd, file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    result = run_here("scan", file, "--json", "-", "--lang", "en")
    if odd.told is None:
        assert {card["card"] for card in json.loads(result.stdout)["cards"]} == {"D39", "D40"}
    else:
        assert result.exit_code == 3
        assert result.stderr.strip() == f"waymark: {odd.told}"
        in_japanese = json.loads(run_here("scan", file, "--json", "-", "--lang", "ja").stdout)
        assert in_japanese["error"]["message"].endswith("。")
    # What libraries print past Python is not theirs to tell.
    assert capfd.readouterr().err == ""


def test_odd_pictures_in_an_upload(odd: Odd, app: Flask, client: FlaskClient) -> None:
    form = {"photo": (io.BytesIO(odd.data()), "odd.jpg")}
    sent = client.post("/api/v1/photos", data=form, content_type="multipart/form-data")
    if sent.status_code != 202:
        assert json_of(sent)["error"]["message"] == odd.told
        return
    services: Services = app.extensions[KEY]
    photo_id = json_of(sent)["shot"]["photo_id"]
    kept = original_file(services.config.photos, photo_id)
    assert kept.read_bytes() == odd.data()
    try:
        scan = decode_reading(worker.read_shot(kept, folder=bundled_catalogue()))
    except WaymarkError as error:
        assert error.en == odd.told and error.ja.endswith("。")
        return
    assert odd.told is None and {card.card for card in scan.cards} == {"D39", "D40"}
    shown = display_copy(services.photos, services.display_copies, services.pictures, photo_id, 480)
    assert Image.open(io.BytesIO(shown)).size == (480, 393)


#: Enrolling takes long: of the pictures that can be read one stays among the quick tests. The two tests above
#: read each of them.
_ENROLLED = [
    pytest.param(name, marks=pytest.mark.long if odd.told is None and name != "mirrored" else ())
    for name, odd in ODD.items()
]


@pytest.mark.parametrize("odd", _ENROLLED, indirect=True)
def test_odd_pictures_in_an_enrolment(odd: Odd, app: Flask, client: FlaskClient) -> None:
    client.post("/api/v1/decks", json={"name": "ours", "game": "mapmasters"})
    sent = client.post("/api/v1/decks/ours/photos", data={"photo": (io.BytesIO(odd.data()), "odd.jpg")})
    if sent.status_code != 202:
        assert json_of(sent)["error"]["message"] == odd.told
        return
    services: Services = app.extensions[KEY]
    enrolling = Enrolling(services.shelf, InProcess(), services.read_again)  # type: ignore[arg-type]
    deck = services.shelf.deck("ours")
    enrolling._work(deck)
    [(_, job)] = jobs_of(deck.folder)
    if odd.told is None:
        assert job.error is None or "picture" not in job.error.en
    else:
        assert job.state == "failed" and job.error is not None and job.error.en == odd.told


def test_a_broken_exif_block_warns_nobody(tmp_path: Path) -> None:
    data = ODD["broken EXIF"].data()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        Image.open(io.BytesIO(data)).getexif()
    assert heard, "Pillow has something to say, so that what follows can fail"
    file = tmp_path / "p.jpg"
    file.write_bytes(data)
    said = run_program("scan", str(file), LANG="en_GB.UTF-8")
    assert said.returncode == 0
    assert "Warning" not in said.stderr and ".py" not in said.stderr


def test_a_mirrored_photo_says_so_and_is_kept_as_it_came(tmp_path: Path) -> None:
    scans = {}
    for mirrored in (False, True):
        file = tmp_path / f"{mirrored}.jpg"
        file.write_bytes(packed("JPEG", mirrored=mirrored, quality=95))
        scans[mirrored] = json.loads(run_here("scan", file, "--json", "-", "--lang", "en").stdout)
    plain, over = scans[False], scans[True]
    assert over["photo"]["warnings"][0] == MIRRORED.en and MIRRORED.en not in plain["photo"]["warnings"]
    assert over["photo"]["warnings_ja"][0] == MIRRORED.ja
    for one, other in zip(plain["cards"], over["cards"], strict=True):
        assert one["card"] == other["card"]
        there = np.array(one["corners"])
        here = np.array(other["corners"])
        assert np.abs(1099 - here[:, 0] - there[:, 0]).max() < 3 and np.abs(here - there)[:, 1].max() < 3
