# The two commands to know: `make run` (score a shipped photo) and `make test`, which leaves the long rest of the
# tests to `make test-long`; `make test-all` runs both in one.
PHOTO ?= samples/photos/table-07.jpg
OVERLAY ?= out/overlay.png
BENCH ?= samples/photos
DECK ?= out/deck.pdf
# One core each: the tests run in more processes than there are cores, and OpenCV would take them all in each.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
# What is compiled is kept: the tests start the program a hundred times.
unexport PYTHONDONTWRITEBYTECODE
# In another order each time; `PYTEST_ADDOPTS=--randomly-seed=7` takes that of the seed which a run printed.
# Each process takes a stretch of them, whole files: what a file's tests share is made once.
PYTEST = .venv/bin/python -m pytest -n auto --dist worksteal -rs

.PHONY: run test test-long test-all coverage check check-types check-code check-js setup setup-dev bench deck screens lock

run: setup
	@mkdir -p $(dir $(OVERLAY))
	@.venv/bin/waymark score $(PHOTO) --primary sword --secondary pit --overlay $(OVERLAY)

test: setup-dev
	$(PYTEST) -m "not long" tests

test-long: setup-dev
	$(PYTEST) -m long tests

test-all: setup-dev
	$(PYTEST) tests

# Which lines and branches the quick unit tests reach: a table here, pages in out/coverage.
coverage: setup-dev
	@mkdir -p out
	$(PYTEST) -m unit --cov --cov-report=term:skip-covered --cov-report=html tests

# Faults and complexity; which package and room may import which; what is asked for and not imported (by the core
# without the extra `web`, by all that is installed, by everything with its tests); what nothing uses; types.
INSTALLED = scorer vision calibration waymark webapp
# Tests import their helpers by bare names.
HELPERS = tests/support tests/support/tiny_game tests/support/fifth_game tests/web tests/vision tests/games/mapmasters
DEPTRY = .venv/bin/deptry --optional-dependencies-dev-groups
check: setup-dev
	$(MAKE) --jobs 2 check-types check-code check-js

check-types: setup-dev
	.venv/bin/mypy

check-code: setup-dev
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/lint-imports pyproject.toml
	$(DEPTRY) web,build,postgresql,dev $(filter-out webapp,$(INSTALLED))
	$(DEPTRY) build,dev $(INSTALLED)
	.venv/bin/deptry $(INSTALLED) samples tools tests $(HELPERS)
	.venv/bin/vulture

setup:
	@tools/setup.sh

setup-dev:
	@tools/setup.sh dev

bench: setup
	.venv/bin/waymark bench $(BENCH)

deck: setup
	@mkdir -p $(dir $(DECK))
	.venv/bin/waymark deck print $(DECK)

# Every page as a picture in out/screens, and those that the README and docs/YOUR_OWN_BOX.md show.
screens: setup-dev
	WAYMARK_SCREENSHOTS=out/screens $(PYTEST) tests/web/test_looks.py tests/web/test_guide.py
	cp out/screens/readme/*.png docs/screens/
	cp out/screens/guide/*.webp docs/screens/guide/

# After a change of a version in pyproject.toml: hashes of every platform's wheels, and no host names.
LOCK = .venv/bin/uv pip compile --quiet --generate-hashes --universal --no-header --no-annotate --python-version 3.11
lock: setup-dev
	.venv/bin/python -m pip install --quiet uv
	$(LOCK) pyproject.toml --extra build --extra web -o requirements.lock
	$(LOCK) pyproject.toml --extra build --extra web --extra dev --extra deck --extra postgresql --extra s3 --extra cluster -o requirements-dev.lock
	.venv/bin/python -c 'import tomllib; extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; print(*extras["postgresql"], *extras["s3"], sep="\n")' \
		| $(LOCK) --constraint requirements-dev.lock - -o requirements-scale.lock
	sed -n 's/^opencv-python==\([^ ]*\).*/opencv-python-headless==\1/p' requirements.lock | $(LOCK) --no-deps - -o requirements-headless.lock

# The pages' scripts: format, faults, types, unit tests. Without node it says so and goes on, but for CI.
check-js: setup-dev
	tools/js/check.sh
