# SPDX-License-Identifier: MIT
#
# tell.mk - config, help, lint, tidy.

# $(call found,name,what it is for,yes?,version or reason)
found = @printf '  %-16s %-4s %s\n' '$(1)' '$(if $(3),yes,no)' '$(strip $(4))'
pkg_line = $(call found,$(1),,$(call has_pkg,$(2)),$(if $(call has_pkg,$(2)),$(shell $(PKG) --modversion $(2) | head -n 1),$(3)))

CUDA_WHY = $(if $(filter 0,$(CUDA)),CUDA=0 was asked for,$(if $(NVCC),$(if $(CUDART),$(if $(filter 1,$(HAVE_CUDA)),for compute \
           capability $(CUDA_ARCH) + PTX; $(CUDART),not in MODE=$(MODE)),nvcc has no libcudart to link with),no nvcc))

# Debian's package has version 3.0.5, but its maxflow.pc still says 3.0.4.
MAXFLOW_VERSION = $(if $(call has_pkg,maxflow),$(or $(shell dpkg-query -W -f '$${source:Upstream-Version}' \
                  libmaxflow-dev 2>/dev/null),$(shell $(PKG) --modversion maxflow)))

MPI4PY = $(shell $(PYTHON) -c 'import mpi4py; print(mpi4py.__version__)' 2>/dev/null)
# The program loads NCCL by name at run time, so it is only reported here.
NCCL = $(shell PATH=$$PATH:/sbin ldconfig -p 2>/dev/null | sed -n 's/.*=> \(.*libnccl.so.2\)$$/\1/p' | head -n 1)
DISTRIBUTED = $(shell $(PYTHON) -c 'import distributed; print(distributed.__version__)' 2>/dev/null)

config:
	@echo 'tilecut $(VERSION), MODE=$(MODE), objects in $(BUILD)/'
	@echo '  compiler         $(shell $(CC) --version 2>/dev/null | head -n 1)'
	@echo '  CFLAGS           $(CFLAGS) $(EXTRA)'
	@echo '  hardening        $(if $(filter 1,$(HARDEN)),$(HARD_C) $(HARD_LINK),none: HARDEN=$(HARDEN))'
	@echo '  PREFIX           $(PREFIX)'
	@echo 'needed by the program:'
	$(call pkg_line,libpng,libpng,no libpng.pc; Debian package libpng-dev)
	$(call pkg_line,libjpeg,libjpeg,no libjpeg.pc; Debian package libjpeg-dev)
	$(call found,stb_image,,$(HAVE_STB),$(if $(HAVE_STB),in $(STB_DIR),not in /usr/include/stb; Debian package libstb-dev; or set STB_HOME))
	@echo "pictures that are read and written if the library is there:"
	$(call pkg_line,libtiff,'libtiff-4 >= 4.5',TIFF is only refused: no libtiff-4.pc of 4.5 or later; Debian package libtiff-dev)
	$(call pkg_line,libwebp,libwebp libwebpdemux libwebpmux,WebP is only refused: no libwebp.pc; Debian package libwebp-dev)
	$(call pkg_line,libheif,libheif,HEIC and AVIF are only refused: no libheif.pc; Debian package libheif-dev)
	@echo "volumes that are read and written if the library is there:"
	$(call found,libnifti,,$(HAVE_NIFTI),$(if $(HAVE_NIFTI),in $(NIFTI_DIR),NIfTI is only refused: no nifti/nifti2_io.h$(if $(HAVE_ZLIB),, or no zlib); Debian package libnifti-dev; or set NIFTI_HOME))
	$(call found,gdcm,,$(HAVE_GDCM),$(if $(HAVE_GDCM),in $(GDCM_DIR),DICOM is only refused: no gdcm-3.*/gdcmImageReader.h$(comma) or no C++ compiler; Debian package libgdcm-dev; or set GDCM_HOME))
	@echo "one image over several processes:"
	$(call pkg_line,Open MPI,ompi-c,no ompi-c.pc: mpirun is only refused; Debian package libopenmpi-dev)
	$(call found,NCCL,,$(NCCL),$(or $(NCCL),no libnccl.so.2: rows between GPUs go without it (--exchange peer)))
	@echo "needed by the verb edit:"
	$(call pkg_line,zlib,zlib,no zlib.pc: graphs packed by gzip have to be unpacked first; Debian package zlib1g-dev)
	$(call pkg_line,libmicrohttpd,libmicrohttpd,no libmicrohttpd.pc: tilecut edit only says so; Debian package libmicrohttpd-dev)
	@echo 'needed by the tests:'
	$(call pkg_line,check,check,no check.pc; Debian package check)
	$(call found,libmaxflow,,$(call has_pkg,maxflow),$(or $(MAXFLOW_VERSION),no maxflow.pc: comparing with it is skipped; Debian package libmaxflow-dev))
	$(call found,Boost graph,,$(call has_header,$(PEER_HEADER_boost)),$(if $(call has_header,$(PEER_HEADER_boost)),headers,no $(PEER_HEADER_boost); Debian package libboost-graph-dev))
	$(call found,valgrind,,$(shell command -v valgrind),$(or $(shell command -v valgrind),not in PATH; Debian package valgrind))
	$(call found,jq,,$(shell command -v jq),$(or $(shell command -v jq),not in PATH: JSON is checked less strictly; Debian package jq))
	$(call found,CMake,,$(shell command -v cmake),$(or $(shell command -v cmake),not in PATH: find_package(tilecut) is not tested; Debian package cmake))
	$(call found,GNU parallel,,$(shell command -v parallel),$(or $(shell command -v parallel),not in PATH: an example of pipelines.md is not run; Debian package parallel))
	$(call found,ffmpeg,,$(shell command -v ffmpeg),$(or $(shell command -v ffmpeg),not in PATH: the commands of video.md are not run; Debian package ffmpeg))
	$(call found,mpi4py,,$(MPI4PY),$(or $(MPI4PY),no such module: parts over its communicators are not tested; Debian package python3-mpi4py))
	$(call found,distributed,,$(DISTRIBUTED),$(or $(DISTRIBUTED),no such module: the example with Dask is not run; Debian package python3-distributed))
	@echo 'benchmark:'
	$(call found,gnuplot,,$(shell command -v gnuplot),$(or $(shell command -v gnuplot),not in PATH: no --plot; Debian package gnuplot-nox))
	@for p in $(PEERS_HERE); do printf '  %-16s yes\n' "$$p"; done
	@for p in $(filter-out $(PEERS_HERE),$(PEERS)); do printf '  %-16s no   what it compares with was not found; make peers\n' "$$p"; done
	@[ -n '$(PEERS)' ] || echo '  none'
	@echo 'the editor as a page (make web):'
	$(call found,clang for wasm,,$(if $(WASM_LACKS),,1),$(if $(WASM_LACKS),without $(WASM_LACKS); sh tools/install-deps --with-web,$(WASM_CC)))
	$(call found,browser,,$(and $(CHROMIUM),$(NODE)),$(if $(and $(CHROMIUM),$(NODE)),$(CHROMIUM),no chromium or no node: the page is not tested; sh tools/install-deps --with-browser))
	@echo 'GPU:'
	$(call found,nvcc,,$(NVCC),$(or $(NVCC),neither in PATH nor in /usr/local/cuda/bin; set NVCC=))
	$(call found,CUDA solvers,,$(and $(filter 1,$(HAVE_CUDA)),$(CUDART)),$(CUDA_WHY))

