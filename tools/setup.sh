#!/usr/bin/env bash
# Makes .venv and installs Waymark in it, every package by the hash in the lock file.
#   tools/setup.sh        what playing needs
#   tools/setup.sh dev    what the tests and the deck builder need, too
# Quick when nothing changed since the last call. PYTHON=/path/to/python chooses the interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."

flavour=${1:-run}
case "$flavour" in
    run) lock=requirements.lock ;;
    dev) lock=requirements-dev.lock ;;
    *) echo "usage: tools/setup.sh [run|dev]" >&2; exit 2 ;;
esac
headless_lock=requirements-headless.lock
venv=.venv
py=$venv/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

fail() { echo "$1" >&2; exit 1; }

# Errors only: a machine's own indexes and proxies make pip warn about every package that one of them lacks.
pip() { "$py" -m pip --quiet --quiet "$@"; }

find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    local found
    found=$(python3 -c 'import platform; print("; found " + platform.python_version())' 2>/dev/null || true)
    fail "Waymark needs Python 3.11 or newer$found: install it (Debian 12, Ubuntu 24.04 and later: apt install python3 python3-venv) and call this again."
}

# A virtual environment that was moved, or whose Python has gone, cannot be mended: it is made anew.
usable_venv() {
    [ -x "$py" ] && "$py" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

make_venv() {
    local python version
    python=$(find_python) || exit 1
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        fail "Python $version here lacks its venv module: install it (Debian, Ubuntu: apt install python3-venv, or python$version-venv) and call this again."
    fi
    echo "Making the virtual environment $venv with $("$python" --version) ..."
    "$python" -m venv --clear "$venv"
}

import_cv2() { "$py" -c 'import cv2' 2>"$venv/cv2-import.log"; }

# opencv-python links to the desktop's GUI libraries (libGL, libxcb, glib). Where they are missing, the
# headless build of the same version is the same library without windows, which Waymark never opens.
ensure_cv2() {
    import_cv2 && return
    local why
    why=$(tail -n 1 "$venv/cv2-import.log")
    echo "opencv-python cannot be loaded here (${why#ImportError: }): taking its headless build of the same version."
    pip uninstall --yes opencv-python opencv-python-headless
    pip install --no-deps --require-hashes -r "$headless_lock"
    import_cv2 || fail "OpenCV cannot be loaded, not even its headless build: $(tail -n 1 "$venv/cv2-import.log")"
}

wanted=$("${PYTHON:-python3}" - "$lock" "$headless_lock" pyproject.toml tools/setup.sh <<'PY' 2>/dev/null || echo unknown
import hashlib, sys
print(hashlib.sha256(b"".join(open(name, "rb").read() for name in sys.argv[1:])).hexdigest())
PY
)
stamp=$venv/.waymark-$flavour
if [ "$wanted" != unknown ] && usable_venv && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && import_cv2; then
    exit 0
fi

usable_venv || make_venv
echo "Installing Waymark's packages ($lock) ..."
pip install --require-hashes -r "$lock"
ensure_cv2
# The build backend warns about what developers know; it is shown only when something went wrong.
pip install --no-deps --no-build-isolation --editable . >"$venv/install.log" 2>&1 ||
    { cat "$venv/install.log" >&2; fail "Waymark itself could not be installed in $venv."; }
# Kept in the user's cache; without it the first photo would wait for this. A folder that cannot be written
# costs no more than that.
echo "Looking at the open deck's cards, once ..."
"$py" -c 'from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from vision.cards.index import load_index
load_index(load_catalogue(bundled_catalogue()))' || echo "That failed; the first photo will take longer."
[ "$wanted" = unknown ] || echo "$wanted" > "$stamp"
echo "Ready: $venv/bin/waymark --help"
