"""One thread for matrix products while a photo is read.

The products here are small, and what is large is shared out to threads by hand. The library behind numpy
would share them out once more: its threads wait for work in a busy loop and take a core from OpenCV, or from
the scan beside this one. A variable of the environment would do as well, but only where this package is
imported before numpy.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_limits: list[Any] = []
_readings = 0


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Matrix products take one thread until this ends; what was set before is set again then.

    The setting is the whole process's. Readings that overlap share it, so that the first one to end does not
    give the threads back while another one runs. Also a decorator.
    """
    global _readings
    with _lock:
        _readings += 1
        if _readings == 1:
            _limit()
    try:
        yield
    finally:
        with _lock:
            _readings -= 1
            while _readings == 0 and _limits:
                _in_a_thread_of_its_own(_limits.pop().restore_original_limits)


def _limit() -> None:
    controller = _controller("scipy.linalg" in sys.modules)
    _in_a_thread_of_its_own(lambda: _limits.append(controller.limit(limits=1, user_api="blas")))


def _in_a_thread_of_its_own(setting: Callable[[], None]) -> None:
    """threadpoolctl lets one thread alone set OpenBLAS for as long as that thread lives, and readings begin
    and end in any thread: each setting has one that ends with it.
    """
    thread = threading.Thread(target=setting)
    thread.start()
    thread.join()


@cache
def _controller(with_scipy: bool) -> ThreadpoolController:
    """Looks through the loaded libraries, which takes milliseconds; they stay loaded. scipy brings one of its
    own besides numpy's.
    """
    del with_scipy
    return ThreadpoolController()