help:
	@echo 'make            the program ./tilecut, libtilecut.a and $(SO_NAME)'
	@echo 'make demo       segments every photo in images/ into demo/ (installs what is missing)'
	@echo 'make check      all tests (installs what is missing); make check-unit: the unit tests alone'
	@echo 'make check-cuda every GPU solver against the CPU, on a machine with a GPU'
	@echo 'make sweep      COUNT=5000 random instances against independent solvers, SWEEP_JOBS processes at a time'
	@echo 'make fuzz       libFuzzer on every reader and the whole path, FUZZ_TIME=60 seconds each (clang)'
	@echo 'make corpus     reads every file below DIR=FOLDER beside Pillow, tifffile and nibabel'
	@echo 'make sanitize   all tests under the address and undefined-behaviour sanitizers, those with threads under thread'
	@echo 'make sanitize-clang   under those of clang'
	@echo 'make bench      solvers against each other and the peers; BENCH_ARGS="--sizes 512 ..."'
	@echo 'make web        the editor as a page with WebAssembly, in $(WEB)/, for any static host; make check-web: in a browser'
	@echo 'make npm        the package for npm, $(NPM_TGZ); make check-npm: in node'
	@echo 'make site       README, guide, headers and commands as a site, with the editor, in $(SITE)/html (installs what is missing)'
	@echo 'make gimp-plugin  the plug-in for GIMP 2.10 (tools/plugins/README.md)'
	@echo 'make peers      installs and builds the programs to compare with'
	@echo 'make cuda       like make, and fails unless the GPU solvers are built in'
	@echo 'make kernels    compiles the GPU solvers and links nothing: needs nvcc, and no CUDA runtime library'
	@echo 'make lint       house style, shellcheck'
	@echo 'make coverage   all tests, and which lines of src/ they ran'
	@echo 'make tidy       cppcheck and clang-tidy'
	@echo 'make install    to PREFIX ($(PREFIX)), under DESTDIR; make uninstall takes it away again'
	@echo 'make install-library   its library, headers and what pkg-config and CMake ask for: needs a C compiler only'
	@echo 'make pages      the man pages, made of what --help says, in $(BUILD)/man'
	@echo 'make dist       $(DIST).tar.gz of what git tracks, in build/; make deb: Debian packages of that, in $(DEBDIR)/'
	@echo 'make release    all that is built for others in $(RELEASE)/, with sums, SPDX and licences; make wheels, sdist, oci: parts of it'
	@echo 'make oci-cuda   an image for containers with the GPU solvers, for x86_64, there; needs nvcc'
	@echo 'make static     the program for Linux as one file, x86_64 and aarch64, in $(RELEASE)/'
	@echo 'make windows    the program for Windows, x86_64, in a zip there'
	@echo 'make recipes    recipes of that for Homebrew, conda and vcpkg, in build/recipes; URL=https://.../$(DIST).tar.gz'
	@echo 'make sbom       the libraries of this build as SPDX, $(BUILD)/tilecut.spdx'
	@echo 'make config     what was found on this machine, and why not'
	@echo 'make clean      removes everything that was built'
	@echo
	@echo 'CC CXX CFLAGS LDFLAGS PREFIX DESTDIR   as usual'
	@echo 'MODE=release|asan|ubsan|tsan|coverage   each builds in build/MODE'
	@echo 'CUDA=auto|0|1, CUDA_ARCH="90"           compute capabilities; default those of the GPUs here,'
	@echo '                                        or, where none is, $(CUDA_MANY)'
	@echo 'V=1                                     shows the commands in full'
	@echo 'WERROR=1                                warnings are errors'
	@echo 'HARDEN=0                                no stack protector, no checked functions, no early binding'

# Looks for faults without running anything. Exceptions are in .clang-tidy and next to the code that they excuse. One is
# here: cppcheck assumes that loops over directions can reach 8, where they end. TIDY_NODES limits the paths through a
# function that clang's analyzer follows: 40000 instead of its default of 225000 takes a quarter of the time.
# TIDY_CACHE, an existing folder, remembers files that have passed, which are then skipped.
TIDY_NODES =
TIDY_CACHE =
TIDY_SRC = $(filter src/%,$(filter-out src/cli/%,$(LIB_SRC))) $(CLI_SRC)
tidy:
	@command -v cppcheck >/dev/null && command -v clang-tidy >/dev/null || \
	  { echo "tidy: needs cppcheck and clang-tidy; run 'sh tools/install-deps --with-lint'" >&2; exit 1; }
	$(Q)cppcheck --enable=warning,performance,portability --std=c11 -j$(shell nproc 2>/dev/null || echo 1) \
	  --inline-suppr --suppress=arrayIndexOutOfBoundsCond:src/grid/steps.h \
	  --suppress=arrayIndexOutOfBoundsCond:src/grid/tile_board.h --quiet --error-exitcode=1 $(LIB_INC) $(CLI_INC) -Isrc/web \
	  $(TIDY_CACHE:%=--cppcheck-build-dir=%) src
	$(Q)printf '%s\n' $(TIDY_SRC) | xargs -P $(shell nproc 2>/dev/null || echo 1) -n 1 \
	  sh -c 'TIDY_CACHE="$(TIDY_CACHE)" sh tools/tidy-file "$$0" $(STD) $(LIB_INC) $(CLI_INC) $(IMG_INC) \
	  $(TIDY_NODES:%=-Xclang -analyzer-config -Xclang max-nodes=%)'
	@echo 'tidy: $(words $(TIDY_SRC)) files, nothing found'

lint:
	@sh tests/style.sh
	@if command -v shellcheck >/dev/null; then shellcheck -s sh -S warning $(shell grep -ls '^.!/bin/sh' $(wildcard tools/* tools/release/*)) $(wildcard tests/*.sh) .ci/run .ci/nightly; else echo 'lint: no shellcheck, skipped'; fi

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(CLI_OBJ) $(AID_OBJ) $(TEST_SRC:%=$(BUILD)/%.o) $(PEER_SRC:%=$(BUILD)/%.o))

.PHONY: all missing cuda kernels demo fuzz fuzzers-here corpus sweep check check-all tests-built check-unit check-threads check-cuda ladder-here sanitize sanitize-memory sanitize-threads sanitize-clang peers peers-here bench pages install install-library uninstall dist recipes deb clean \
        config help lint tidy coverage FORCE
.SECONDARY:
.DELETE_ON_ERROR:
