# SPDX-License-Identifier: MIT
#
# detect.mk - what this machine has.

# The version numbers, such as 1.0.0, and the suffix of a pre-release.
NUMBERS   := $(shell sed -n 's/^.define TILECUT_VERSION_[MP][A-Z]* *\([0-9]\)/\1/p' src/tilecut.h | paste -s -d .)
VERSION   := $(NUMBERS)$(shell sed -n 's/^.define TILECUT_VERSION_PRE *"\(.*\)".*/\1/p' src/tilecut.h)
SOVERSION := $(shell sed -n 's/^.define TILECUT_SOVERSION *//p' src/tilecut.h)

has_pkg    = $(shell command -v $(PKG) >/dev/null 2>&1 && $(PKG) --exists $(1) 2>/dev/null && echo 1)
has_header = $(shell echo '$(hash)include <$(1)>' | $(CXX) -E -x c++ - >/dev/null 2>&1 && echo 1)
hash      := \#
comma     := ,
empty     :=
space     := $(empty) $(empty)

HAVE_PNG  := $(call has_pkg,libpng)
HAVE_JPEG := $(call has_pkg,libjpeg)
HAVE_ZLIB := $(call has_pkg,zlib)
HAVE_MHD  := $(call has_pkg,libmicrohttpd)
# Debian's libnifti has no .pc file, and its headers are in a separate folder.
NIFTI_DIR := $(firstword $(wildcard $(patsubst %,%/nifti,/usr/include /usr/local/include $(NIFTI_HOME))))
HAVE_NIFTI := $(if $(HAVE_ZLIB),$(if $(wildcard $(NIFTI_DIR)/nifti2_io.h),1))
# Since 4.5 libtiff has error handlers for each file, which threads need.
HAVE_TIFF := $(call has_pkg,'libtiff-4 >= 4.5')
HAVE_MPI  := $(call has_pkg,ompi-c)
HAVE_WEBP := $(call has_pkg,libwebp libwebpdemux libwebpmux)
# Only headers are needed, because the library is loaded when a file needs it.
HAVE_HEIF := $(call has_pkg,libheif)
# Debian's gdcm has no .pc file either. It is written in C++.
GDCM_DIR  := $(lastword $(sort $(wildcard $(patsubst %,%/gdcm-3.*,/usr/include /usr/local/include $(GDCM_HOME)))))
HAVE_GDCM := $(if $(WINDOWS)$(STATIC),,$(if $(wildcard $(GDCM_DIR)/gdcmImageReader.h),$(if $(shell command -v $(CXX)),1)))
STB_DIR   := $(firstword $(wildcard $(patsubst %,%/stb,/usr/include /usr/local/include $(STB_HOME))))
HAVE_STB  := $(if $(and $(wildcard $(STB_DIR)/stb_image_write.h),$(wildcard $(STB_DIR)/stb_image.h)),1)
MISSING   := $(if $(HAVE_PNG),,libpng) $(if $(HAVE_JPEG),,libjpeg) $(if $(HAVE_STB),,stb_image.h and stb_image_write.h)
MISSING   := $(strip $(MISSING))

NVCC      ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
# $(call files,FOLDERS,PATTERN): every file below FOLDERS whose name matches PATTERN.
files      = $(sort $(shell find $(1) -name '$(2)' 2>/dev/null))
# Every folder with headers below FOLDERS, as -I options, so that headers are included by name.
header_dirs = $(addprefix -I,$(sort $(patsubst %/,%,$(dir $(call files,$(1),*.h) $(call files,$(1),*.cuh)))))
CUDA_SRC  := $(call files,cuda,*.cu)
# The CUDA runtime, where nvcc itself (toolkits differ in their folders) or the C compiler would look for it. The static
# library is preferred, so that the program runs without a toolkit.
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
