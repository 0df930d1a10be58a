# SPDX-License-Identifier: MIT
#
# web.mk - the editor as a web page: the library and the program's functions for masks, compiled to WebAssembly, and the
# page's own files, in one folder that any static host can serve.

WEB        ?= build/web
WASM_CC    ?= $(firstword $(shell command -v clang-14 2>/dev/null || command -v clang 2>/dev/null))
WASM_AR    ?= $(firstword $(shell command -v llvm-ar-14 2>/dev/null || command -v llvm-ar 2>/dev/null))
WASM_LIBC  := $(wildcard /usr/lib/wasm32-wasi/libc.a)
WASM_RT    := $(wildcard $(shell test -z '$(WASM_CC)' || $(WASM_CC) --target=wasm32-wasi -print-libgcc-file-name 2>/dev/null))
WASM_LD    := $(shell command -v wasm-ld-14 2>/dev/null || command -v wasm-ld 2>/dev/null)
WASM_OPT   := $(shell command -v wasm-opt 2>/dev/null)
ESBUILD    := $(shell command -v esbuild 2>/dev/null)
WASM_LACKS := $(strip $(if $(WASM_OPT),,binaryen) $(if $(ESBUILD),,esbuild) $(if $(WASM_CC),,clang) $(if $(WASM_LD),,lld) $(if $(WASM_AR),,llvm) $(if $(WASM_LIBC),,wasi-libc) \
              $(if $(WASM_RT),,libclang-rt-14-dev-wasm32))

CHROMIUM   ?= $(shell command -v chromium 2>/dev/null)
NODE       ?= $(shell command -v node 2>/dev/null)

# From the program, the parts that work in memory, without files and without decoding pictures. From the library, all
# but the fast solvers for volumes, the comparison solvers, parts of images, and the compression of idle pixels;
# src/web/stand_ins.c replaces what is left out.
WASM_PARTS := $(call files,src/cli/edit src/cli/masks,*.c) $(filter-out %/outputs.c %/memory.c,$(call files,src/cli/options,*.c)) \
              src/cli/pictures/image_memory.c $(patsubst %,src/cli/system/%.c,bytes failure numbers) \
              src/cli/serve/scan_desk.c src/cli/serve/scan_unsure.c src/cli/serve/desk_legend.c src/cli/labels/label_legend.c src/cli/volumes/scan_job.c $(patsubst %,src/cli/scans/%.c,scan_input scan_voxels)
WASM_SRC   := $(filter-out src/cli/% cuda/% src/web/% src/graph/row_cache.c src/graph/row_pack.c src/parts/% %_6.c \
              src/solvers/reference/wave.c src/solvers/reference/bk_wide.c src/solvers/hybrid/% \
              src/graph/cut_wide.c src/refine/clean_seams.c src/run/backend_cuda.c,$(LIB_SRC)) \
              $(STUB_SRC) $(WASM_PARTS) src/web/stand_ins.c
WASM_OBJ   := $(WASM_SRC:%=build/wasm/%.o)
# All recent browsers have SIMD. There are no threads; src/web/shim replaces them. Unrolled loops would make the page 4
# % larger and save no time.
WASM_FLAGS := --target=wasm32-wasi -O2 -fno-unroll-loops -msimd128 -ffunction-sections -fdata-sections -fvisibility=hidden
# Code that runs once for a photo or mask, or only orders steps, is compiled for size; so is code that only 8 neighbours
# need.
WASM_ONCE  := $(call files,src/cli/edit src/cli/labels src/cli/masks src/cli/options src/cli/pictures src/cli/scans src/cli/serve src/cli/system src/cli/volumes src/web src/web/scan src/confidence src/guess src/labels src/refine src/run src/session src/solvers/reference,*.c) \
              $(call files,src/matting,*.c) \
              $(addprefix src/energy/,coarse.c colors_hist.c energy_advance.c energy_learn.c counts.c mixture.c nearness.c palette.c prior.c) \
              $(addprefix src/graph/,graph_make.c graph.c islands.c across_islands.c carry_flow.c check_residuals.c build_grid.c cut.c refit_flow.c view.c) \
              $(addprefix src/solvers/,dead_ends.c decisions.c neighbourhoods.c reverse.c solver.c survey.c) \
              $(addprefix src/base/,comm.c parallel.c params.c rows.c sized.c status.c thread_pool.c) $(addprefix src/graph/,box_fit.c window_parts.c) \
              $(addprefix src/grid/,grid.c grid_arrange.c stored.c tile_board_8.c) src/solvers/contour.c src/solvers/cascade/cascade.c src/solvers/push/push.c src/solvers/push/push_memory.c src/solvers/cascade/drain_memory.c src/solvers/cascade/drain_search.c $(STUB_SRC) src/solvers/push/push_8.c src/solvers/cascade/cascade_8.c src/base/chamfer.c src/energy/colors.c src/graph/certify.c $(call files,src/volume,*.c)
