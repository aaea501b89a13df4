# Two commands do everything on a fresh machine: `make run` and `make test`. The rest is for daily work.
PYTHON_BIN := .venv/bin/python
WORKERS ?= 2
# Or each test that starts the program would compile all of it again:
unexport PYTHONDONTWRITEBYTECODE
# These lead Python to packages outside .venv:
unexport PYTHONPATH PYTHONHOME

.PHONY: help run setup check style fast test bench soak dist dist-check wheels wheelhouse install-offline lock format images reference messages clean

help:
	@echo "make run      set up, then open the wizard (with no display: the Durham example, solved, signed and verified)"
	@echo "make test     set up, then the whole test suite"
	@echo "make check    what to run before each commit: style, types and the fast tests"
	@echo "make bench    time the solvers; results go to docs/performance.md"
	@echo "make soak     long runs, and comparison with other programs"
	@echo "make dist     build the program as one folder in dist/ and pack it: .tar.zst, .zip, .deb"
	@echo "make dist-check  run what make dist packed in a bare Debian root without Python or network (as root)"
	@echo "make wheels   ask the index whether every pinned package has a wheel for every system and Python"
	@echo "make wheelhouse  gather the wheels an offline installation needs, hashes checked, in wheelhouse/"
	@echo "make install-offline  make .venv from wheelhouse/ alone"
	@echo "make lock     write requirements/*.txt anew from pyproject.toml (UPGRADE=1: newest versions allowed)"
	@echo "make images   draw the window's pictures in docs/images anew"
	@echo "make reference  write docs/functions.md and resources/schema anew from the source"
	@echo "make messages   ask every language for the texts it lacks, resources/locale, and compile them for the program"
	@echo "make setup    Debian packages, .venv and Python packages for all of the above but soak and dist"

run:
	@sh scripts/setup.sh run
	@sh scripts/run.sh

setup:
	@sh scripts/setup.sh test

check: setup  # style and types wait for no test
	$(MAKE) --no-print-directory --jobs 2 style fast

style:
	$(PYTHON_BIN) -m ruff check .
	$(PYTHON_BIN) -m ruff format --check .
	$(PYTHON_BIN) -m mypy
	.venv/bin/lint-imports

fast:
	$(PYTHON_BIN) -m pytest -q -n $(WORKERS) --dist worksteal -m "not slow and not soak"

test: setup
	$(PYTHON_BIN) -m pytest -q -n $(WORKERS) --dist worksteal -m "not soak"

bench: setup
	$(PYTHON_BIN) -m benchmarks

soak: setup
	@sh scripts/setup.sh soak
	$(PYTHON_BIN) -m pytest -q -m soak

dist:
	@sh scripts/setup.sh build
	$(PYTHON_BIN) -m PyInstaller --noconfirm --clean --log-level WARN build.spec
	$(PYTHON_BIN) packaging/contents.py dist/dpwizard build/build/COLLECT-00.toc
	sh scripts/demo.sh dist/dpwizard/dpwizard-cli
	sh packaging/pack.sh

dist-check:
	sh packaging/dist_check.sh

wheels:
	@sh packaging/wheels.sh

wheelhouse:
	@sh packaging/wheelhouse.sh gather

install-offline:
	@sh packaging/wheelhouse.sh install

lock:
	sh scripts/lock.sh $(if $(UPGRADE),--upgrade)

format: setup
	$(PYTHON_BIN) -m ruff check --fix .
	$(PYTHON_BIN) -m ruff format .

images: setup
	$(PYTHON_BIN) scripts/screenshots.py

reference: setup
	$(PYTHON_BIN) scripts/make_reference.py

messages: setup
	$(PYTHON_BIN) scripts/make_messages.py

clean:
	rm -rf build dist out .mypy_cache .pytest_cache .ruff_cache .hypothesis
