# SPDX-License-Identifier: MIT
#
# python.mk - the binding for Python: a folder that can be imported, a wheel, its tests.

PYDIR      := $(BUILD)/python
PY_SRC     := $(call files,src/python/tilecut,*.py) src/python/tilecut/py.typed

# The package with the library in it: PYTHONPATH=build/release/python.
python: $(PYDIR)/tilecut/_header.py
$(PYDIR)/tilecut/_header.py: $(PY_SRC) src/python/header.py src/tilecut.h $(BUILD)/$(SO_NAME) $(BUILD)/tilecut
	@mkdir -p $(PYDIR)/tilecut/bin
	$(call say,PY)
	$(Q)cp $(filter-out %_header.py,$(PY_SRC)) $(PYDIR)/tilecut
	$(Q)cp $(BUILD)/$(SO_NAME) $(PYDIR)/tilecut && cp $(BUILD)/tilecut $(PYDIR)/tilecut/bin
	$(Q)$(PYTHON) src/python/header.py src/tilecut.h > $@.new && mv $@.new $@

# What `pip install` takes; needs Python's setuptools and wheel, and no network.
wheel:
	@sh tools/install-deps --with-python
	@$(MAKE) --no-print-directory $(JOBS) wheel-here
wheel-here: python
	$(Q)rm -rf $(PYDIR)/build $(PYDIR)/dist && cp src/python/setup.py LICENSE $(PYDIR)
	$(Q)strip $(PYDIR)/tilecut/$(SO_NAME) $(PYDIR)/tilecut/bin/tilecut
	$(Q)cd $(PYDIR) && TILECUT_VERSION=$(VERSION) $(PYTHON) setup.py -q bdist_wheel
	@ls $(PYDIR)/dist/*.whl

check-python: python
	@TILECUT='$(abspath $(BUILD)/tilecut)' CC='$(CC)' PYTHON='$(PYTHON)' sh tests/python/run.sh $(PYDIR)

.PHONY: python wheel wheel-here check-python
