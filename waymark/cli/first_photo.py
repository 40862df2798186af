"""Photos by name, of which the first is decoded while the rest of the program is still being loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from vision.photo import Photo, load_photo


class FirstPhotoEarly:
    """Gives photos; the first is begun at once, in a thread (decoding lets go of the interpreter's lock).

    Only the first: two decoded photos of the largest size would not fit the memory promised for one.
    """

    def __init__(self, names: Sequence[str], read: Callable[[str], bytes]) -> None:
        self._read = read
        pool = ThreadPoolExecutor(1)
        self._begun: dict[str, Future[Photo]] = {names[0]: pool.submit(self._load, names[0])}
        pool.shutdown(wait=False)

    def load(self, name: str) -> Photo:
        """The photo. Raises what `read` raises, and `WaymarkError` as `load_photo` does."""
        begun = self._begun.pop(name, None)
        return begun.result() if begun is not None else self._load(name)

    def _load(self, name: str) -> Photo:
        return load_photo(self._read(name))
