# Everything sets itself up in a virtual environment; Python 3.11 is all a machine must have.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
# What is compiled is kept: every process that a test starts would compile all of it again.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test slow check browser bench clean

demo: .venv/weights
	$(BIN)/overpaint demo

test: .venv/dev .venv/weights .venv/language
	$(BIN)/pytest -n 2 -m "not slow"

slow: .venv/dev .venv/weights .venv/language .venv/pictures browser
	$(BIN)/pytest -n 2 --dist loadfile -m slow

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

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

.venv/core: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
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
.venv/dev: .venv/core
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,lm,pose]'
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps piq==0.8.0
	touch $@

# Diffusion pipelines, the predictor of aesthetics and training, tried with tiny models made on the spot.
.venv/pictures: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[diffusers,aesthetics,train]'
	touch $@

browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	    apt-get install -y -qq chromium fonts-noto-cjk >/dev/null; } || \
	  echo "No Chromium here: browser tests will be skipped."

clean:
	rm -rf .venv build dist *.egg-info
