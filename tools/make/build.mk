# SPDX-License-Identifier: MIT
#
# build.mk - the rules that compile and link.

# A plain release build links ./tilecut and ./libtilecut.a to its files; other builds stay in build/.
all: $(if $(CLI_SRC),$(BUILD)/tilecut) $(BUILD)/libtilecut.a $(BUILD)/$(SO_NAME) $(OBJECTS)
ifeq ($(MODE),release)
	@for f in $(notdir $(filter-out $(OBJECTS),$^)); do ln -sf $(BUILD)/$$f $$f; done
else
	@echo "built in $(BUILD)/"
endif

$(BUILD)/tilecut: $(CLI_OBJ) $(BUILD)/libtilecut.a
	$(call say,LINK)
	$(Q)$(CC) $(LINK) -o $@ $^ $(IMG_LIBS) $(CUDA_LIBS) -lm
$(BUILD)/tilecut-mpi.so: src/mpi/exchange_mpi.c $(DOORS) $(BUILD)/flags
	$(call say,LINK)
	$(Q)$(CC) $(STD) $(WARN_C) -O2 $(HARD_C) -fPIC -shared -Isrc $(patsubst -I%,-isystem %,$(shell $(PKG) --cflags ompi-c)) -o $@ $< \
	  $(LDFLAGS) $(shell $(PKG) --libs ompi-c)
# Also instrumented by the memory sanitizers, with the program's runtime, which lacks the parts for C++; so
# -fno-sanitize=vptr.
DICOM_SEEN_asan := -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1
DICOM_SEEN_fuzz := $(DICOM_SEEN_asan) -fno-sanitize=function
$(BUILD)/tilecut-dicom.so: src/dicom/dicom_gdcm.cpp src/cli/dicom/dicom_talk.h $(BUILD)/flags
	$(call say,LINK)
	$(Q)$(CXX) -std=c++17 $(WARN) -O2 $(HARD_C) $(DICOM_SEEN_$(MODE)) -fPIC -shared -fvisibility=hidden -Isrc/cli/dicom \
	  -isystem $(GDCM_DIR) -o $@ $< $(HARD_LINK) $(LDFLAGS) -lgdcmMSFF -lgdcmDSED -lgdcmCommon
$(BUILD)/libtilecut.a: $(LIB_OBJ)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^
$(BUILD)/program.a: $(filter-out %/main.c.o,$(CLI_OBJ))
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^
$(BUILD)/$(SO_NAME): $(LIB_OBJ) src/tilecut.map
	$(call say,LINK)
	$(Q)$(CC) $(LINK) -shared -Wl,-soname,$(SO_NAME) -Wl,--version-script,src/tilecut.map -o $@ $(LIB_OBJ) $(CUDA_LIBS) $(WIN_INSIDE) -lm

$(BUILD)/src/cli/%.c.o: src/cli/%.c $(BUILD)/flags | $(if $(MISSING),missing)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CLI_FLAGS) -MMD -MP -c $< -o $@
# stb intentionally shifts bits out of an int when it compresses a JPEG.
$(BUILD)/src/cli/stb/image_stb.c.o: CLI_FLAGS += $(if $(filter -fsanitize=%,$(EXTRA)),-fno-sanitize=shift)
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
# A test that simulates a device (OWN_DEVICE) links the library without one, and without CUDA's runtime. The linker
# finds the test's own definitions first, and takes the rest from the stubs of builds without nvcc.
$(BUILD)/host.a: $(filter $(BUILD)/src/%,$(LIB_OBJ)) $(STUB_SRC:%=$(BUILD)/%.o)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^
$(filter $(OWN_DEVICE),$(TESTS)): $(BUILD)/host.a
# From an archive each test links only what it uses, which takes a third of the time.
$(BUILD)/aids.a: $(AID_OBJ)
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^
$(filter-out $(OWN_DEVICE),$(TESTS)): $(BUILD)/libtilecut.a
$(OWN_DEVICE): CUDA_LIBS :=
$(TEST_SRC:tests/%.c=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/tests/%.c.o $(BUILD)/aids.a $(CLI_PARTS)
	$(call say,LINK)
	$(Q)$(CC) $(LINK) $(WRAP) -o $@ $^ $(CHECK_LIBS) $(IMG_LIBS) $(CUDA_LIBS) -lm
# The tests define replacements for these functions.
$(BUILD)/tests/unit/test_allocation: WRAP := $(foreach f,malloc calloc realloc aligned_alloc posix_memalign mmap munmap free,-Wl,--wrap=$(f))
$(BUILD)/tests/unit/test_helpers: WRAP := -Wl,--wrap=pthread_create
$(PEER_SRC:tests/%.cpp=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/tests/%.cpp.o $(BUILD)/aids.a $(CLI_PARTS)
	$(call say,LINK)
	$(Q)$(CXX) $(LINK) -o $@ $^ $(CHECK_LIBS) $(shell $(PKG) --libs maxflow) $(IMG_LIBS) $(CUDA_LIBS) -lm
SOFT_SEEN  := $(wildcard tests/unit/software_gpu/*.h) $(call files,cuda,*.cuh)
# Threads of the GPU in software have stacks of their own, at which a checked longjmp() takes fright.
SOFT_FLAGS  = -std=c++17 -O2 -U_FORTIFY_SOURCE $(EXACT) -fno-strict-aliasing -pthread -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-function \
              -Itests/unit/software_gpu $(LIB_INC) -Itests/unit
$(SOFT_OBJ): $(BUILD)/soft/%.o: % $(SOFT_SEEN) $(call files,cuda,*.cu) $(BUILD)/flags
	$(call say,CXX)
	$(Q)mkdir -p $(@D) && $(CXX) $(SOFT_FLAGS) -Wno-unused-variable -x c++ -c -o $@ $<
SOFT_HOSTS = $(addprefix $(BUILD)/tests/unit/,test_device_parts test_device_calls test_hybrid_device \
             test_model_kernels test_part_nearness)
$(SOFT_HOSTS): $(SOFT_OBJ)
$(SOFT_GPU): $(BUILD)/tests/unit/%: tests/unit/software_gpu/%.cpp $(SOFT_SEEN) \
             $(BUILD)/tests/unit/random_graph.c.o $(BUILD)/tests/unit/random_network.c.o \
             $(BUILD)/tests/unit/walled.c.o $(BUILD)/tests/unit/hybrid_case.c.o \
             $(BUILD)/tests/unit/part_pieces.c.o $(BUILD)/tests/unit/part_scene.c.o \
             $(BUILD)/tests/unit/label_scene.c.o $(BUILD)/host.a $(BUILD)/flags
	$(call say,LINK)
	$(Q)$(CXX) $(SOFT_FLAGS) -o $@ $(filter %.cpp %.o,$^) $(filter %.a,$^) -lm
CHECK_INC  = $(shell $(PKG) --cflags check)
CHECK_LIBS = $(shell $(PKG) --libs check)

# Rewritten only if the flags differ from the last build's; then everything is compiled anew.
FLAGS_NOW  = $(CC) $(CXX) $(subst $(CURDIR),,$(LIB_FLAGS)) $(IMG_INC) $(LINK) $(if $(filter 1,$(HAVE_CUDA)),$(NVCC) $(NVCC_ALL))
$(BUILD)/flags: FORCE
	@mkdir -p $(@D); echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@

missing:
	@echo "tilecut: cannot build the program: $(MISSING) not found; run 'sh tools/install-deps' (Debian, Ubuntu), or see 'make config'" >&2; exit 1

cuda:
	$(MAKE) CUDA=1 all
kernels: $(filter %.cu.o,$(LIB_OBJ))
