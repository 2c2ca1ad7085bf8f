# The front door: `make help` lists what it can do. CMake does the work; see CMakePresets.json.
# Variables: JOBS (parallel compilations), SECONDS (make fuzz), PREFIX (make install), PACKAGES= (do not look for Debian packages).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
PACKAGES ?= build libraries tests
# A file that includes libtorch takes up to 2 GiB to compile.
JOBS ?= $(shell awk -v cores="$$(nproc)" '/MemAvailable/ { fit = int($$2 / 2097152) } \
	END { print fit < 1 ? 1 : (fit < cores ? fit : cores) }' /proc/meminfo)

configure = log=build/configure-$(1).log; mkdir -p build; \
	[[ -f build/$(1)/build.ninja ]] || cmake --preset $(1) >$$log 2>&1 || { cat $$log; rm -f build/$(1)/build.ninja; exit 1; }
# On a terminal Ninja redraws one line; elsewhere only what goes wrong is worth printing.
compile = cmake --build --preset $(1) -j $(JOBS) --target $(2) -- $$([[ -t 1 ]] || echo --quiet)

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: packages
packages:
	@[[ -z "$(PACKAGES)" ]] || scripts/install-packages $(PACKAGES)

.PHONY: demo
demo: packages ## Generate the synthetic benchmark, draw it, train on it and write a report
	@$(call configure,release)
	@$(call compile,release,dshn)
	@scripts/demo build/release/bin/dshn build/demo

.PHONY: build
build: packages ## Compile everything; programs land in build/release/bin
	@$(call configure,release)
	@$(call compile,release,all)

.PHONY: test
test: build ## Compile and run every test
	@scripts/run-tests release

.PHONY: python
python: packages ## Build and test the Python package; it lands in build/release/python
	@$(call configure,release)
	@$(call compile,release,dshn_python_package)
	@scripts/run-tests release -L '^python$$'

.PHONY: bench
bench: build ## Run the benchmarks; results land in build/bench
	@scripts/bench build/release/bin build/bench

.PHONY: sanitize
sanitize: packages ## Run the tests under the address, undefined-behaviour and thread sanitizers
	@for preset in asan tsan; do $(call configure,$$preset); $(call compile,$$preset,all); scripts/run-tests $$preset; done

# The rooms that read files from elsewhere, and what they stand on: none sees libtorch.
reading := base hypergraph io scarce_memory data report
.PHONY: asan
asan: packages ## Run the tests of the rooms that read files under the address sanitizer
	@$(call configure,asan)
	@$(call compile,asan,$(reading:%=%_test))
	@scripts/run-tests asan -L "^($$(tr ' ' '|' <<<'$(reading)'))$$"

.PHONY: faults
faults: build ## Try every fault point of every command that writes, 500 kills, 50000 mutated files, and a long soak
	@scripts/fault-sweep build/release/bin/dshn_many
	@scripts/kill-sweep build/release/bin/dshn_many 500
	@scripts/mutate build/release/bin/dshn_many 50000
	@build/release/bin/soak

SECONDS ?= 60
.PHONY: fuzz
fuzz: packages ## Fuzz every reader for SECONDS each (default 60); needs clang-16
	@[[ -z "$(PACKAGES)" ]] || scripts/install-packages fuzz
	@command -v clang++-16 >/dev/null || { echo "make fuzz: there is no clang++-16, so nothing is fuzzed"; exit 0; }; \
	$(call configure,fuzz); \
	$(call compile,fuzz,fuzz_targets); \
	scripts/fuzz build/fuzz --seconds $(SECONDS) --jobs $(JOBS)

.PHONY: lint
lint: packages ## Check format and run clang-tidy
	@[[ -z "$(PACKAGES)" ]] || scripts/install-packages lint
	@$(call configure,lint)
	@scripts/lint build/lint $(JOBS)

.PHONY: check-format
check-format: ## Check the format of the sources
	@[[ -z "$(PACKAGES)" ]] || scripts/install-packages lint
	@scripts/own-sources | xargs -0 clang-format --dry-run -Werror

.PHONY: format
format: ## Format the sources in place
	@[[ -z "$(PACKAGES)" ]] || scripts/install-packages lint
	@scripts/own-sources | xargs -0 clang-format -i

.PHONY: docs
docs: ## Write the reference of the public headers to docs/api
	@[[ -z "$(PACKAGES)" ]] || scripts/install-packages docs
	@doxygen docs/Doxyfile
	@echo "docs/api/html/index.html"

.PHONY: install
install: build ## Install program, libraries, headers and CMake package below PREFIX
	@cmake --install build/release --prefix $(PREFIX)

.PHONY: clean
clean: ## Remove everything that was built
	@rm -rf build docs/api
