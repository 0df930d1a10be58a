# SPDX-License-Identifier: MIT
#
# The folders are the architecture: src/ is the library, except for src/cli (the program) and src/web (the page of its
# editor); cuda/ has the GPU solvers, and each tests/unit/test_*.c is a Check program. A new file or folder needs no
# change here. The chapters are tools/make/*.mk.
#
# `make help` lists the targets; `make config` shows what was found on this machine, and why the rest was not.

# ---- What the caller may set ---------------------------------------------------------------------

MODE      ?= release
CC        := $(if $(filter default undefined,$(origin CC)),$(if $(shell command -v cc),cc,gcc),$(CC))
# The name is the same whether a C++ compiler is installed or not, because a change of flags compiles everything anew.
CXX       := $(if $(filter default undefined,$(origin CXX)),c++,$(CXX))
PKG       ?= pkg-config
PYTHON    ?= $(firstword $(wildcard /usr/bin/python3) python3)
PREFIX    ?= /usr/local
BINDIR    ?= $(PREFIX)/bin
LIBDIR    ?= $(PREFIX)/lib
CMAKEDIR  ?= $(LIBDIR)/cmake/tilecut
INCDIR    ?= $(PREFIX)/include
MANDIR    ?= $(PREFIX)/share/man
DOCDIR    ?= $(PREFIX)/share/doc/tilecut
BASHDIR   ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR    ?= $(PREFIX)/share/zsh/site-functions
FISHDIR   ?= $(PREFIX)/share/fish/vendor_completions.d
CUDA      ?= auto
WERROR    ?=

# Every mode has its own flags and its own folder, so that objects of two modes never mix. Sanitizers report lines, for
# which -g1 is enough; it makes objects smaller and links faster.
MODE_CFLAGS_release  := -O3 -g
MODE_CFLAGS_asan     := -O1 -g1
MODE_CFLAGS_ubsan    := -O1 -g1
MODE_CFLAGS_tsan     := -O1 -g1
MODE_CFLAGS_coverage := -O0 -g
MODE_EXTRA_asan      := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
MODE_EXTRA_ubsan     := -fsanitize=undefined -fno-sanitize-recover=undefined
MODE_EXTRA_tsan      := -fsanitize=thread -fno-omit-frame-pointer
MODE_EXTRA_coverage  := --coverage
# libFuzzer comes with clang; the harnesses are linked with -fsanitize=fuzzer. FUZZ_SEES selects what it observes, by
# default comparisons as well; tests on the same objects run faster if it observes only edges.
FUZZ_SEES ?= -fsanitize=fuzzer-no-link
MODE_CFLAGS_fuzz     := -O1 -g1
MODE_EXTRA_fuzz      := -fsanitize=address,undefined $(FUZZ_SEES) -fno-sanitize-recover=undefined -fno-omit-frame-pointer
ifeq ($(MODE_CFLAGS_$(MODE)),)
  $(error MODE=$(MODE): there is release, asan, ubsan, tsan, coverage and fuzz)
endif
CFLAGS    ?= $(MODE_CFLAGS_$(MODE))
CXXFLAGS  ?= $(MODE_CFLAGS_$(MODE))
EXTRA     := $(MODE_EXTRA_$(MODE))

# The first target is `all`, of build.mk.
.DEFAULT_GOAL := all
include tools/make/detect.mk
include tools/make/flags.mk
include tools/make/objects.mk
include tools/make/build.mk
include tools/make/web.mk
include tools/make/npm.mk
include tools/make/site.mk
include tools/make/test.mk
include tools/make/peers.mk
include tools/make/plugins.mk
include tools/make/install.mk
include tools/make/python.mk
include tools/make/package.mk
include tools/make/windows.mk
include tools/make/release.mk
include tools/make/tell.mk
