# SPDX-License-Identifier: MIT
#
# python.mk - the binding for Python: a folder that can be imported, a wheel, its tests.

PYDIR      := $(BUILD)/python
PY_SRC     := $(call files,src/python/tilecut,*.py) src/python/tilecut/py.typed

# The parts of the program that the binding uses (src/python/files/files.h): the same sources, compiled again for a
# shared library.
FILES_SO   := $(if $(WINDOWS),libtilecut-files-1.dll,libtilecut-files.so.1)
PIC_SRC    := $(filter $(addprefix src/cli/,$(addsuffix /%,system packing options pictures stb tiff scans dicom apart heif shapes markup annotations masks seeds score)),$(CLI_SRC)) \
              $(call files,src/python/files,*.c)
PIC_OBJ    := $(PIC_SRC:%=$(BUILD)/pic/%.o)
$(PIC_OBJ): $(BUILD)/pic/%.c.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CLI_FLAGS) -fPIC -fvisibility=hidden -Isrc/python/files -MMD -MP -c $< -o $@
$(BUILD)/pic/src/cli/stb/image_stb.c.o: CLI_FLAGS += $(if $(filter -fsanitize=%,$(EXTRA)),-fno-sanitize=shift)
$(BUILD)/pic/program.a: $(filter-out $(BUILD)/pic/src/python/%,$(PIC_OBJ))
	$(Q)rm -f $@ && $(AR) rcsD $@ $^
$(BUILD)/$(FILES_SO): $(BUILD)/pic/src/python/files/files.c.o $(BUILD)/pic/program.a src/python/files/files.map $(BUILD)/$(SO_NAME)
	$(call say,LINK)
	$(Q)$(CC) -Wl,--no-undefined $(LINK) -shared -Wl,-soname,$(FILES_SO) -Wl,--version-script,src/python/files/files.map -Wl,--as-needed \
	  -Wl,-rpath,'$$ORIGIN' -o $@ $(filter %.o %.a %/$(SO_NAME),$^) $(IMG_LIBS) $(WIN_INSIDE) -lm
-include $(PIC_OBJ:.o=.d)

# The program that the package contains, the tool that strips it, and the licences of the libraries inside.
LICENCES   ?=
PY_PROGRAM ?= $(BUILD)/tilecut
STRIP      ?= strip
PY_BIN     := $(PYDIR)/tilecut/bin/tilecut$(if $(WINDOWS),.exe)
# The package with the library inside. Use it with PYTHONPATH=build/release/python.
python: $(PYDIR)/tilecut/_header.py
$(PYDIR)/tilecut/_header.py: $(PY_SRC) src/python/header.py $(DOORS) $(BUILD)/$(SO_NAME) $(BUILD)/$(FILES_SO) $(PY_PROGRAM)
	@mkdir -p $(PYDIR)/tilecut/bin
	$(call say,PY)
	$(Q)cp $(filter-out %_header.py,$(PY_SRC)) $(PYDIR)/tilecut
	$(Q)cp $(BUILD)/$(SO_NAME) $(BUILD)/$(FILES_SO) $(PYDIR)/tilecut && cp $(PY_PROGRAM) $(PY_BIN)
	$(Q)$(PYTHON) src/python/header.py $(DOORS) > $@.new && mv $@.new $@

# Builds a wheel for `pip install`. Needs setuptools and wheel, but no network.
wheel:
	@sh tools/install-deps --with-python
	@$(MAKE) --no-print-directory $(JOBS) wheel-here
wheel-here: python
	$(Q)rm -rf $(PYDIR)/build $(PYDIR)/dist && cp src/python/setup.py LICENSE $(LICENCES) $(PYDIR)
	$(Q)$(STRIP) $(PYDIR)/tilecut/$(SO_NAME) $(PYDIR)/tilecut/$(FILES_SO) $(PY_BIN)
	$(Q)cd $(PYDIR) && TILECUT_VERSION=$(VERSION) TILECUT_PLATFORM=$(PLATFORM) $(PYTHON) setup.py -q bdist_wheel
	@ls $(PYDIR)/dist/*.whl

# Installs the module into PYTHONDIR, with its own library and program as in the wheel, so that it depends on nothing
# else and all are of one version. Its metadata makes it visible to pip.
PYTHONDIR  ?= $(PREFIX)/lib/python3/dist-packages
define PY_METADATA
Metadata-Version: 2.1
Name: tilecut
Version: $(VERSION)
Summary: Foreground/background segmentation by minimum cut, exactly
License: MIT
Requires-Dist: numpy
endef
export PY_METADATA
install-python: python
	install -d $(DESTDIR)$(PYTHONDIR)/tilecut/bin $(DESTDIR)$(PYTHONDIR)/tilecut-$(VERSION).dist-info
	install -m 644 $(filter %.py %.typed,$(wildcard $(PYDIR)/tilecut/*)) $(DESTDIR)$(PYTHONDIR)/tilecut
	install -m 644 $(BUILD)/$(SO_NAME) $(BUILD)/$(FILES_SO) $(DESTDIR)$(PYTHONDIR)/tilecut
	install -m 755 $(BUILD)/tilecut $(DESTDIR)$(PYTHONDIR)/tilecut/bin
	@printf '%s\n' "$$PY_METADATA" > $(DESTDIR)$(PYTHONDIR)/tilecut-$(VERSION).dist-info/METADATA

check-python: python
	@TILECUT='$(abspath $(BUILD)/tilecut)' CC='$(CC)' PYTHON='$(PYTHON)' sh tests/python/run.sh $(PYDIR)

.PHONY: python install-python wheel wheel-here check-python
