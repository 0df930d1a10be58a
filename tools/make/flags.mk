# SPDX-License-Identifier: MIT
#
# flags.mk - how everything is compiled.

WARN      := -Wall -Wextra -Wpedantic -Wconversion -Wshadow $(if $(WERROR),-Werror)
WARN_C    := $(WARN) -Wmissing-prototypes -Wstrict-prototypes
# Multiplications and additions are not fused, so every machine rounds alike and gets the same graph bit for bit. No
# code reads the floating-point exception flags, and without them loops with comparisons can be vectorised.
EXACT     := -ffp-contract=off -fno-trapping-math
STD       := -std=c11 -D_GNU_SOURCE
# The program sees only the public headers of the library.
LIB_INC   := $(filter-out -Isrc/cli% -Isrc/web% -Isrc/windows% -Isrc/python%,$(call header_dirs,src cuda))
CLI_INC   := -Isrc $(call header_dirs,src/cli)
# No call of the library takes more than 64 KB of stack. tests/unit/test_stack.c measures whole calls; this warning
# finds the function. Other modes have larger frames than those that users get.
FRAME     := $(if $(filter release,$(MODE)),-Wframe-larger-than=20480)
# These flags make an overrun end the program. HARDEN=0 leaves them out (docs/lab/performance.md has their cost).
# Sanitizers do more, and checked functions need an optimising compiler. A FORTIFY level set by the user is kept.
HARDEN    ?= $(if $(filter release,$(MODE)),1,0)
FORTIFY   := $(if $(and $(filter 1,$(HARDEN)),$(filter -O1 -O2 -O3 -Os -Og -Ofast,$(CFLAGS))),$(if $(findstring \
             _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3))
# The guards that this compiler has for this processor: touching the stack page by page, and tables of valid jump
# targets.
GUARDS    := $(foreach f,-fstack-clash-protection -fcf-protection -mbranch-protection=standard,$(shell $(CC) -Werror $(f) -x c -c \
             /dev/null -o /dev/null 2>/dev/null && echo $(f)))
HARD_C    := $(if $(filter 1,$(HARDEN)),$(FORTIFY) -fstack-protector-strong $(GUARDS))
HARD_LINK := $(if $(filter 1,$(HARDEN)),-Wl$(comma)-z$(comma)relro -Wl$(comma)-z$(comma)now)
# No folder names end up in the built files, so two builds of the same source are identical.
HARD_C    += -ffile-prefix-map=$(CURDIR)=.
LIB_FLAGS := $(STD) $(WARN_C) $(FRAME) $(EXACT) $(HARD_C) $(CFLAGS) $(EXTRA) $(CPPFLAGS) -pthread -fPIC -fvisibility=hidden \
             $(LIB_INC)
# Formats that are supported only if their library is found.
MORE_PKG  := $(if $(HAVE_TIFF),libtiff-4) $(if $(HAVE_WEBP),libwebp libwebpdemux libwebpmux) \
             $(if $(HAVE_ZLIB),zlib)
# Libraries that the program loads by name when it needs them.
LOAD_PKG  := $(if $(HAVE_HEIF),libheif) $(if $(HAVE_MHD),libmicrohttpd)
# -isystem turns off warnings in the headers of other projects.
IMG_INC   := $(if $(MISSING),,$(patsubst -I%,-isystem %,$(shell $(PKG) --cflags libpng libjpeg $(MORE_PKG) $(LOAD_PKG))) \
             -isystem $(STB_DIR) $(if $(HAVE_NIFTI),-isystem $(NIFTI_DIR)))
IMG_LIBS  := $(if $(MISSING),,$(if $(HAVE_NIFTI),-lnifti2 -lznz) $(shell $(PKG) --libs libpng libjpeg $(MORE_PKG)))
CLI_FLAGS := $(STD) $(WARN_C) $(EXACT) $(HARD_C) $(CFLAGS) $(EXTRA) $(CPPFLAGS) -pthread $(CLI_INC) $(IMG_INC)
TEST_INC  := $(LIB_INC) $(filter-out $(LIB_INC),$(CLI_INC)) $(call header_dirs,tests/unit) $(IMG_INC)
# STATIC=1 builds one file that contains everything, even the C library. It cannot load libraries by name, so it lacks
# HEIC and MPI. Threads get as much stack as with glibc. STATIC=images links only the image libraries statically.
STATIC    ?=
ifneq ($(STATIC),)
  CLI_FLAGS += $(if $(filter 1,$(STATIC)),-DTILECUT_STATIC)
  IMG_LIBS  := $(if $(HAVE_NIFTI),-lnifti2 -lznz) $(shell $(PKG) --static --libs libpng libjpeg $(MORE_PKG) $(if $(HAVE_MHD),libmicrohttpd))
endif
LINK      := $(CFLAGS) $(EXTRA) $(HARD_LINK) $(if $(filter 1,$(STATIC)),-static -Wl$(comma)-z$(comma)stack-size=8388608) $(LDFLAGS) -pthread

# Compute capabilities: those of the GPUs in this machine, which compile in a fraction of the time, or else all of
# CUDA_MANY that this nvcc supports. CUDA_ARCH='75 90' chooses.
CUDA_MANY := 75 80 86 89 90 100 120
ifeq ($(origin CUDA_ARCH),undefined)
  CUDA_KNOWN := $(if $(filter 1,$(HAVE_CUDA)),$(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch 2>/dev/null)))
  CUDA_HERE  := $(if $(CUDA_KNOWN),$(sort $(subst .,,$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null))))
  CUDA_ARCH  := $(or $(filter $(CUDA_HERE),$(CUDA_KNOWN)),$(filter $(CUDA_KNOWN),$(CUDA_MANY)),$(CUDA_MANY))
endif
export CUDA_ARCH
CUDA_LAST  = $(lastword $(CUDA_ARCH))
# For a profiler NVCCFLAGS='-O3 -lineinfo' names the lines; it also writes the folder of the build into the files.
NVCCFLAGS ?= -O3
NVCC_ALL   = $(NVCCFLAGS) -std=c++17 -fmad=false -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra $(LIB_INC) \
             $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) \
             -gencode arch=compute_$(CUDA_LAST),code=compute_$(CUDA_LAST)
CUDA_LIBS := $(if $(filter 1,$(HAVE_CUDA)),$(if $(filter %.so,$(CUDART)),-Wl$(comma)-rpath$(comma)$(dir $(CUDART))) $(CUDART) \
             -lstdc++ -ldl -lrt)
