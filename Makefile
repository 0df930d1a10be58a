# SPDX-License-Identifier: MIT
#
# Folders are the architecture: everything below src/ but src/cli and src/web is the library, src/cli the program,
# src/web the page of its editor, cuda/ the GPU solvers, tests/unit/test_*.c one Check program each. A new file in a
# folder needs no change here, and neither does a new folder. The chapters are tools/make/*.mk.
#
# `make help` lists the targets, `make config` says what was found on this machine and why not.

# ---- What the caller may set ---------------------------------------------------------------------

MODE      ?= release
CC        := $(if $(filter default undefined,$(origin CC)),$(if $(shell command -v cc),cc,gcc),$(CC))
# By one name whether it is there yet or not: flags that change compile everything anew.
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

# Every mode has its own flags and its own folder, so that objects of two modes never mix. What sanitizers report names
# lines, for which -g1 is enough: smaller objects, faster links.
MODE_CFLAGS_release  := -O3 -g
MODE_CFLAGS_asan     := -O1 -g1
MODE_CFLAGS_ubsan    := -O1 -g1
MODE_CFLAGS_tsan     := -O1 -g1
MODE_CFLAGS_coverage := -O0 -g
MODE_EXTRA_asan      := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
MODE_EXTRA_ubsan     := -fsanitize=undefined -fno-sanitize-recover=undefined
MODE_EXTRA_tsan      := -fsanitize=thread -fno-omit-frame-pointer
MODE_EXTRA_coverage  := --coverage
# libFuzzer is clang's; the harnesses are linked with -fsanitize=fuzzer. FUZZ_SEES is what it sees of a run, by default
# also what is compared with what; tests on the same objects run faster when it sees edges alone.
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
