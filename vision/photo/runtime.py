"""Process settings for reading photo after photo: threads of matrix products and memory kept between
photos."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import cv2
import numpy as np
from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_limits: list[Any] = []
_readings = 0


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Context manager and decorator: matrix products use one thread, and the former setting is restored at
    the end.

    The setting applies to the whole process. Overlapping readings share it, so that the first one to end does
    not restore the threads while another still runs.
    """
    global _readings
    with _lock:
        _readings += 1
        if _readings == 1:
            controller = _controller("scipy.linalg" in sys.modules)
            _in_a_thread_of_its_own(lambda: _limits.append(controller.limit(limits=1, user_api="blas")))
    try:
        yield
    finally:
        with _lock:
            _readings -= 1
            while _readings == 0 and _limits:
                _in_a_thread_of_its_own(_limits.pop().restore_original_limits)


def _in_a_thread_of_its_own(setting: Callable[[], None]) -> None:
    """Apply a setting in a thread that lives as long as the setting.

    threadpoolctl lets only one thread set OpenBLAS while that thread lives, but readings begin and end in any
    thread.
    """
    thread = threading.Thread(target=setting)
    thread.start()
    thread.join()


@cache
def _controller(with_scipy: bool) -> ThreadpoolController:
    """Controller of the loaded BLAS libraries, cached, as the search for them takes milliseconds.

    Loaded libraries stay loaded. scipy brings its own besides numpy's.
    """
    del with_scipy
    return ThreadpoolController()


#: glibc's parameter numbers (`malloc.h`) and their values: arrays up to the first number of bytes use memory
#: that is kept, of which up to the second number may remain unused.
_MMAP_THRESHOLD, _TRIM_THRESHOLD, _ARENA_MAX = -3, -1, -8
_LARGEST_KEPT, _MOST_UNUSED = 1 << 25, 1 << 27


def prepare_colours() -> None:
    """Compute OpenCV's tables for L*a*b* colours, which takes 50 ms at their first use in a process."""
    cv2.cvtColor(np.zeros((1, 1, 3), np.uint8), cv2.COLOR_BGR2Lab)


def keep_freed_memory() -> None:
    """Let this process keep up to 128 MB of freed memory, in one heap for all threads.

    Only the process itself may choose this: no module imported by other programs does. It has no effect where
    the C library is not glibc.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_ARENA_MAX, 1)
            library.mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT)
            library.mallopt(_TRIM_THRESHOLD, _MOST_UNUSED)
