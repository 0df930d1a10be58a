# tilecut: folders are the architecture; a new file in src/ or src/cli/ needs no change here.
# `make help` lists the targets, `make config` says what was found.

VERSION := 0.1.0
CC      ?= cc
CFLAGS  ?= -O2 -g
MODE    ?= release
PKG     ?= pkg-config

WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes
STD  := -std=c11 -D_GNU_SOURCE
BUILD := build/$(MODE)

ifeq ($(MODE),asan)
SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif

LIB_SRC := $(sort $(wildcard src/*.c)) cuda/stub.c
CLI_SRC := $(sort $(wildcard src/cli/*.c))
IMG_CFLAGS = $(shell $(PKG) --cflags libpng libjpeg stb)
IMG_LIBS   = $(shell $(PKG) --libs libpng libjpeg)

LIB_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(LIB_SRC)))
CLI_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(CLI_SRC))

all: tilecut

tilecut: $(BUILD)/tilecut
	ln -sf $< $@
$(BUILD)/tilecut: $(CLI_OBJ) $(BUILD)/libtilecut.a
	$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) -o $@ $^ $(IMG_LIBS) -lm -pthread
$(BUILD)/libtilecut.a: $(LIB_OBJ)
	rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/src/cli/%.o: src/cli/%.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(CFLAGS) $(SAN) -Isrc -Isrc/cli $(IMG_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(CFLAGS) $(SAN) -fPIC -fvisibility=hidden -Isrc -MMD -MP -c $< -o $@

clean:
	rm -rf build tilecut libtilecut.*
-include $(shell find build -name '*.d' 2>/dev/null)
.PHONY: all clean
