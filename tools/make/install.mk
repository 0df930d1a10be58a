# SPDX-License-Identifier: MIT
#
# install.mk - install, uninstall, man pages, completions.

# One page for each row of the program's table of verbs, made from its --help.
VERBS     := $(shell sed -n 's/^VERB.\([a-z]*\),.*/\1/p' src/cli/verbs/verbs.def)
PAGES     := $(BUILD)/man/tilecut.1 $(VERBS:%=$(BUILD)/man/tilecut-%.1)
$(PAGES): $(BUILD)/tilecut tools/manual tools/help-rows tools/debian/changelog $(wildcard docs/man/*)
	@mkdir -p $(@D)
	$(call say,MAN)
	$(Q)sh tools/manual $< $(patsubst tilecut-%.1,%,$(filter-out tilecut.1,$(@F))) > $@
pages: $(PAGES)

COMPLETIONS := $(addprefix $(BUILD)/completions/,bash zsh fish)
$(COMPLETIONS): $(BUILD)/tilecut tools/completions tools/help-rows
	@mkdir -p $(@D)
	$(call say,SHELL)
	$(Q)sh tools/completions $(@F) $< > $@

DOCS      := LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md $(call files,docs,*.md) $(wildcard docs/img/*.* docs/img/*/*.*)
CMAKE_FILES := tilecut-config.cmake tilecut-config-version.cmake
INSTALLED := $(BINDIR)/tilecut $(DOORS:src/%=$(INCDIR)/%) \
             $(LIBDIR)/libtilecut.a $(LIBDIR)/libtilecut.so \
             $(LIBDIR)/$(SO_NAME) $(LIBDIR)/libtilecut.so.$(NUMBERS) $(LIBDIR)/pkgconfig/tilecut.pc \
             $(CMAKE_FILES:%=$(CMAKEDIR)/%) \
             $(addprefix $(DOCDIR)/,$(DOCS)) $(addprefix $(MANDIR)/man1/,$(notdir $(PAGES))) \
             $(BASHDIR)/tilecut $(ZSHDIR)/_tilecut $(FISHDIR)/tilecut.fish

define PC_FILE
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$(INCDIR)

Name: tilecut
Description: exact foreground/background segmentation by minimum cut on the pixel grid
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -ltilecut
Libs.private: $(CUDA_LIBS) -lm -pthread
endef
export PC_FILE

# Writes the same data for find_package(tilecut). Folders below PREFIX are given relative to the file, so that the whole
# installation can be moved; others by their full names.
below        = $(if $(filter $(PREFIX)/%,$(1)),$(2)/$(patsubst $(PREFIX)/%,%,$(1)),$(1))
CMAKE_UP     = $(subst $(space),/,$(patsubst %,..,$(subst /, ,$(patsubst $(PREFIX)/%,%,$(CMAKEDIR)))))
CMAKE_PREFIX = $(if $(filter $(PREFIX)/%,$(CMAKEDIR)),$${CMAKE_CURRENT_LIST_DIR}/$(CMAKE_UP),$(PREFIX))
CMAKE_FACTS  = -e 's|@PREFIX@|$(CMAKE_PREFIX)|' -e 's|@LIBDIR@|$(call below,$(LIBDIR),$${tilecut_prefix})|' \
               -e 's|@INCDIR@|$(call below,$(INCDIR),$${tilecut_prefix})|' -e 's|@SO@|libtilecut.so.$(NUMBERS)|' \
               -e 's|@SO_NAME@|$(SO_NAME)|' -e 's|@VERSION@|$(NUMBERS)|' \
               -e 's|@PRIVATE@|$(subst $(space),;,$(strip $(CUDA_LIBS) -lm -pthread))|'

install: all $(PAGES) $(COMPLETIONS) install-library
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(DOCDIR)/docs/guide $(DOCDIR)/docs/design $(DOCDIR)/docs/lab $(DOCDIR)/docs/img/photos $(MANDIR)/man1 $(BASHDIR) $(ZSHDIR) $(FISHDIR))
	install -m 755 $(BUILD)/tilecut $(DESTDIR)$(BINDIR)/tilecut
	$(if $(OBJECTS),install -d $(DESTDIR)$(PREFIX)/lib/tilecut && install -m 755 $(OBJECTS) $(DESTDIR)$(PREFIX)/lib/tilecut)
	install -m 644 $(filter-out docs/%,$(DOCS)) $(DESTDIR)$(DOCDIR)
	set -e; for f in $(filter docs/%,$(DOCS)); do install -m 644 $$f $(DESTDIR)$(DOCDIR)/$$f; done
	install -m 644 $(PAGES) $(DESTDIR)$(MANDIR)/man1
	install -m 644 $(BUILD)/completions/bash $(DESTDIR)$(BASHDIR)/tilecut
	install -m 644 $(BUILD)/completions/zsh $(DESTDIR)$(ZSHDIR)/_tilecut
	install -m 644 $(BUILD)/completions/fish $(DESTDIR)$(FISHDIR)/tilecut.fish
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig 2>/dev/null || :; fi

# Installs what C programs need. It takes nothing but a C compiler.
install-library: $(BUILD)/libtilecut.a $(BUILD)/$(SO_NAME)
	install -d $(addprefix $(DESTDIR),$(LIBDIR)/pkgconfig $(CMAKEDIR) $(INCDIR))
	install -m 644 $(DOORS) $(DESTDIR)$(INCDIR)
	install -m 644 $(BUILD)/libtilecut.a $(DESTDIR)$(LIBDIR)/libtilecut.a
	install -m 755 $(BUILD)/$(SO_NAME) $(DESTDIR)$(LIBDIR)/libtilecut.so.$(NUMBERS)
	ln -sf libtilecut.so.$(NUMBERS) $(DESTDIR)$(LIBDIR)/$(SO_NAME)
	ln -sf $(SO_NAME) $(DESTDIR)$(LIBDIR)/libtilecut.so
	@printf '%s\n' "$$PC_FILE" > $(DESTDIR)$(LIBDIR)/pkgconfig/tilecut.pc
	@set -e; for f in $(CMAKE_FILES); do \
	  sed $(CMAKE_FACTS) tools/packaging/cmake/$$f.in > $(DESTDIR)$(CMAKEDIR)/$$f; done

# Folders that other packages may also use are kept.
uninstall:
	rm -f $(addprefix $(DESTDIR),$(INSTALLED) $(PREFIX)/lib/tilecut/tilecut-mpi.so $(PREFIX)/lib/tilecut/tilecut-dicom.so)
	rmdir $(DESTDIR)$(PREFIX)/lib/tilecut $(DESTDIR)$(CMAKEDIR) 2>/dev/null || :
	rmdir $(DESTDIR)$(DOCDIR)/docs/img/* $(DESTDIR)$(DOCDIR)/docs/* $(DESTDIR)$(DOCDIR)/docs $(DESTDIR)$(DOCDIR) 2>/dev/null || :
