"""Cache of assessments in memory, since several devices look at shared tables and boards every few
seconds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from scorer.catalogue import Catalogue

#: Number of photos whose assessments are cached, for each kind of play.
KEPT = 24

Assessed = TypeVar("Assessed")


class KnownAssessments(Generic[Assessed]):
    """Cache of the latest assessments of one kind, keyed by all their inputs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: Stored with its catalogue, so that no other catalogue is found under the same id.
        self._known: OrderedDict[Hashable, tuple[Catalogue, Assessed]] = OrderedDict()

    def of(self, catalogue: Catalogue, follows_from: Hashable, make: Callable[[], Assessed]) -> Assessed:
        """The assessment for these inputs, from the cache or computed."""
        key = (id(catalogue), follows_from)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key][1]
        made = make()
        with self._lock:
            self._known[key] = (catalogue, made)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return made
