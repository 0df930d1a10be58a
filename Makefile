# SPDX-License-Identifier: MIT
#
# Folders are the architecture: src/*.c is the library, src/cli/*.c the program, cuda/*.cu the GPU
# solvers, tests/test_*.c one Check program each. A new file there needs no change here.
#
# `make help` lists the targets, `make config` says what was found on this machine and why not.

# ---- What the caller may set ---------------------------------------------------------------------

MODE      ?= release
CC        := $(if $(filter default undefined,$(origin CC)),$(if $(shell command -v cc),cc,gcc),$(CC))
CXX       := $(if $(filter default undefined,$(origin CXX)),$(if $(shell command -v c++),c++,g++),$(CXX))
PKG       ?= pkg-config
PREFIX    ?= /usr/local
BINDIR    ?= $(PREFIX)/bin
LIBDIR    ?= $(PREFIX)/lib
INCDIR    ?= $(PREFIX)/include
MANDIR    ?= $(PREFIX)/share/man
DOCDIR    ?= $(PREFIX)/share/doc/tilecut
BASHDIR   ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR    ?= $(PREFIX)/share/zsh/site-functions
FISHDIR   ?= $(PREFIX)/share/fish/vendor_completions.d
CUDA      ?= auto
CUDA_ARCH ?= 75 80 86 89 90 100 120
WERROR    ?=

# Every mode has its own flags and its own folder, so that objects of two modes never mix.
MODE_CFLAGS_release  := -O3 -g
MODE_CFLAGS_asan     := -O1 -g
MODE_CFLAGS_ubsan    := -O1 -g
MODE_CFLAGS_tsan     := -O1 -g
MODE_CFLAGS_coverage := -O0 -g
MODE_EXTRA_asan      := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
MODE_EXTRA_ubsan     := -fsanitize=undefined -fno-sanitize-recover=undefined
MODE_EXTRA_tsan      := -fsanitize=thread -fno-omit-frame-pointer
MODE_EXTRA_coverage  := --coverage
# libFuzzer is clang's; the harnesses are linked with -fsanitize=fuzzer.
MODE_CFLAGS_fuzz     := -O1 -g
MODE_EXTRA_fuzz      := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
ifeq ($(MODE_CFLAGS_$(MODE)),)
  $(error MODE=$(MODE): there is release, asan, ubsan, tsan, coverage and fuzz)
endif
CFLAGS    ?= $(MODE_CFLAGS_$(MODE))
CXXFLAGS  ?= $(MODE_CFLAGS_$(MODE))
EXTRA     := $(MODE_EXTRA_$(MODE))

# ---- What is there -------------------------------------------------------------------------------

VERSION   := $(shell sed -n 's/^.define TILECUT_VERSION_[MP][A-Z]* *//p' src/tilecut.h | paste -s -d .)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))

has_pkg    = $(shell command -v $(PKG) >/dev/null 2>&1 && $(PKG) --exists $(1) 2>/dev/null && echo 1)
has_header = $(shell echo '$(hash)include <$(1)>' | $(CXX) -E -x c++ - >/dev/null 2>&1 && echo 1)
hash      := \#
comma     := ,

HAVE_PNG  := $(call has_pkg,libpng)
HAVE_JPEG := $(call has_pkg,libjpeg)
STB_DIR   := $(firstword $(wildcard $(patsubst %,%/stb,/usr/include /usr/local/include $(STB_HOME))))
HAVE_STB  := $(if $(wildcard $(STB_DIR)/stb_image_write.h),1)
MISSING   := $(if $(HAVE_PNG),,libpng) $(if $(HAVE_JPEG),,libjpeg) $(if $(HAVE_STB),,stb_image_write.h)
MISSING   := $(strip $(MISSING))

