# SPDX-License-Identifier: MIT
#
# release.mk - what is built for others to install. The libraries inside are built of Debian's sources, once, in
# PARTS; a later release takes what lies there as long as the sources have no new versions.

PARTS     ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tilecut-release
RELEASE   ?= build/release-$(VERSION)
PROCESSORS := x86_64 aarch64
PARTS_OF   := $(PROCESSORS:%=%-musl) $(PROCESSORS:%=%-gnu)

# One file, with C library, image libraries and the editor: $(RELEASE)/tilecut-VERSION-linux-PROCESSOR.
STATIC_TO  = $(RELEASE)/tilecut-$(VERSION)-linux-$*
static: $(PROCESSORS:%=static-%)
$(PROCESSORS:%=static-%): static-%: parts-%-musl
	$(Q)PKG_CONFIG_LIBDIR=$(PARTS)/$*-musl/lib/pkgconfig $(MAKE) --no-print-directory $(JOBS) MODE=release \
	  BUILD=build/static/$* CC=$(PARTS)/$*-musl/bin/musl-gcc STATIC=1 CUDA=0 NIFTI_DIR=$(PARTS)/$*-musl/include/nifti \
	  STB_DIR=$(PARTS)/$*-musl/include/stb CPPFLAGS=-I$(PARTS)/$*-musl/include LDFLAGS=-L$(PARTS)/$*-musl/lib \
	  build/static/$*/tilecut
	$(Q)mkdir -p $(RELEASE) && $*-linux-gnu-strip -o $(STATIC_TO) build/static/$*/tilecut && chmod 755 $(STATIC_TO)
	@echo '$(STATIC_TO)'

$(PARTS_OF:%=parts-%): parts-%:
	@sh tools/install-deps --with-release
	$(Q)sh tools/release/sources $(PARTS)/sources
	$(Q)sh tools/release/libraries $(PARTS)/sources $* $(PARTS)/$*

.PHONY: static $(PROCESSORS:%=static-%) $(PARTS_OF:%=parts-%)
