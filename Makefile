# SWIFT names another toolchain, ARGS goes to the demo or the benchmarks: make demo ARGS="--speed 5"
SWIFT ?= swift
ARGS ?=
SOURCES = Sources Tests Examples Benchmarks Package.swift

.PHONY: demo test docs bench bench-counts lint format setup setup-bench setup-counts

demo: setup
	$(SWIFT) run --package-path Examples Departures $(ARGS)

test: setup
	$(SWIFT) test

# The guides and the reference, with docc of the toolchain; fails where a link leads nowhere.
docs: setup
	$(SWIFT) build
	Scripts/check-documentation >.build-documentation.log || { grep -E '^(warning|error|undocumented):' .build-documentation.log | grep -v "^warning: Parameter"; exit 1; }
	@echo 'Read it at http://localhost:8000/documentation/firn while this runs:'
	@echo '    python3 -m http.server --directory .build-documentation/site'

bench: setup-bench
	$(SWIFT) run -c release --package-path Benchmarks firn-bench --output Benchmarks/RESULTS.md $(ARGS)

# Fails when a loop takes over 1 % more instructions than Benchmarks/COUNTS.md says; ARGS=--renew writes that file.
bench-counts: setup-counts
	SWIFT=$(SWIFT) Scripts/count-instructions $(ARGS)

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

format:
	$(SWIFT) format format --in-place --recursive --parallel $(SOURCES)

# What is missing is installed with apt-get; what is there is left alone.
setup:
	@command -v $(SWIFT) >/dev/null || { echo 'Swift 6.2 or later is needed, see https://www.swift.org/install/linux' >&2; exit 1; }
	@command -v pkg-config >/dev/null || Scripts/install pkg-config
	@pkg-config --exists libzstd || Scripts/install libzstd-dev

# The benchmarks compare with SQLite.
setup-bench: setup
	@pkg-config --exists sqlite3 || Scripts/install libsqlite3-dev

# Instructions are counted with valgrind.
setup-counts: setup
	@command -v valgrind >/dev/null || Scripts/install valgrind
