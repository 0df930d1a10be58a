# SPDX-License-Identifier: MIT
#
# plugins.mk - plug-ins for other programs.

# GIMP 2.10 loads a plug-in from a folder of the same name. $(BUILD)/gimp can be added in GIMP's preferences.
GIMP_PLUGIN := $(BUILD)/gimp/tilecut-gimp/tilecut-gimp
gimp-plugin: $(GIMP_PLUGIN)
$(GIMP_PLUGIN): tools/plugins/gimp/tilecut-gimp.c $(BUILD)/libtilecut.a
	$(call say,LINK)
	@$(PKG) --exists 'gimp-2.0 >= 2.10' || { echo 'gimp-plugin: no gimp-2.0.pc; Debian package libgimp2.0-dev' >&2; exit 1; }
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(EXTRA) -Isrc $(subst -I,-isystem ,$(shell $(PKG) --cflags gimp-2.0)) $(LDFLAGS) -o $@ $^ \
	  $(shell $(PKG) --libs gimp-2.0) $(CUDA_LIBS) -lm

.PHONY: gimp-plugin
