# SPDX-License-Identifier: MIT
#
# windows.mk - the program and its libraries for Windows, by mingw-w64. Every file includes src/windows/posix.h first,
# which supplies the POSIX functions. `make windows` (release.mk) calls this with WINDOWS=1 and the libraries inside.

WINDOWS    ?=
ifneq ($(WINDOWS),)
# Headers that mingw-w64 lacks, or that posix.h replaces, are empty files.
WIN_LACKS  := arpa/inet dlfcn fnmatch glob sched spawn sys/mman sys/random sys/resource sys/wait
WIN_EMPTY  := $(WIN_LACKS:%=$(BUILD)/posix/%.h)
WIN_SRC    := $(filter-out %/start.c,$(call files,src/windows,*.c))
WIN_OBJ    := $(WIN_SRC:%=$(BUILD)/%.o)
WIN_FLAGS  := $(STD) $(filter-out -Wpedantic,$(WARN_C)) $(CFLAGS) -ffile-prefix-map=$(CURDIR)=.
WIN_LIBS   := -lws2_32 -lm
WIN_INSIDE = $(BUILD)/posix.a $(WIN_LIBS)
$(BUILD)/$(SO_NAME) $(BUILD)/$(FILES_SO): $(BUILD)/posix.a
CLI_FLAGS  += -Isrc/windows -I$(BUILD)/posix -include src/windows/posix.h -D_FILE_OFFSET_BITS=64 -Wno-format -Wno-pedantic -Wno-float-conversion -Wno-unused-value
LIB_FLAGS  += -Isrc/windows -I$(BUILD)/posix -include src/windows/posix.h -D_FILE_OFFSET_BITS=64 -Wno-format -Wno-pedantic -Wno-float-conversion -Wno-unused-value
# Threads, too, get 8 MB of stack, as on other systems. Only libraries that every Windows has are linked dynamically.
LINK       := $(CFLAGS) $(LDFLAGS) -static -Wl,--stack,8388608

$(BUILD)/flags: $(WIN_EMPTY) src/windows/posix.h
$(WIN_EMPTY):
	@mkdir -p $(@D) && : >$@
# Linkers for Windows do not find weak functions.
$(STUB_SRC:%=$(BUILD)/%.o): LIB_FLAGS += -Dweak=unused
$(BUILD)/src/cli/main.c.o: CLI_FLAGS += -Dmain=program_main
$(BUILD)/src/windows/%.c.o: src/windows/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(WIN_FLAGS) -Isrc/windows -include src/windows/posix.h -D_FILE_OFFSET_BITS=64 -MMD -MP -c $< -o $@
$(BUILD)/posix.a: $(WIN_OBJ)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^
$(BUILD)/tilecut.exe: $(CLI_OBJ) $(BUILD)/src/windows/start.c.o $(BUILD)/libtilecut.a $(BUILD)/posix.a
	$(call say,LINK)
	$(Q)$(CC) $(LINK) -municode -o $@ $^ $(IMG_LIBS) $(BUILD)/posix.a $(WIN_LIBS)
-include $(WIN_OBJ:.o=.d) $(BUILD)/src/windows/start.c.d
endif
