# SPDX-License-Identifier: MIT
#
# npm.mk - the npm package `tilecut`: the editor's page and its engine behind a module for programs.

NPM        := build/npm/package
NPM_TGZ    := build/tilecut-$(VERSION).tgz
NPM_SRC    := $(wildcard src/npm/*.js src/npm/*.ts) src/npm/README.md
NPM_JS     := $(filter-out offline.js engine_program.js,$(notdir $(wildcard src/web/*.js)))
NPM_PAGE   := $(filter-out %.js index.html scan/%,$(WEB_FILES:src/web/%=%)) tilecut.wasm
npm: $(if $(WASM_LACKS),web-missing,$(NPM_TGZ))
	@echo '$(NPM_TGZ)'

# Marks the page as embedded in another one, and loads the module that talks to that page.
$(NPM)/editor/index.html: $(WEB)/index.html tools/make/npm.mk
	@mkdir -p $(@D)
	$(Q)sed -e 's/data-form=""/data-form="embedded"/' -e 's,</head>,<script type="module" src="embedded.js"></script>\n&,' $< > $@
$(NPM_PAGE:%=$(NPM)/editor/%): $(NPM)/editor/%: $(WEB)/%
	@mkdir -p $(@D) && cp $< $@
$(NPM_JS:%=$(NPM)/editor/%): $(NPM)/editor/%: src/web/%
	@mkdir -p $(@D) && $(MINIFY) $< > $@
$(NPM)/package.json: src/npm/package.json.in src/tilecut.h
	@mkdir -p $(@D)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< > $@
$(NPM_TGZ): $(NPM_SRC) LICENSE $(NPM)/package.json $(NPM)/editor/index.html $(NPM_PAGE:%=$(NPM)/editor/%) \
  $(NPM_JS:%=$(NPM)/editor/%)
	$(Q)cp $(filter-out %/embedded.js,$(NPM_SRC)) LICENSE $(NPM) && cp src/npm/embedded.js $(NPM)/editor
	$(Q)sh tools/release/licences web >$(NPM)/LICENCES.txt
	$(Q)tar --sort=name --format=ustar --mtime=@499162500 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
	  -C build/npm -cf - package | gzip -9n > $@

# Types are checked if TypeScript is installed; at night npm tries to fetch it.
TSC        ?= build/npm/node_modules/.bin/tsc
check-npm: $(BUILD)/tilecut npm
	@TILECUT='$(abspath $(BUILD)/tilecut)' PACKAGE='$(abspath $(NPM_TGZ))' $(or $(NODE),node) tests/npm/run.mjs
	@test -z '$(NIGHTLY)' -o -e $(TSC) || npm install --silent --no-fund --no-audit --prefix build/npm typescript@5 || true
	@test ! -e $(TSC) || { $(TSC) -p tests/npm && echo 'npm: types hold'; }

.PHONY: npm check-npm
