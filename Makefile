# Everything sets itself up in a virtual environment; Python 3.11 is all a machine must have.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# Every package at one version, each file by its hash: docs/decisions/024-locks.md. What is locked
# is locked for Python 3.11; another Python gets what pyproject.toml allows.
LOCKED := $(shell $(PYTHON) -c "import sys; print('yes' * (sys.version_info[:2] == (3, 11)))")
EXACTLY := $(PIP) --no-deps --require-hashes --only-binary :all: -r
UNLOCKED := echo "This Python is not 3.11, for which requirements/ is locked: taking what fits."
# What is compiled is kept: every process that a test starts would compile all of it again.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test slow chaos check lock sbom browser bench clean

demo: .venv/weights
	$(BIN)/overpaint demo

test: .venv/dev .venv/weights .venv/language
	$(BIN)/pytest -n 2 -m "not slow"

slow: .venv/dev .venv/weights .venv/language .venv/pictures browser
	$(BIN)/pytest -n 2 --dist loadfile -m slow

# Kills, full disks and jumping clocks; hostile files; every parser fuzzed, FUZZ seconds each and
# slow ones longer, beginning with what was found before; the rating page. All are tried, whatever
# the first finds; docs/reliability.md has what they print.
FUZZ ?= 20
chaos: .venv/dev .venv/weights browser
	@failed=0; \
	$(BIN)/python tests/chaos/run.py --kills 200 || failed=1; \
	$(BIN)/python tests/hostile/hostile_corpus.py || failed=1; \
	$(BIN)/python tests/fuzz/drive.py --seconds $(FUZZ) --findings build/findings || failed=1; \
	seed=$$($(BIN)/python -c "import secrets; print(secrets.randbelow(1 << 32))"); \
	OVERPAINT_FUZZ_EXAMPLES=50 $(BIN)/pytest tests/rating/test_rating_described.py \
	  --hypothesis-profile=search --hypothesis-seed=$$seed || \
	  { echo "The same again: --hypothesis-profile=search --hypothesis-seed=$$seed"; failed=1; }; \
	exit $$failed

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python requirements/audit.py

# After a change of pyproject.toml's requirements, and now and then for what is newer.
lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet --disable-pip-version-check uv==0.13.8 packaging==26.3
	build/lock/bin/python requirements/lock.py
	rm -rf build/lock

# What a release is made of, with licences, as CycloneDX; into dist/.
sbom: .venv/dev
	$(BIN)/python requirements/sbom.py

bench: .venv/dev
	$(BIN)/python bench/pixels.py
	$(BIN)/python bench/run.py
	$(BIN)/python bench/intervals.py
	$(BIN)/python bench/text.py
	$(BIN)/python bench/ocr.py
	$(BIN)/python bench/vde.py
	$(BIN)/python bench/instruct.py
	$(BIN)/python bench/judge.py
	$(BIN)/python bench/evidence.py
	$(BIN)/python bench/fluency.py 30
	$(BIN)/python bench/typeset.py
	$(BIN)/python bench/typeset_real.py
	$(BIN)/python bench/milde.py
	$(BIN)/python bench/quality.py
	$(BIN)/python bench/people.py
	$(BIN)/python bench/rating.py
	$(BIN)/python bench/learned.py
	$(BIN)/python bench/learned_reward.py
	$(BIN)/python bench/scale_run.py
	$(BIN)/python bench/cluster.py
	$(BIN)/python bench/scale_report.py

.venv/core: pyproject.toml requirements/demo.txt
	$(PYTHON) -m venv .venv
ifeq ($(LOCKED),yes)
	$(EXACTLY) requirements/demo.txt
	$(PIP) --no-deps --no-build-isolation --editable .
else
	@$(UNLOCKED)
	$(PIP) --editable .
endif
	touch $@

# The default columns' weights. Without a network the columns say `unavailable` and how to get them.
.venv/weights: .venv/core overpaint/weights/table.py
	$(BIN)/overpaint get || echo "Some weights are missing; their columns will say so."
	touch $@

# A small language model, and what finds poses and things: for tests and those who ask by name.
.venv/language: .venv/dev overpaint/weights/table.py
	$(BIN)/overpaint get smollm2 pose isnet coco deeplab || echo "Some models are missing: their tests will be skipped."
	touch $@

# piq is installed without its dependencies: it asks for torchvision, which its GMSD never uses.
.venv/dev: .venv/core requirements/test.txt requirements/cuda.txt
ifeq ($(LOCKED),yes)
	@$(EXACTLY) requirements/cpu.txt 2>/dev/null || echo "No CPU build of PyTorch is at hand: taking the registry's."
	$(EXACTLY) requirements/test.txt
	$(BIN)/pip freeze | grep -q '^torch==.*+cpu' || $(EXACTLY) requirements/cuda.txt
else
	$(PIP) --editable '.[dev,lm,pose]'
	$(PIP) --no-deps piq==0.8.0
endif
	touch $@

# Diffusion pipelines, the predictor of aesthetics and training, tried with tiny models made on the spot.
.venv/pictures: .venv/dev requirements/slow.txt
ifeq ($(LOCKED),yes)
	$(EXACTLY) requirements/slow.txt
else
	$(PIP) --editable '.[diffusers,aesthetics,train]'
endif
	touch $@

browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	    apt-get install -y -qq chromium fonts-noto-cjk >/dev/null; } || \
	  echo "No Chromium here: browser tests will be skipped."

clean:
	rm -rf .venv build dist *.egg-info
