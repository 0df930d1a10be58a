# SPDX-License-Identifier: MIT
#
# objects.mk - which sources go into which files.

STUB_SRC  := cuda/seam/stub.c cuda/networks/seam/stub_network.c cuda/seam/stub_parts.c
LIB_SRC   := $(filter-out src/cli/% src/web/% src/windows/% src/python/% src/mpi/%,$(call files,src,*.c)) $(if $(filter 1,$(HAVE_CUDA)),$(CUDA_SRC),$(STUB_SRC))
# Without libmicrohttpd, libtiff, libwebp, libheif, libnifti, gdcm or zlib, a replacement file reports that it is
# missing.
SERVE_OUT := $(if $(HAVE_MHD),serve_missing.c,serve.c watch.c) $(if $(WINDOWS),listen.c)
# Windows has no mpirun.
PARTS_OUT := $(if $(WINDOWS),host_exchange.c mpi_bound.c mpi_open.c shm_segment.c,mpi_missing.c)
IMAGE_OUT := $(if $(HAVE_WEBP),image_webp_missing.c,image_webp.c)
TIFF_OUT  := $(if $(HAVE_TIFF),$(if $(HAVE_ZLIB),tiff_blocks_missing.c,tiff_blocks.c),$(notdir $(wildcard src/cli/tiff/*.c)))
HEIF_OUT  := $(if $(HAVE_HEIF),image_heif_missing.c,image_heif.c heif_reader.c heif_writer.c)
DICOM_OUT := $(if $(HAVE_GDCM),scan_dicom_missing.c,scan_dicom.c dicom_child.c dicom_stack.c)
GZIP_OUT  := $(if $(HAVE_ZLIB),zlib_missing.c,gzip.c deflate.c)
SCAN_OUT  := $(if $(HAVE_NIFTI),scan_nifti_missing.c,scan_nifti.c) \
             $(if $(HAVE_TIFF),scan_tiff_missing.c,scan_tiff.c tiff_axes.c tiff_axes_ome.c)
CLI_SRC   := $(filter-out $(SERVE_OUT:%=src/cli/serve/%) $(PARTS_OUT:%=src/cli/parts/%) $(IMAGE_OUT:%=src/cli/pictures/%) $(TIFF_OUT:%=src/cli/tiff/%) \
             $(HEIF_OUT:%=src/cli/heif/%) $(DICOM_OUT:%=src/cli/dicom/%) $(if $(WINDOWS),src/cli/apart/apart.c) $(GZIP_OUT:%=src/cli/packing/%) $(SCAN_OUT:%=src/cli/scans/%),$(call files,src/cli,*.c))
LIB_OBJ   := $(LIB_SRC:%=$(BUILD)/%.o)
CLI_OBJ   := $(CLI_SRC:%=$(BUILD)/%.o) $(if $(HAVE_MHD),$(BUILD)/pages.c.o)
# The program without main(), for tests. It is an archive, so that a test links only the parts it uses.
CLI_PARTS := $(if $(CLI_OBJ),$(BUILD)/program.a)

TEST_SRC  := $(sort $(wildcard tests/unit/test_*.c))
TESTS     := $(TEST_SRC:tests/unit/%.c=$(BUILD)/tests/unit/%)
# Tests in C++ compare with libmaxflow (GPL) or Boost. They are separate programs, built if those libraries are found.
PEER_SRC  := $(sort $(wildcard tests/unit/test_*.cpp))
HAVE_MAXFLOW := $(call has_pkg,maxflow)
HAVE_CHECK := $(call has_pkg,check)
TESTS     += $(if $(HAVE_MAXFLOW),$(PEER_SRC:tests/%.cpp=$(BUILD)/tests/%))
# Tests that simulate a device say so in their first lines.
OWN_DEVICE := $(addprefix $(BUILD)/,$(basename $(shell grep -l "^ \* Device: its own" $(TEST_SRC))))
# The kernel of the fastest GPU solver, compiled as C++ for this processor. Sanitizers cannot follow its fibers, so it
# is for release builds only.
SOFT_GPU  := $(if $(filter release,$(MODE)),$(if $(shell command -v $(CXX)),$(patsubst tests/unit/software_gpu/%.cpp, \
             $(BUILD)/tests/unit/%,$(wildcard tests/unit/software_gpu/*.cpp))))
# The host code around kernels, also needed for parts of an image or volume on devices, and for `hybrid`.
SOFT_CU   := $(addprefix cuda/,grid/device_grid.cu base/device_lane.cu base/device_staging.cu base/device_memory.cu \
             tiles/tiles_solver.cu tiles/hybrid_device.cu parts/device_part.cu parts/part_borders.cu parts/across.cu \
             parts/part_nearness.cu $(addprefix model/,device_graph.cu hybrid_graph.cu device_training.cu \
             device_islands.cu device_build.cu device_certify.cu device_nearness.cu device_evidence.cu device_rows.cu)) \
             $(wildcard tests/unit/software_gpu/objects/*.cpp)
SOFT_OBJ  := $(SOFT_CU:%=$(BUILD)/soft/%.o)

# The other files tests/unit/*.c are shared by the tests (for example random_graph.c).
AID_SRC   := $(filter-out $(TEST_SRC),$(sort $(wildcard tests/unit/*.c)))
AID_OBJ   := $(AID_SRC:%=$(BUILD)/%.o)

# The public headers, each after the ones that it includes.
DOORS     := src/tilecut_types.h src/tilecut.h $(addprefix src/tilecut_,correct.h labels.h network.h parts.h volume.h)

# The exchange over MPI, which the program loads only under mpirun.
MPI_OBJ   := $(if $(HAVE_MPI),$(BUILD)/tilecut-mpi.so)
# An object with gdcm inside reads DICOM files. The process that reads them loads it.
DICOM_OBJ := $(if $(HAVE_GDCM),$(BUILD)/tilecut-dicom.so)
OBJECTS   := $(strip $(MPI_OBJ) $(DICOM_OBJ))
SO_NAME   := $(if $(WINDOWS),libtilecut-$(SOVERSION).dll,libtilecut.so.$(SOVERSION))

# V=1 shows the commands in full.
Q         := $(if $(V),,@)
say        = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$@')