NVCC      ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_SRC  := $(sort $(wildcard cuda/*.cu))
# The CUDA runtime is where nvcc itself would look for it (toolkits differ in their folders), or where the
# C compiler does; static if there is a choice, so that the program runs where no toolkit is.
cuda_dirs = $(patsubst -L%,%,$(shell $(NVCC) --dryrun -x cu /dev/null -o /dev/null 2>&1 | sed -n 's/^.*LIBRARIES=//p' \
            | tr -d '"')) $(wildcard $(patsubst %/bin/,%/lib64 %/lib,$(dir $(NVCC)) $(dir $(realpath $(NVCC)))))
cudart_in = $(firstword $(wildcard $(cuda_dirs:%=%/$(1)) $(filter /%,$(shell $(CC) -print-file-name=$(1)))))
CUDART    := $(if $(filter-out 0,$(CUDA)),$(if $(NVCC),$(or $(call cudart_in,libcudart_static.a),$(call cudart_in,libcudart.so))))
HAVE_CUDA := $(if $(filter auto,$(CUDA)),$(if $(and $(NVCC),$(CUDART),$(CUDA_SRC)),1,0),$(CUDA))
ifneq ($(filter asan ubsan tsan coverage fuzz,$(MODE)),)
  HAVE_CUDA := 0
endif
ifeq ($(HAVE_CUDA)$(NVCC),1)
  $(error CUDA=1, but nvcc was not found; set NVCC=/path/to/nvcc, or CUDA=0 for a build without)
endif
ifeq ($(HAVE_CUDA)$(CUDA_SRC),1)
  $(error CUDA=1, but there is no GPU solver in cuda/ yet; build with CUDA=0)
endif
# Compiling the kernels alone needs no runtime.
ifneq ($(filter-out kernels config help clean,$(or $(MAKECMDGOALS),all)),)
ifeq ($(HAVE_CUDA)$(CUDART),1)
  $(error CUDA=1, but $(NVCC) has no libcudart_static.a or libcudart.so to link with; install the CUDA runtime library, or CUDA=0)
endif
endif

BUILD     ?= build/$(MODE)$(if $(filter-out cc gcc,$(notdir $(CC))),-$(notdir $(CC)))$(if $(filter 1,$(HAVE_CUDA)),-cuda)

# ---- Flags ---------------------------------------------------------------------------------------

WARN      := -Wall -Wextra -Wpedantic -Wconversion -Wshadow $(if $(WERROR),-Werror)
WARN_C    := $(WARN) -Wmissing-prototypes -Wstrict-prototypes
# No contraction to fused multiply-add: the same rounding on every machine, so the same graph bit for bit. Nobody
# looks at the flags that floating-point exceptions raise, and without them loops with comparisons are vector loops.
EXACT     := -ffp-contract=off -fno-trapping-math
STD       := -std=c11 -D_GNU_SOURCE
LIB_FLAGS := $(STD) $(WARN_C) $(EXACT) $(CFLAGS) $(EXTRA) $(CPPFLAGS) -pthread -fPIC -fvisibility=hidden \
             -Isrc -Icuda
# -isystem: the warnings of other people's headers are not ours.
IMG_INC   := $(if $(MISSING),,$(patsubst -I%,-isystem %,$(shell $(PKG) --cflags libpng libjpeg)) \
             -isystem $(STB_DIR))
IMG_LIBS  := $(if $(MISSING),,$(shell $(PKG) --libs libpng libjpeg))
CLI_FLAGS := $(STD) $(WARN_C) $(EXACT) $(CFLAGS) $(EXTRA) $(CPPFLAGS) -pthread -Isrc -Isrc/cli $(IMG_INC)
TEST_INC  := -Isrc -Isrc/cli -Icuda -Itests $(IMG_INC)
LINK      := $(CFLAGS) $(EXTRA) $(LDFLAGS) -pthread

CUDA_LAST  = $(lastword $(CUDA_ARCH))
NVCCFLAGS ?= -O3 -lineinfo
NVCC_ALL   = $(NVCCFLAGS) -std=c++17 -fmad=false -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra -Isrc -Icuda \
             $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) \
             -gencode arch=compute_$(CUDA_LAST),code=compute_$(CUDA_LAST)
CUDA_LIBS := $(if $(filter 1,$(HAVE_CUDA)),$(if $(filter %.so,$(CUDART)),-Wl$(comma)-rpath$(comma)$(dir $(CUDART))) $(CUDART) \
             -lstdc++ -ldl -lrt)

# ---- Objects -------------------------------------------------------------------------------------

LIB_SRC   := $(sort $(wildcard src/*.c)) $(if $(filter 1,$(HAVE_CUDA)),$(CUDA_SRC),$(wildcard cuda/stub.c))
CLI_SRC   := $(sort $(wildcard src/cli/*.c))
LIB_OBJ   := $(LIB_SRC:%=$(BUILD)/%.o)
CLI_OBJ   := $(CLI_SRC:%=$(BUILD)/%.o)
# The program without its main(), for tests: an archive, so that a test takes only the parts it uses.
CLI_PARTS := $(if $(CLI_OBJ),$(BUILD)/program.a)

TEST_SRC  := $(sort $(wildcard tests/test_*.c))
TESTS     := $(TEST_SRC:tests/%.c=$(BUILD)/tests/%)
# Tests in C++ compare with libmaxflow (GPL) or Boost: programs of their own, built when those are there.
PEER_SRC  := $(sort $(wildcard tests/test_*.cpp))
HAVE_MAXFLOW := $(call has_pkg,maxflow)
HAVE_CHECK := $(call has_pkg,check)
TESTS     += $(if $(HAVE_MAXFLOW),$(PEER_SRC:tests/%.cpp=$(BUILD)/tests/%))
# The kernel of the fastest GPU solver, as C++ on this processor. Its fibers are nothing for sanitizers.
SOFT_GPU  := $(if $(filter release,$(MODE)),$(if $(shell command -v $(CXX)),$(BUILD)/tests/test_cut_kernel))
# Everything else in tests/*.c is shared by the tests (oracle.c and its like).
AID_SRC   := $(filter-out $(TEST_SRC),$(sort $(wildcard tests/*.c)))
AID_OBJ   := $(AID_SRC:%=$(BUILD)/%.o)

SO_NAME   := libtilecut.so.$(SOVERSION)

# V=1 shows the commands in full.
Q         := $(if $(V),,@)
say        = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$@')

# ---- Building ------------------------------------------------------------------------------------

# A plain release build leaves ./tilecut and ./libtilecut.a pointing at itself; others stay in build/.
all: $(if $(CLI_SRC),$(BUILD)/tilecut) $(BUILD)/libtilecut.a $(BUILD)/$(SO_NAME)
ifeq ($(MODE),release)
	@for f in $(notdir $^); do ln -sf $(BUILD)/$$f $$f; done
else
	@echo "built in $(BUILD)/"
endif

$(BUILD)/tilecut: $(CLI_OBJ) $(BUILD)/libtilecut.a
	$(call say,LINK)
	$(Q)$(CC) $(LINK) -o $@ $^ $(IMG_LIBS) $(CUDA_LIBS) -lm
$(BUILD)/libtilecut.a: $(LIB_OBJ)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/program.a: $(filter-out %/main.c.o,$(CLI_OBJ))
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/$(SO_NAME): $(LIB_OBJ) src/tilecut.map
	$(call say,LINK)
	$(Q)$(CC) $(LINK) -shared -Wl,-soname,$(SO_NAME) -Wl,--version-script,src/tilecut.map -o $@ $(LIB_OBJ) $(CUDA_LIBS) -lm

$(BUILD)/src/cli/%.c.o: src/cli/%.c $(BUILD)/flags | $(if $(MISSING),missing)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CLI_FLAGS) -MMD -MP -c $< -o $@
# stb shifts bits out of an int on purpose when it packs a JPEG.
$(BUILD)/src/cli/image_stb.c.o: CLI_FLAGS += $(if $(filter -fsanitize=%,$(EXTRA)),-fno-sanitize=shift)
$(BUILD)/src/%.c.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(LIB_FLAGS) -MMD -MP -c $< -o $@
$(BUILD)/cuda/%.c.o: cuda/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(LIB_FLAGS) -MMD -MP -c $< -o $@
$(BUILD)/cuda/%.cu.o: cuda/%.cu $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,NVCC)
	$(Q)$(NVCC) $(NVCC_ALL) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

$(BUILD)/tests/%.c.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(STD) $(WARN_C) $(EXACT) $(CFLAGS) $(EXTRA) $(CPPFLAGS) -pthread $(TEST_INC) $(CHECK_INC) -MMD -MP -c $< -o $@
$(BUILD)/tests/%.cpp.o: tests/%.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX) -std=c++17 $(CXXFLAGS) $(EXACT) $(EXTRA) $(CPPFLAGS) -pthread -Wall -Wextra $(TEST_INC) $(CHECK_INC) \
	  $(patsubst -I%,-isystem %,$(shell $(PKG) --cflags maxflow)) -MMD -MP -c $< -o $@
$(TEST_SRC:tests/%.c=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/tests/%.c.o $(AID_OBJ) $(CLI_PARTS) $(BUILD)/libtilecut.a
	$(call say,LINK)
	$(Q)$(CC) $(LINK) $(WRAP) -o $@ $^ $(CHECK_LIBS) $(IMG_LIBS) $(CUDA_LIBS) -lm
# Its own functions stand in for these.
$(BUILD)/tests/test_allocation: WRAP := $(foreach f,malloc calloc realloc aligned_alloc posix_memalign mmap munmap free,-Wl,--wrap=$(f))
$(PEER_SRC:tests/%.cpp=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/tests/%.cpp.o $(AID_OBJ) $(CLI_PARTS) $(BUILD)/libtilecut.a
	$(call say,LINK)
	$(Q)$(CXX) $(LINK) -o $@ $^ $(CHECK_LIBS) $(shell $(PKG) --libs maxflow) $(IMG_LIBS) $(CUDA_LIBS) -lm
$(SOFT_GPU): tests/software_gpu/test_cut_kernel.cpp tests/software_gpu/cuda_runtime.h $(wildcard cuda/*.cuh) \
             $(BUILD)/tests/random_graph.c.o $(BUILD)/libtilecut.a $(BUILD)/flags
	$(call say,LINK)
	$(Q)$(CXX) -std=c++17 -O2 $(EXACT) -pthread -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-function -Itests/software_gpu \
	  -Isrc -Icuda -Itests -o $@ $(filter %.cpp %.o %.a,$^) $(CUDA_LIBS) -lm
CHECK_INC  = $(shell $(PKG) --cflags check)
CHECK_LIBS = $(shell $(PKG) --libs check)

# Rewritten only when the flags differ from the last build's, and then everything is compiled anew.
FLAGS_NOW  = $(CC) $(CXX) $(LIB_FLAGS) $(IMG_INC) $(LINK) $(if $(filter 1,$(HAVE_CUDA)),$(NVCC) $(NVCC_ALL))
$(BUILD)/flags: FORCE
	@mkdir -p $(@D); echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@

missing:
	@echo "tilecut: cannot build the program: $(MISSING) not found; run 'sh tools/install-deps' (Debian, Ubuntu), or see 'make config'" >&2; exit 1

cuda:
	$(MAKE) CUDA=1 all
kernels: $(filter %.cu.o,$(LIB_OBJ))

# ---- Trying and testing --------------------------------------------------------------------------

# Both install what is missing before they start, and make again so that it is found; on all cores
# unless the caller said how many.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

demo:
	@sh tools/install-deps
	@$(MAKE) --no-print-directory $(JOBS) all
	@sh tools/demo ./tilecut

# Fuzz targets: with libFuzzer for long runs, and with a driver of our own for the short one of `make check`.
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
# Each target for FUZZ_TIME seconds; FUZZ_TARGETS="png jpeg" for some of them, FUZZ_DIR=FOLDER for corpora that grow.
fuzz:
	@sh tools/install-deps --with-fuzzer
	@$(MAKE) --no-print-directory $(JOBS) MODE=fuzz CC=clang CUDA=0 BUILD=build/fuzz fuzzers-here
	@FUZZ_TIME='$(FUZZ_TIME)' FUZZ_TARGETS='$(FUZZ_TARGETS)' FUZZ_DIR='$(FUZZ_DIR)' sh tests/fuzz/run.sh build/fuzz/fuzz

check:
	@sh tools/install-deps --with-tests
	@$(MAKE) --no-print-directory $(JOBS) check-all

# All tests on a build that counts which lines ran; takes some minutes.
coverage:
	@sh tools/install-deps --with-tests --with-coverage
	@$(MAKE) --no-print-directory $(JOBS) MODE=coverage CC=gcc CUDA=0 BUILD=build/coverage check-all
	@gcovr -r . --object-directory build/coverage -f src/ --sort-uncovered 2>/dev/null || gcovr -r . -f src/

check-all: all $(SOFT_GPU) $(TESTS) $(REPLAYS)
	@TILECUT='$(abspath $(BUILD)/tilecut)' BUILD='$(BUILD)' sh tests/run.sh tests/cli/run.sh $(SOFT_GPU) $(TESTS) \
	  tests/fuzz/replay.sh tests/layers.sh

# The unit tests alone, for any mode: `make MODE=tsan check-unit`.
check-unit: $(TESTS)
	@BUILD='$(BUILD)' sh tests/run.sh $(TESTS)

# Those that have to do with threads, and the verb that has many of its own: for MODE=tsan.
THREADED  := $(filter $(addprefix $(BUILD)/,$(basename $(shell grep -l thread $(TEST_SRC) $(PEER_SRC)))),$(TESTS))
check-threads: $(THREADED) $(BUILD)/tilecut
	@BUILD='$(BUILD)' sh tests/run.sh $(THREADED)
	@TILECUT='$(abspath $(BUILD)/tilecut)' TILECUT_LIMIT=300 sh tests/cli/run.sh batch

# On a machine with a GPU: every GPU solver against the CPU, and under the sanitizer of CUDA. Needs nvcc and
# a C compiler, and no test framework or picture library.
LADDER_SRC := $(wildcard tests/device/*.c) tests/random_graph.c src/cli/failure.c $(wildcard src/cli/families*.c)
$(BUILD)/ladder: $(LADDER_SRC) $(BUILD)/libtilecut.a
	$(call say,LINK)
	$(Q)$(CC) $(STD) $(WARN_C) $(EXACT) $(LINK) -Isrc -Isrc/cli -Icuda -Itests -Itests/device -o $@ $^ $(CUDA_LIBS) -lm
check-cuda:
	@$(MAKE) --no-print-directory $(JOBS) CUDA=1 CUDA_ARCH='$(CUDA_ARCH)' ladder-here
ladder-here: $(BUILD)/ladder
	@sh tests/device/check.sh $(BUILD)/ladder

# Both at the same time: most tests keep one processor busy.
sanitize:
	@sh tools/install-deps --with-tests
	@$(MAKE) --no-print-directory $(JOBS) sanitize-memory sanitize-threads
sanitize-memory:
	@$(MAKE) --no-print-directory MODE=asan check-all
sanitize-threads:
	@$(MAKE) --no-print-directory MODE=tsan check-threads

# ---- Comparing -----------------------------------------------------------------------------------

# Peers are programs of their own (libmaxflow and LEMON are not ours to link): tools/peers/NAME.cpp or .c
# becomes $(BUILD)/peers/NAME when what it needs is there.
PEER_NEEDS_bk     := maxflow
PEER_NEEDS_lemon  := lemon
PEER_NEEDS_igraph := igraph
PEER_NEEDS_grabcut := opencv4
PEER_HEADER_boost := boost/graph/boykov_kolmogorov_max_flow.hpp
PEERS := $(basename $(notdir $(sort $(wildcard tools/peers/*.c tools/peers/*.cpp))))
PEERS_HERE = $(foreach p,$(PEERS),$(if $(and \
  $(if $(PEER_NEEDS_$(p)),$(call has_pkg,$(PEER_NEEDS_$(p))),1), \
  $(if $(PEER_HEADER_$(p)),$(call has_header,$(PEER_HEADER_$(p))),1)),$(p)))
PEER_INC   = -Isrc -Itools/peers $(if $(PEER_NEEDS_$*),$(patsubst -I%,-isystem %,$(shell $(PKG) --cflags $(PEER_NEEDS_$*))))
PEER_LIBS  = $(if $(PEER_NEEDS_$*),$(shell $(PKG) --libs $(PEER_NEEDS_$*)))

peers:
	@sh tools/install-deps --with-peers
	@$(MAKE) --no-print-directory peers-here
peers-here: $(BUILD)/libtilecut.a
	@for p in $(filter-out $(PEERS_HERE),$(PEERS)); do echo "peer $$p: skipped, its library was not found"; done
	@set -e; for p in $(PEERS_HERE); do $(MAKE) --no-print-directory $(BUILD)/peers/$$p; done
$(BUILD)/peers/%: tools/peers/%.cpp $(BUILD)/libtilecut.a
	@mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX) -std=c++17 $(CXXFLAGS) -Wall -Wextra $(PEER_INC) -pthread -o $@ $^ $(LDFLAGS) $(PEER_LIBS) $(CUDA_LIBS) -lm
$(BUILD)/peers/%: tools/peers/%.c $(BUILD)/libtilecut.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(STD) $(WARN_C) $(CFLAGS) $(PEER_INC) -pthread -o $@ $^ $(LDFLAGS) $(PEER_LIBS) $(CUDA_LIBS) -lm

BENCH_ARGS ?=
bench: all
	@$(MAKE) --no-print-directory peers-here
	./tilecut bench $(BENCH_ARGS)

# ---- Installing ----------------------------------------------------------------------------------

# A page for each row of the program's table, made from what the program says of itself.
VERBS     := $(shell sed -n 's/^    {"\([a-z]*\)", .*/\1/p' src/cli/main.c)
PAGES     := $(BUILD)/man/tilecut.1 $(VERBS:%=$(BUILD)/man/tilecut-%.1)
$(PAGES): $(BUILD)/tilecut tools/manual tools/help-rows tools/debian/changelog $(wildcard docs/man/*)
	@mkdir -p $(@D)
	$(call say,MAN)
	$(Q)sh tools/manual $< $(patsubst tilecut-%.1,%,$(filter-out tilecut.1,$(@F))) > $@
pages: $(PAGES)

COMPLETIONS := $(addprefix $(BUILD)/completions/,bash zsh fish)
$(COMPLETIONS): $(BUILD)/tilecut tools/completions tools/help-rows
	@mkdir -p $(@D)
	$(call say,SHELL)
	$(Q)sh tools/completions $(@F) $< > $@

DOCS      := LICENSE README.md $(sort $(wildcard docs/*.md))
INSTALLED := $(BINDIR)/tilecut $(INCDIR)/tilecut.h $(LIBDIR)/libtilecut.a $(LIBDIR)/libtilecut.so \
             $(LIBDIR)/$(SO_NAME) $(LIBDIR)/libtilecut.so.$(VERSION) $(LIBDIR)/pkgconfig/tilecut.pc \
             $(addprefix $(DOCDIR)/,$(DOCS)) $(addprefix $(MANDIR)/man1/,$(notdir $(PAGES))) \
             $(BASHDIR)/tilecut $(ZSHDIR)/_tilecut $(FISHDIR)/tilecut.fish

define PC_FILE
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$(INCDIR)

Name: tilecut
Description: exact foreground/background segmentation by minimum cut on the pixel grid
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -ltilecut
Libs.private: $(CUDA_LIBS) -lm -pthread
endef
export PC_FILE

install: all $(PAGES) $(COMPLETIONS)
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(LIBDIR)/pkgconfig $(INCDIR) $(DOCDIR)/docs $(MANDIR)/man1 $(BASHDIR) $(ZSHDIR) $(FISHDIR))
	install -m 755 $(BUILD)/tilecut $(DESTDIR)$(BINDIR)/tilecut
	install -m 644 src/tilecut.h $(DESTDIR)$(INCDIR)/tilecut.h
	install -m 644 $(BUILD)/libtilecut.a $(DESTDIR)$(LIBDIR)/libtilecut.a
	install -m 755 $(BUILD)/$(SO_NAME) $(DESTDIR)$(LIBDIR)/libtilecut.so.$(VERSION)
	ln -sf libtilecut.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SO_NAME)
	ln -sf $(SO_NAME) $(DESTDIR)$(LIBDIR)/libtilecut.so
	@printf '%s\n' "$$PC_FILE" > $(DESTDIR)$(LIBDIR)/pkgconfig/tilecut.pc
	install -m 644 $(filter-out docs/%,$(DOCS)) $(DESTDIR)$(DOCDIR)
	install -m 644 $(filter docs/%,$(DOCS)) $(DESTDIR)$(DOCDIR)/docs
	install -m 644 $(PAGES) $(DESTDIR)$(MANDIR)/man1
	install -m 644 $(BUILD)/completions/bash $(DESTDIR)$(BASHDIR)/tilecut
	install -m 644 $(BUILD)/completions/zsh $(DESTDIR)$(ZSHDIR)/_tilecut
	install -m 644 $(BUILD)/completions/fish $(DESTDIR)$(FISHDIR)/tilecut.fish
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig 2>/dev/null || :; fi

# Folders that others may use, too, stay.
uninstall:
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	rmdir $(DESTDIR)$(DOCDIR)/docs $(DESTDIR)$(DOCDIR) 2>/dev/null || :

# ---- Passing on ----------------------------------------------------------------------------------

# What git tracks, as it is here, with the date of the last commit: the same bytes for everyone.
DIST   := tilecut-$(VERSION)
DEBDIR ?= build/deb
dist:
	@git ls-files --error-unmatch Makefile >/dev/null 2>&1 || { echo 'make dist: needs a clone, for it packs what git tracks' >&2; exit 1; }
	@mkdir -p build
	$(Q)git ls-files -z | tar --null -T - --sort=name --format=gnu --mtime=@$$(git log -1 --format=%ct) --owner=0 --group=0 \
	  --numeric-owner --mode=u=rwX,go=rX --transform 's,^,$(DIST)/,' -cf build/$(DIST).tar
	$(Q)gzip -9nf build/$(DIST).tar
	@echo 'build/$(DIST).tar.gz'

# Debian packages, made of the tarball and nothing else.
deb: dist
	@sh tools/install-deps --with-deb
	rm -rf $(DEBDIR)
	mkdir -p $(DEBDIR)
	tar -xzf build/$(DIST).tar.gz -C $(DEBDIR)
	cp -r $(DEBDIR)/$(DIST)/tools/debian $(DEBDIR)/$(DIST)/debian
	cd $(DEBDIR)/$(DIST) && MAKEFLAGS= dpkg-buildpackage -us -uc -b
	lintian --allow-root --fail-on error $(DEBDIR)/*.changes

clean:
	rm -rf build demo tilecut libtilecut.*

# ---- Telling -------------------------------------------------------------------------------------

# $(call found,name,what it is for,yes?,version or reason)
found = @printf '  %-16s %-4s %s\n' '$(1)' '$(if $(3),yes,no)' '$(strip $(4))'
pkg_line = $(call found,$(1),,$(call has_pkg,$(2)),$(if $(call has_pkg,$(2)),$(shell $(PKG) --modversion $(2)),$(3)))

CUDA_WHY = $(if $(filter 0,$(CUDA)),CUDA=0 was asked for,$(if $(NVCC),$(if $(CUDART),$(if $(filter 1,$(HAVE_CUDA)),for compute \
           capability $(CUDA_ARCH) + PTX; $(CUDART),not in MODE=$(MODE)),nvcc has no libcudart to link with),no nvcc))

config:
	@echo 'tilecut $(VERSION), MODE=$(MODE), objects in $(BUILD)/'
	@echo '  compiler         $(shell $(CC) --version 2>/dev/null | head -n 1)'
	@echo '  CFLAGS           $(CFLAGS) $(EXTRA)'
	@echo '  PREFIX           $(PREFIX)'
	@echo 'needed by the program:'
	$(call pkg_line,libpng,libpng,no libpng.pc; Debian package libpng-dev)
	$(call pkg_line,libjpeg,libjpeg,no libjpeg.pc; Debian package libjpeg-dev)
	$(call found,stb_image_write,,$(HAVE_STB),$(if $(HAVE_STB),in $(STB_DIR),not in /usr/include/stb; Debian package libstb-dev; or set STB_HOME))
	@echo 'needed by the tests:'
	$(call pkg_line,check,check,no check.pc; Debian package check)
	$(call pkg_line,libmaxflow,maxflow,no maxflow.pc: comparing with it is skipped; Debian package libmaxflow-dev)
	$(call found,Boost graph,,$(call has_header,$(PEER_HEADER_boost)),$(if $(call has_header,$(PEER_HEADER_boost)),headers,no $(PEER_HEADER_boost); Debian package libboost-graph-dev))
	$(call found,valgrind,,$(shell command -v valgrind),$(or $(shell command -v valgrind),not in PATH; Debian package valgrind))
	$(call found,jq,,$(shell command -v jq),$(or $(shell command -v jq),not in PATH: JSON is checked less strictly; Debian package jq))
	@echo 'benchmark:'
	$(call found,gnuplot,,$(shell command -v gnuplot),$(or $(shell command -v gnuplot),not in PATH: no --plot; Debian package gnuplot-nox))
	@for p in $(PEERS_HERE); do printf '  %-16s yes\n' "$$p"; done
	@for p in $(filter-out $(PEERS_HERE),$(PEERS)); do printf '  %-16s no   what it compares with was not found; make peers\n' "$$p"; done
	@[ -n '$(PEERS)' ] || echo '  none'
	@echo 'GPU:'
	$(call found,nvcc,,$(NVCC),$(or $(NVCC),neither in PATH nor in /usr/local/cuda/bin; set NVCC=))
	$(call found,CUDA solvers,,$(and $(filter 1,$(HAVE_CUDA)),$(CUDART)),$(CUDA_WHY))

help:
	@echo 'make            the program ./tilecut, libtilecut.a and $(SO_NAME)'
	@echo 'make demo       segments every photo in images/ into demo/ (installs what is missing)'
	@echo 'make check      all tests (installs what is missing); make check-unit: the unit tests alone'
	@echo 'make check-cuda every GPU solver against the CPU, on a machine with a GPU'
	@echo 'make fuzz       libFuzzer on every reader and the whole path, FUZZ_TIME=60 seconds each (clang)'
	@echo 'make sanitize   all tests under the address and undefined-behaviour sanitizers, those with threads under thread'
	@echo 'make bench      solvers against each other and the peers; BENCH_ARGS="--sizes 512 ..."'
	@echo 'make peers      installs and builds the programs to compare with'
	@echo 'make cuda       like make, and fails unless the GPU solvers are built in'
	@echo 'make kernels    compiles the GPU solvers and links nothing: needs nvcc, and no CUDA runtime library'
	@echo 'make lint       house style, layers, shellcheck'
	@echo 'make coverage   all tests, and which lines of src/ they ran'
	@echo 'make tidy       cppcheck and clang-tidy'
	@echo 'make install    to PREFIX ($(PREFIX)), under DESTDIR; make uninstall takes it away again'
	@echo 'make pages      the man pages, made of what --help says, in $(BUILD)/man'
	@echo 'make dist       $(DIST).tar.gz of what git tracks, in build/; make deb: Debian packages of that, in $(DEBDIR)/'
	@echo 'make config     what was found on this machine, and why not'
	@echo 'make clean      removes everything that was built'
	@echo
	@echo 'CC CXX CFLAGS LDFLAGS PREFIX DESTDIR   as usual'
	@echo 'MODE=release|asan|ubsan|tsan|coverage   each builds in build/MODE'
	@echo 'CUDA=auto|0|1, CUDA_ARCH="90"           compute capabilities; default $(CUDA_ARCH)'
	@echo 'V=1                                     shows the commands in full'
	@echo 'WERROR=1                                warnings are errors'

# Looks for faults without running anything. Exceptions stand in .clang-tidy and beside what they excuse.
TIDY_SRC = $(sort $(wildcard src/*.c)) $(CLI_SRC)
tidy:
	@command -v cppcheck >/dev/null && command -v clang-tidy >/dev/null || \
	  { echo "tidy: needs cppcheck and clang-tidy; run 'sh tools/install-deps --with-lint'" >&2; exit 1; }
	$(Q)cppcheck --enable=warning,performance,portability --std=c11 -j$(shell nproc 2>/dev/null || echo 1) \
	  --inline-suppr --quiet --error-exitcode=1 -Isrc -Isrc/cli -Icuda src
	$(Q)printf '%s\n' $(TIDY_SRC) | xargs -P $(shell nproc 2>/dev/null || echo 1) -n 1 \
	  sh -c 'clang-tidy --quiet "$$0" -- $(STD) -Isrc -Isrc/cli -Icuda $(IMG_INC) 2>/dev/null'
	@echo 'tidy: $(words $(TIDY_SRC)) files, nothing found'

lint:
	@sh tests/layers.sh
	@sh tests/style.sh
	@if command -v shellcheck >/dev/null; then shellcheck -s sh -S warning $(filter-out %.c %.cpp tools/peers tools/debian,$(wildcard tools/*)) $(wildcard tests/*.sh) .ci/run; else echo 'lint: no shellcheck, skipped'; fi

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(CLI_OBJ) $(AID_OBJ) $(TEST_SRC:%=$(BUILD)/%.o) $(PEER_SRC:%=$(BUILD)/%.o))

.PHONY: all missing cuda kernels demo fuzz fuzzers-here check check-all check-unit check-threads check-cuda ladder-here sanitize sanitize-memory sanitize-threads peers peers-here bench pages install uninstall dist deb clean \
        config help lint tidy coverage FORCE
.SECONDARY:
.DELETE_ON_ERROR:
