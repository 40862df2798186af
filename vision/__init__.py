"""From pixels to a record: photo, cards, layout, ink, path. Pieces, planes, lines and places; no rules."""

import os

# The products here are small, and what is large is shared out to threads by hand. OpenBLAS's own threads
# would wait for work in a busy loop and take a core from OpenCV, or from the scan beside this one. It reads
# this once, on numpy's first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
