# SPDX-License-Identifier: MIT
#
# flags.mk - how everything is compiled.

WARN      := -Wall -Wextra -Wpedantic -Wconversion -Wshadow $(if $(WERROR),-Werror)
WARN_C    := $(WARN) -Wmissing-prototypes -Wstrict-prototypes
# No contraction to fused multiply-add: the same rounding on every machine, so the same graph bit for bit. Nobody
# looks at the flags that floating-point exceptions raise, and without them loops with comparisons are vector loops.
EXACT     := -ffp-contract=off -fno-trapping-math
STD       := -std=c11 -D_GNU_SOURCE
# The program sees of the library its one door.
LIB_INC   := $(filter-out -Isrc/cli% -Isrc/web% -Isrc/windows% -Isrc/python%,$(call header_dirs,src cuda))
CLI_INC   := -Isrc $(call header_dirs,src/cli)
# No call of the library takes more than 64 KB of stack: tests/unit/test_stack.c measures whole calls, this finds the
# function. Frames of other modes are larger than those that users get.
FRAME     := $(if $(filter release,$(MODE)),-Wframe-larger-than=20480)
# What makes an overrun end the program and not go on: HARDEN=0 leaves it out (docs/lab/performance.md has what it costs).
# Sanitizers do more, and checked functions need an optimising compiler. Who has a level of his own keeps it.
HARDEN    ?= $(if $(filter release,$(MODE)),1,0)
FORTIFY   := $(if $(and $(filter 1,$(HARDEN)),$(filter -O1 -O2 -O3 -Os -Og -Ofast,$(CFLAGS))),$(if $(findstring \
             _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3))
# What this compiler has for this processor: stacks that are touched page by page, and tables of valid jump targets.
GUARDS    := $(foreach f,-fstack-clash-protection -fcf-protection -mbranch-protection=standard,$(shell $(CC) -Werror $(f) -x c -c \
             /dev/null -o /dev/null 2>/dev/null && echo $(f)))
HARD_C    := $(if $(filter 1,$(HARDEN)),$(FORTIFY) -fstack-protector-strong $(GUARDS))
HARD_LINK := $(if $(filter 1,$(HARDEN)),-Wl$(comma)-z$(comma)relro -Wl$(comma)-z$(comma)now)
# Nobody's folders are in what is built: two builds of one source are the same bits.
HARD_C    += -ffile-prefix-map=$(CURDIR)=.
LIB_FLAGS := $(STD) $(WARN_C) $(FRAME) $(EXACT) $(HARD_C) $(CFLAGS) $(EXTRA) $(CPPFLAGS) -pthread -fPIC -fvisibility=hidden \
             $(LIB_INC)
# What is read and written only where its library is found.
MORE_PKG  := $(if $(HAVE_TIFF),libtiff-4) $(if $(HAVE_WEBP),libwebp libwebpdemux libwebpmux) \
             $(if $(HAVE_ZLIB),zlib)
# What the program loads by its name when it is needed.
LOAD_PKG  := $(if $(HAVE_HEIF),libheif) $(if $(HAVE_MHD),libmicrohttpd)
# -isystem: the warnings of other people's headers are not ours.
IMG_INC   := $(if $(MISSING),,$(patsubst -I%,-isystem %,$(shell $(PKG) --cflags libpng libjpeg $(MORE_PKG) $(LOAD_PKG))) \
             -isystem $(STB_DIR) $(if $(HAVE_NIFTI),-isystem $(NIFTI_DIR)))
IMG_LIBS  := $(if $(MISSING),,$(if $(HAVE_NIFTI),-lnifti2 -lznz) $(shell $(PKG) --libs libpng libjpeg $(MORE_PKG)))
CLI_FLAGS := $(STD) $(WARN_C) $(EXACT) $(HARD_C) $(CFLAGS) $(EXTRA) $(CPPFLAGS) -pthread $(CLI_INC) $(IMG_INC)
TEST_INC  := $(LIB_INC) $(filter-out $(LIB_INC),$(CLI_INC)) $(call header_dirs,tests/unit) $(IMG_INC)
# STATIC=1: one file with everything inside, the C library, too. Nothing is loaded by its name, so without HEIC and MPI.
# Threads get as much stack as those of glibc. STATIC=images: only the image libraries are inside.
STATIC    ?=
ifneq ($(STATIC),)
  CLI_FLAGS += $(if $(filter 1,$(STATIC)),-DTILECUT_STATIC)
  IMG_LIBS  := $(if $(HAVE_NIFTI),-lnifti2 -lznz) $(shell $(PKG) --static --libs libpng libjpeg $(MORE_PKG) $(if $(HAVE_MHD),libmicrohttpd))
endif
LINK      := $(CFLAGS) $(EXTRA) $(HARD_LINK) $(if $(filter 1,$(STATIC)),-static -Wl$(comma)-z$(comma)stack-size=8388608) $(LDFLAGS) -pthread

# Compute capabilities: those of the GPUs that are here, which compiles in a fraction of the time, or else all that this
# nvcc knows of those that a program for others should have. CUDA_ARCH='75 90' chooses.
CUDA_MANY := 75 80 86 89 90 100 120
ifeq ($(origin CUDA_ARCH),undefined)
  CUDA_KNOWN := $(if $(filter 1,$(HAVE_CUDA)),$(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch 2>/dev/null)))
  CUDA_HERE  := $(if $(CUDA_KNOWN),$(sort $(subst .,,$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null))))
  CUDA_ARCH  := $(or $(filter $(CUDA_HERE),$(CUDA_KNOWN)),$(filter $(CUDA_KNOWN),$(CUDA_MANY)),$(CUDA_MANY))
endif
export CUDA_ARCH
CUDA_LAST  = $(lastword $(CUDA_ARCH))
NVCCFLAGS ?= -O3 -lineinfo
NVCC_ALL   = $(NVCCFLAGS) -std=c++17 -fmad=false -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra $(LIB_INC) \
             $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) \
             -gencode arch=compute_$(CUDA_LAST),code=compute_$(CUDA_LAST)
CUDA_LIBS := $(if $(filter 1,$(HAVE_CUDA)),$(if $(filter %.so,$(CUDART)),-Wl$(comma)-rpath$(comma)$(dir $(CUDART))) $(CUDART) \
             -lstdc++ -ldl -lrt)
