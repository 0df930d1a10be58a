# SPDX-License-Identifier: MIT
#
# test.mk - demo, checks, fuzzers, sanitizers.

# These targets install what is missing first, and then call make again so that it is found; on all cores, unless the
# caller has set a number.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

demo:
	@sh tools/install-deps
	@$(MAKE) --no-print-directory $(JOBS) all
	@sh tools/demo ./tilecut

# The fuzz targets: with libFuzzer for long runs, and with our own driver for the short run in `make check`.
FUZZ_TIME   ?= 60
FUZZ_SRC    := $(filter-out tests/fuzz/replay.c,$(sort $(wildcard tests/fuzz/*.c)))
FUZZ_FLAGS   = $(STD) $(WARN) $(EXACT) $(CFLAGS) $(EXTRA) -pthread $(TEST_INC)
REPLAYS     := $(FUZZ_SRC:tests/fuzz/%.c=$(BUILD)/fuzz/replay-%)
FUZZERS     := $(FUZZ_SRC:tests/fuzz/%.c=$(BUILD)/fuzz/fuzz-%)
$(REPLAYS): $(BUILD)/fuzz/replay-%: tests/fuzz/%.c tests/fuzz/replay.c $(wildcard tests/fuzz/*.h) $(CLI_PARTS) $(BUILD)/libtilecut.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(FUZZ_FLAGS) $(LINK) -o $@ $(filter-out %.h,$^) $(IMG_LIBS) $(CUDA_LIBS) -lm
$(FUZZERS): $(BUILD)/fuzz/fuzz-%: tests/fuzz/%.c $(wildcard tests/fuzz/*.h) $(CLI_PARTS) $(BUILD)/libtilecut.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(FUZZ_FLAGS) $(LINK) -fsanitize=fuzzer -o $@ $(filter-out %.h,$^) $(IMG_LIBS) -lm
fuzzers-here: $(FUZZERS)
# Runs each target for FUZZ_TIME seconds; FUZZ_TARGETS="png jpeg" selects some of them, FUZZ_DIR=FOLDER keeps growing
# corpora, and FUZZ_SEED=N makes the same changes in every run.
fuzz:
	@sh tools/install-deps --with-fuzzer
	@$(MAKE) --no-print-directory $(JOBS) MODE=fuzz CC=clang CUDA=0 BUILD=build/fuzz fuzzers-here
	@FUZZ_TIME='$(FUZZ_TIME)' FUZZ_SEED='$(FUZZ_SEED)' FUZZ_TARGETS='$(FUZZ_TARGETS)' FUZZ_DIR='$(FUZZ_DIR)' sh tests/fuzz/run.sh build/fuzz/fuzz

# Compares the readers with Pillow, tifffile and nibabel of the system's Python, over every file below DIR. MOST=500
# takes that many files, spread evenly.
DIR  ?= images
MOST ?= 0
corpus: python
	@TILECUT='$(BUILD)/tilecut' PYTHONPATH='$(PYDIR)' /usr/bin/python3 tools/corpus '$(DIR)' --most $(MOST)

check:
	@sh tools/install-deps --with-tests
	@$(MAKE) --no-print-directory $(JOBS) check-all

# Runs all tests on a build that counts executed lines; takes some minutes.
coverage:
	@sh tools/install-deps --with-tests --with-coverage
	@$(MAKE) --no-print-directory $(JOBS) MODE=coverage CC=gcc CUDA=0 BUILD=build/coverage check-all
	@gcovr -r . --object-directory build/coverage -f src/ --sort-uncovered 2>/dev/null || gcovr -r . -f src/

# Checks of the sources, or of a release's flags, need not be repeated on a build with sanitizers.
SOURCE_CHECKS := $(if $(filter release,$(MODE)),tests/layers.sh tests/headers.sh tests/hardening.sh)
# libFuzzer also replays the corpora under these sanitizers, so NO_REPLAY=1 skips that here.
REPLAY_RUN := $(if $(filter asan fuzz,$(MODE))$(NO_REPLAY),,tests/fuzz/replay.sh)
# Python cannot load a library that needs clang's sanitizers.
PYTHON_RUN := $(if $(filter fuzz,$(MODE)),,tests/python/run.sh)
# ONLY="test_x test_y" runs no other unit tests, SKIP="test_x test_y" leaves some out.
CHOSEN = $(filter-out $(SKIP:%=$(BUILD)/tests/unit/%),$(if $(ONLY),$(filter $(ONLY:%=$(BUILD)/tests/unit/%),$(TESTS)),$(TESTS)))
CHECKED = all $(SOFT_GPU) $(CHOSEN) $(if $(REPLAY_RUN),$(REPLAYS)) $(if $(and $(PYTHON_RUN),$(shell command -v $(PYTHON))),python)
check-all: $(CHECKED)
	@TILECUT='$(abspath $(BUILD)/tilecut)' BUILD='$(BUILD)' sh tests/run.sh $$(sh tests/program/run.sh --shares) $(PYTHON_RUN) \
	  $(REPLAY_RUN) $(SOFT_GPU) $(CHOSEN) $(SOURCE_CHECKS)

# Compiles and links everything that check-all runs, without running it.
tests-built: $(CHECKED)

# Runs only the unit tests, in any mode: `make MODE=tsan check-unit`.
check-unit: $(CHOSEN)
	@BUILD='$(BUILD)' sh tests/run.sh $^

# Tests COUNT random instances from seed FROM on, SWEEP_JOBS processes at a time: see tests/sweep.sh.
COUNT ?= 5000
FROM  ?= 1
SWEPT := libmaxflow libmaxflow_volumes network_peers parts strokes
sweep: $(SWEPT:%=$(BUILD)/tests/unit/test_%)
	@SWEEP_JOBS='$(SWEEP_JOBS)' sh tests/sweep.sh '$(BUILD)/tests/unit' '$(COUNT)' '$(FROM)'

# Tests that involve threads, and the verbs that use many: for MODE=tsan.
THREADED  := $(filter $(addprefix $(BUILD)/,$(basename $(shell grep -l " Threads: run under" $(TEST_SRC) $(PEER_SRC)))),$(CHOSEN))
check-threads: $(THREADED) $(BUILD)/tilecut
	@BUILD='$(BUILD)' sh tests/run.sh $(THREADED)
	@TILECUT='$(abspath $(BUILD)/tilecut)' TILECUT_LIMIT=300 sh tests/program/run.sh batch edit

# For a machine with a GPU: compares every GPU solver with the CPU, also under CUDA's sanitizer. Needs nvcc and a C
# compiler, but no test framework or picture library.
LADDER_SRC := $(wildcard tests/device/*.c) tests/unit/random_graph.c tests/unit/random_network.c tests/unit/walled.c \
              tests/unit/part_pieces.c tests/unit/part_scene.c tests/unit/label_scene.c tests/unit/hybrid_case.c \
              src/cli/system/failure.c $(call files,src/cli/synthetic,*.c) \
              $(wildcard src/cli/networks/families/network_families*.c) src/cli/networks/files/arcs.c \
              src/cli/graphs/scaled.c src/cli/graphs/lines.c
# The linker drops what only readers of files need.
$(BUILD)/ladder: $(LADDER_SRC) $(BUILD)/libtilecut.a
	$(call say,LINK)
	$(Q)$(CC) $(STD) $(WARN_C) $(EXACT) $(LINK) $(LIB_INC) $(CLI_INC) -Itests/unit -Itests/device \
	  -ffunction-sections -Wl,--gc-sections -o $@ $^ $(CUDA_LIBS) -lm
check-cuda:
	@$(MAKE) --no-print-directory $(JOBS) CUDA=1 CUDA_ARCH='$(CUDA_ARCH)' ladder-here
ladder-here: $(BUILD)/ladder
	@sh tests/device/check.sh $(BUILD)/ladder

# Runs both at the same time, because most tests keep one processor busy.
sanitize:
	@sh tools/install-deps --with-tests
	@$(MAKE) --no-print-directory $(JOBS) sanitize-memory sanitize-threads
# The groups that give the program all kinds of input. Groups about signals, clocks and pages run only on the release
# build.
MEMORY_GROUPS := usage segment seeds annotations masks graphs networks bad attacks refusals edit dicom heif
sanitize-memory:
	@TEST_GROUPS='$(MEMORY_GROUPS)' TILECUT_LIMIT=300 $(MAKE) --no-print-directory MODE=asan check-all
sanitize-threads:
	@$(MAKE) --no-print-directory MODE=tsan check-threads
# Runs the same with clang's sanitizers, on the objects of the fuzz targets. They also find offsets from NULL, and
# indices beyond an array in a struct.
sanitize-clang:
	@TEST_GROUPS='$(MEMORY_GROUPS)' TILECUT_LIMIT=300 $(MAKE) --no-print-directory MODE=fuzz BUILD=build/fuzz CC=clang CXX=clang++ CUDA=0 check-all
