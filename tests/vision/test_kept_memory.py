"""What a photo took is kept for the next one, in programs that ask for it."""

import ctypes
import platform
import subprocess
import sys

import pytest

from vision.photo.runtime import keep_freed_memory

PROGRAM = """
import resource
import numpy as np
from vision.photo.runtime import keep_freed_memory

if {kept}:
    keep_freed_memory()


def photo():
    arrays = [np.ones(5_000_000, np.uint8) for _ in range(10)]
    return sum(array[-1] for array in arrays)


photo()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    photo()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def new_pages(kept: bool) -> int:
    program = PROGRAM.format(kept=kept)
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc",
    reason="only glibc takes these settings (mallopt); the allocator of another C library is left as it is",
)
def test_a_later_photo_needs_hardly_any_new_pages() -> None:
    assert new_pages(kept=True) < 2_000 < new_pages(kept=False)


@pytest.mark.parametrize("refused", [AttributeError("mallopt"), OSError("no library")])
def test_a_program_starts_where_the_c_library_is_another(
    refused: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Musl:
        def __getattr__(self, name: str) -> None:
            asked.append(name)
            raise refused

    asked: list[str] = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Musl())
    keep_freed_memory()
    assert asked == ["mallopt"]
