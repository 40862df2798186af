"""The exceptions that reach people: a stable code, and one sentence each in English and Japanese."""

from __future__ import annotations

from enum import StrEnum

from scorer.error_remedies import REMEDIES
from scorer.text import Text

#: Exit statuses, as docs/FORMATS.md has them under "Commands".
WRONG_USAGE = 2
UNREADABLE = 3
NOTHING_FOUND = 4


class Code(StrEnum):
    """The stable machine word of an error, with the command line's exit status (2 wrong usage, 3 an input
    could not be read, 4 nothing to score in it), the HTTP status, and the remedy (`error_remedies`).

    docs/ERRORS.md lists them."""

    exit_status: int
    http_status: int
    remedy: Text

    def __new__(cls, word: str, *statuses: int) -> Code:
        """A code with its HTTP status (400) and its exit status (3)."""
        code = str.__new__(cls, word)
        code._value_ = word
        code.remedy = REMEDIES[word]
        code.http_status, code.exit_status = (*statuses, *(400, UNREADABLE)[len(statuses) :])
        return code

    # Any command or request.
    USAGE = ("usage", 400, WRONG_USAGE)
    INTERNAL = ("internal", 500)
    NO_FILE = "no-file"
    NOT_WRITABLE = "not-writable"
    # Photos.
    NO_PHOTO = "no-photo"
    NOT_AN_IMAGE = ("not-an-image", 415)
    CUT_OFF = ("cut-off", 422)
    TOO_LARGE = ("too-large", 413)
    TOO_SMALL = ("too-small", 422, NOTHING_FOUND)
    NO_CARD = ("no-card", 422, NOTHING_FOUND)
    OTHER_PIECES = ("other-pieces", 422, NOTHING_FOUND)
    NO_SHEET = ("no-sheet", 422, NOTHING_FOUND)
    NO_LINE = ("no-line", 422, NOTHING_FOUND)
    NO_PEN = ("no-pen", 404)
    PHOTO_LOST = ("photo-lost", 410)
    PHOTO_DAMAGED = ("photo-damaged", 410)
    NO_PHOTOS = "no-photos"
    NOT_A_TRUTH = "not-a-truth"
    # Records and what is told of them.
    NOT_A_RECORD = "not-a-record"
    NOT_A_NOTATION = "not-a-notation"
    NOT_A_GAME = "not-a-game"
    BAD_RECORD = "bad-record"
    UNKNOWN_GAME = "unknown-game"
    RECORD_TOO_LARGE = "record-too-large"
    HEAPED_CARDS = "heaped-cards"
    UNKNOWN_CARD = "unknown-card"
    UNKNOWN_PLACE = "unknown-place"
    UNKNOWN_MEANS = "unknown-means"
    NO_PAYMENTS = "no-payments"
    NO_SUCH_QUESTION = ("no-such-question", 400, WRONG_USAGE)
    UNKNOWN_TOKEN = "unknown-token"
    UNKNOWN_SPELLBOOK = "unknown-spellbook"
    UNKNOWN_OBJECTIVE = "unknown-objective"
    UNKNOWN_GROUP = "unknown-group"
    UNKNOWN_GOAL = "unknown-goal"
    UNKNOWN_MISSION = "unknown-mission"
    NOT_A_MISSION = "not-a-mission"
    UNKNOWN_SETTING = "unknown-setting"
    BAD_SETTING = "bad-setting"
    NOT_SOLD = "not-sold"
    # Catalogues and printing.
    NO_CATALOGUE = "no-catalogue"
    NOT_A_CATALOGUE = "not-a-catalogue"
    BROKEN_CATALOGUE = "broken-catalogue"
    UNSOUND_CATALOGUE = "unsound-catalogue"
    NOT_A_SHARED_DECK = "not-a-shared-deck"
    ART_UNREADABLE = "art-unreadable"
    NO_CARDS = "no-cards"
    CARDS_TOO_LARGE = "cards-too-large"
    # Corrections of a reading.
    LAST_CARD = "last-card"
    NO_SUCH_CARD = "no-such-card"
    NO_SUCH_STEP = "no-such-step"
    BAD_PLACE = "bad-place"
    BAD_OUTLINE = "bad-outline"
    NO_ROUTE = "no-route"
    NOTHING_LEFT = "nothing-left"
    NOT_READ = "not-read"
    IN_GAME = "in-game"
    OTHER_GAME = "other-game"
    HAS_PHOTO = "has-photo"
    # Disputes.
    NO_CLAIM = "no-claim"
    NO_NAME = "no-name"
    SEVERAL_CLAIMS = "several-claims"
    CANNOT_BE = "cannot-be"
    # Games and players.
    BAD_NAME = "bad-name"
    BAD_PLAYERS = "bad-players"
    SAME_PERSON = "same-person"
    BAD_ROUND = "bad-round"
    BAD_SEAT = "bad-seat"
    TOO_MANY_SPELLBOOKS = "too-many-spellbooks"
    NO_PRICE = "no-price"
    TOO_FEW_COINS = "too-few-coins"
    GAME_FINISHED = ("game-finished", 409)
    CONFLICT = ("conflict", 409)
    # Logs.
    NOT_A_LOG = "not-a-log"
    LOG_BROKEN = "log-broken"
    # The server and its requests.
    PORT_TAKEN = "port-taken"
    NO_DATABASE = ("no-database", 503)
    DISK_FULL = ("disk-full", 507)
    DATA_FOLDER = ("data-folder", 503)
    NEWER_DATA = ("newer-data", 503)
    DAMAGED = ("damaged", 503)
    UNSOUND_DATA = ("unsound-data", 503)
    NOT_A_BACKUP = "not-a-backup"
    PHOTOS_AWAY = ("photos-away", 503)
    BUSY = ("busy", 503)
    BAD_REQUEST = "bad-request"
    PIN_NEEDED = ("pin-needed", 401)
    FORBIDDEN = ("forbidden", 403)
    NOT_FOUND = ("not-found", 404)
    WRONG_METHOD = ("wrong-method", 405)
    NOT_JSON = ("not-json", 415)
    ENCODED = ("encoded", 415)
    OTHER_NAME = ("other-name", 421)
    SLOW_DOWN = ("slow-down", 429)
    NOT_VALID = "not-valid"
    TWO_TARGETS = "two-targets"
    SEVERAL_PHOTOS = "several-photos"


class WaymarkError(Exception):
    """A cause that the person at the table can mend: its `code`, which knows the statuses, and one sentence
    in the reader's language."""

    def __init__(self, code: Code, words: Text) -> None:
        super().__init__(words.en)
        self.code = code
        self.words = words

    @property
    def en(self) -> str:
        """The error message in English."""
        return self.words.en

    @property
    def ja(self) -> str:
        """The error message in Japanese."""
        return self.words.ja

    @property
    def exit_status(self) -> int:
        """The exit status of a command that fails with this error."""
        return self.code.exit_status

    def message(self, language: str) -> str:
        """The error message in `language`."""
        return self.words.message(language)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process borders in batch runs; the default would lose all but the English.
        return (type(self), (self.code, self.words))
