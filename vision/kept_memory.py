"""Memory for a program that reads photo after photo: what one photo took is kept for the next.

Left to itself the allocator gives large arrays back to the system and gets them anew, empty, some 30,000
pages a photo: a tenth of the time. And it gives every thread a heap of its own, each of which keeps what that
thread once needed: with one heap for all a process of six photos takes 270 MB instead of 330.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

#: glibc's names for what is set (`malloc.h`), and the values: arrays up to the first number of bytes are
#: taken from memory that is kept, of which so much may lie unused.
_MMAP_THRESHOLD, _TRIM_THRESHOLD, _ARENA_MAX = -3, -1, -8
_LARGEST_KEPT, _MOST_UNUSED = 1 << 25, 1 << 27


def keep_freed_memory() -> None:
    """Let this process keep up to 128 MB that it has freed, in one heap for all threads. It is the process's
    own choice: nothing that is imported by other programs makes it. Does nothing where the C library is not
    glibc.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_ARENA_MAX, 1)
            library.mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT)
            library.mallopt(_TRIM_THRESHOLD, _MOST_UNUSED)
