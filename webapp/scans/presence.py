"""Presence: the devices that are about to take a photo, by the owner of the cards. Devices report every
second; the data are kept in memory only."""

from __future__ import annotations

import threading

#: Seconds without a report after which a device counts as gone.
GONE_AFTER = 4.0


class Photographers:
    """Devices about to take a photo, by the owner of the cards."""

    def __init__(self) -> None:
        self._told: dict[str, dict[str, float]] = {}
        self._lock = threading.Lock()

    def tell(self, whose: str, device: str, now: float) -> int:
        """Record that `device` is about to photograph at the time `now` (seconds); returns the number of
        other devices."""
        with self._lock:
            self._told.setdefault(whose, {})[device] = now
            for name, devices in list(self._told.items()):
                here = {each: told for each, told in devices.items() if now - told < GONE_AFTER}
                if here:
                    self._told[name] = here
                else:
                    del self._told[name]
            return len(self._told[whose]) - 1