$(WASM_ONCE:%=build/wasm/%.o): WASM_FLAGS += -Oz
$(addprefix build/wasm/src/energy/,energy.c.o colors_gmm.c.o): WASM_FLAGS += -O3
# The solvers' loops are as fast for size as for speed.
$(patsubst %,build/wasm/src/solvers/%.c.o,cascade/drain push/push_search push/push_sweep): WASM_FLAGS += -Os
WASM_INC    = -Isrc/web/shim -Isrc/web $(LIB_INC) $(CLI_INC)
WASM_LINK  := -mexec-model=reactor -Wl,--strip-all,--gc-sections,--compress-relocations,-O2,-z,stack-size=1048576,--max-memory=4294967296
# Functions larger than this with a single caller compress better if they are not inlined.
WASM_SMALL := --flatten --rereloop -Oz -Oz --one-caller-inline-max-function-size 100 --low-memory-unused --enable-simd \
              --enable-bulk-memory --enable-sign-ext --enable-mutable-globals
# The page's modules are bundled in one file, except for workers. The module that talks to the program is not included.
WEB_JS     := $(wildcard src/web/*.js src/web/scan/*.js)
WEB_FILES  := src/web/main.js src/web/worker.js src/web/offline.js \
              $(wildcard $(addprefix src/web/,*.html *.css *.svg *.webp scan/*.css))

web: $(if $(WASM_LACKS),web-missing,$(WEB_FILES:src/web/%=$(WEB)/%) $(WEB)/tilecut.wasm)
	@echo '$(WEB)/: any static host serves it; page and WebAssembly take' \
	  "$$(cat $(WEB_FILES:src/web/%=$(WEB)/%) $(WEB)/tilecut.wasm | gzip -9c | wc -c) bytes compressed"
web-missing:
	@echo "make web: $(WASM_LACKS) not found; run 'sh tools/install-deps --with-web' (Debian, Ubuntu), or see 'make config'" >&2; exit 1

# Minifies the files: shortens names, and removes comments and indentation.
MINIFY      = $(ESBUILD) --minify --log-level=warning
$(WEB_FILES:src/web/%=$(WEB)/%): $(WEB)/%: src/web/%
	@mkdir -p $(@D)
	$(Q)case $< in \
	  */main.js) $(MINIFY) --bundle --format=esm --external:./engine_program.js --external:./scan/scan_engine.js $< > $@ ;; \
	  *.js|*.css) $(MINIFY) $< > $@ ;; *.html) sed 's/^ *//' $< > $@ ;; *) cp $< $@ ;; esac
$(WEB)/main.js: $(WEB_JS)
$(WEB)/tilecut.wasm: $(patsubst %,build/wasm/src/web/%.c.o,exports exports_labels scan/exports_scan) build/wasm/tilecut.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(WASM_CC) --target=wasm32-wasi $(WASM_LINK) -o $@ $^ -lm
	$(Q)$(WASM_OPT) $(WASM_SMALL) $@ -o $@
build/wasm/tilecut.a: $(WASM_OBJ)
	$(call say,AR)
	$(Q)rm -f $@ && $(WASM_AR) rcs $@ $^
build/wasm/%.c.o: %.c tools/make/web.mk
	@mkdir -p $(@D)
	$(call say,WASM)
	$(Q)$(WASM_CC) $(STD) $(WARN) $(EXACT) $(WASM_FLAGS) $(WASM_INC) -MMD -MP -c $< -o $@

# Tests the editor in a browser, in both forms. axe-core, fetched by npm, checks its accessibility. If it cannot be
# fetched, that part is skipped with a message; TILECUT_REQUIRE_AXE=1 makes that a failure.
AXE        ?= build/npm/node_modules/axe-core/axe.min.js
check-web:
	@sh tools/install-deps --with-browser
	@$(MAKE) --no-print-directory $(JOBS) all web npm
	@test -e $(AXE) || npm install --silent --no-fund --no-audit --prefer-offline --prefix build/npm \
	  axe-core@4.14.1 || true
	@AXE='$(abspath $(AXE))' TILECUT='$(abspath $(BUILD)/tilecut)' $(or $(NODE),node) tests/browser/run.mjs
	@$(MAKE) --no-print-directory check-npm

# The files that `tilecut edit` embeds: the same files, the module that talks to the program, and those for scans, but
# not those that store a page for offline use.
PAGE_FILES := $(filter-out %/offline.js %/nifti.js %/segments.js %/scan_page.js,$(sort $(WEB_FILES) $(WEB_JS)))
$(BUILD)/pages.c: $(PAGE_FILES) tools/embed-pages
	@mkdir -p $(@D)
	$(call say,EMBED)
	$(Q)sh tools/embed-pages $(PAGE_FILES) > $@
$(BUILD)/pages.c.o: $(BUILD)/pages.c $(BUILD)/flags
	$(call say,CC)
	$(Q)$(CC) $(CLI_FLAGS) -MMD -MP -c $< -o $@

-include $(patsubst %.o,%.d,$(WASM_OBJ) build/wasm/src/web/exports.c.o build/wasm/src/web/exports_labels.c.o \
  build/wasm/src/web/scan/exports_scan.c.o)
.PHONY: web web-missing check-web
