# SPDX-License-Identifier: MIT
#
# release.mk - builds the files of a release. Their libraries are built from Debian's sources, once, in PARTS; a later
# release reuses them unless the sources have new versions.

PARTS     ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tilecut-release
RELEASE   ?= build/release-$(VERSION)
PROCESSORS := x86_64 aarch64
PARTS_OF   := $(PROCESSORS:%=%-musl) $(PROCESSORS:%=%-gnu) x86_64-windows

# One file with the C library, the image libraries and the editor: $(RELEASE)/tilecut-VERSION-linux-PROCESSOR.
STATIC_TO  = $(RELEASE)/tilecut-$(VERSION)-linux-$*
static: $(PROCESSORS:%=static-%)
$(PROCESSORS:%=static-%): static-%: parts-%-musl
	$(Q)PKG_CONFIG_LIBDIR=$(PARTS)/$*-musl/lib/pkgconfig $(MAKE) --no-print-directory $(JOBS) MODE=release \
	  BUILD=build/static/$* CC=$(PARTS)/$*-musl/bin/musl-gcc STATIC=1 CUDA=0 NIFTI_DIR=$(PARTS)/$*-musl/include/nifti \
	  STB_DIR=$(PARTS)/$*-musl/include/stb CPPFLAGS=-I$(PARTS)/$*-musl/include LDFLAGS=-L$(PARTS)/$*-musl/lib \
	  build/static/$*/tilecut
	$(Q)mkdir -p $(RELEASE) && $*-linux-gnu-strip -o $(STATIC_TO) build/static/$*/tilecut && chmod 755 $(STATIC_TO)
	@echo '$(STATIC_TO)'

# The program for Windows in a zip file, built by mingw-w64 (windows.mk).
WIN_PARTS  = $(PARTS)/x86_64-windows
WIN_ZIP    = $(RELEASE)/tilecut-$(VERSION)-windows-x86_64.zip
WIN_MAKE   = PKG_CONFIG_LIBDIR=$(WIN_PARTS)/lib/pkgconfig $(MAKE) --no-print-directory $(JOBS) MODE=release BUILD=build/windows \
  WINDOWS=1 STATIC=1 HARDEN=0 CUDA=0 CC=x86_64-w64-mingw32-gcc AR=x86_64-w64-mingw32-ar \
  NIFTI_DIR=$(WIN_PARTS)/include/nifti STB_DIR=$(WIN_PARTS)/include/stb CPPFLAGS=-I$(WIN_PARTS)/include \
  LDFLAGS=-L$(WIN_PARTS)/lib
windows: parts-x86_64-windows dist
	$(Q)$(WIN_MAKE) build/windows/tilecut.exe
	$(Q)rm -rf build/windows/zip $(WIN_ZIP) && mkdir -p $(RELEASE) build/windows/zip
	$(Q)x86_64-w64-mingw32-strip -o build/windows/zip/tilecut.exe build/windows/tilecut.exe
	$(Q)sh tools/release/licences windows $(PARTS)/sources >build/windows/zip/LICENCES.txt
	$(Q)touch -d @$(call dated) build/windows/zip/* && cd build/windows/zip && TZ=UTC $(PYTHON) -m zipfile -c $(abspath $(WIN_ZIP)) *
	@echo '$(WIN_ZIP)'

# Wheels for `pip install`: for every Python from 3.8, on every glibc from 2.28 or musl from 1.2, with the static
# program. Wheels for musl link no C library: they use the one that Python has loaded. They are therefore compiled
# without outline-atomics, which call __getauxval(), a function that musl does not export.
wheels: $(PROCESSORS:%=wheel-%) $(PROCESSORS:%=wheel-%-musl) wheel-windows
$(PROCESSORS:%=wheel-%): wheel-%: parts-%-gnu static-%
	$(Q)mkdir -p build/wheel/$* && $*-linux-gnu-gcc -O2 -fPIC -c tools/release/old_glibc.c -o build/wheel/$*/old_glibc.o
	$(call wheel,$*,$*-gnu,$*-linux-gnu-gcc,manylinux_2_28,build/wheel/$*/old_glibc.o -Wl$(comma)--no-as-needed -l:libpthread.so.0)
$(PROCESSORS:%=wheel-%-musl): wheel-%-musl: parts-%-musl static-%
	$(call wheel,$*,$*-musl,$(PARTS)/$*-musl/bin/musl-gcc,musllinux_1_2,-nolibc -Wl$(comma)--unresolved-symbols=ignore-all)
wheel-windows: windows
	$(Q)rm -rf build/windows/python
	$(Q)$(WIN_MAKE) STRIP=x86_64-w64-mingw32-strip PY_PROGRAM=build/windows/zip/tilecut.exe \
	  LICENCES=build/windows/zip/LICENCES.txt PLATFORM=win_amd64 wheel-here
	$(Q)cp build/windows/python/dist/*.whl $(RELEASE)
# $(call wheel,PROCESSOR,PARTS,COMPILER,PLATFORM,what to link with)
define wheel
$(Q)rm -rf build/wheel/$(2:%-gnu=%)/python && mkdir -p build/wheel/$(2:%-gnu=%)
$(Q)sh tools/release/licences linux $(PARTS)/sources >build/wheel/$(2:%-gnu=%)/LICENCES.txt
$(Q)PKG_CONFIG_LIBDIR=$(PARTS)/$(2)/lib/pkgconfig $(MAKE) --no-print-directory $(JOBS) MODE=release \
  BUILD=build/wheel/$(2:%-gnu=%) CC=$(3) STRIP=$(1)-linux-gnu-strip STATIC=images CUDA=0 HAVE_MHD= \
  NIFTI_DIR=$(PARTS)/$(2)/include/nifti STB_DIR=$(PARTS)/$(2)/include/stb CPPFLAGS='-I$(PARTS)/$(2)/include$(if $(filter aarch64-musl,$(2)), -mno-outline-atomics)' \
  LDFLAGS='-L$(PARTS)/$(2)/lib -Wl$(comma)--exclude-libs$(comma)ALL $(5)' \
  PY_PROGRAM=$(RELEASE)/tilecut-$(VERSION)-linux-$(1) LICENCES=build/wheel/$(2:%-gnu=%)/LICENCES.txt PLATFORM=$(4)_$(1) wheel-here
$(Q)cp build/wheel/$(2:%-gnu=%)/python/dist/*.whl $(RELEASE)
endef

# For all other platforms: the tarball with the metadata of a Python package, which `pip install` builds with make.
SDIST      = tilecut-$(subst -,,$(VERSION))
sdist: dist
	$(Q)rm -rf build/sdist && mkdir -p build/sdist && tar -xzf build/$(DIST).tar.gz -C build/sdist
	$(Q)[ $(DIST) = $(SDIST) ] || mv build/sdist/$(DIST) build/sdist/$(SDIST)
	$(Q)cp src/python/pyproject.toml build/sdist/$(SDIST)
	$(Q)printf '%s\n' "$$PY_METADATA" >build/sdist/$(SDIST)/PKG-INFO
	$(Q)tar -C build/sdist --sort=name --format=gnu --mtime=@$(call dated) --owner=0 --group=0 --numeric-owner \
	  --mode=u=rwX,go=rX -cf - $(SDIST) | gzip -9n >build/sdist/$(SDIST).tar.gz
	@echo 'build/sdist/$(SDIST).tar.gz'
# The date of the tarball's contents, in seconds since 1970.
dated      = $(shell $(ask_date))
ask_date   = tar --full-time -tvzf build/$(DIST).tar.gz | awk 'NR == 1 { print $$4, $$5 }' | xargs -I '{}' date -d '{}' +%s

# A container image for both processors.
oci: static dist
	$(Q)sh tools/release/licences linux $(PARTS)/sources >$(RELEASE)/LICENCES.txt
	$(Q)sh tools/release/oci $(VERSION) $(dated) $(RELEASE)/tilecut-$(VERSION)-oci.tar $(RELEASE)/LICENCES.txt \
	  $(PROCESSORS:%=$(RELEASE)/tilecut-$(VERSION)-linux-%)
	@echo '$(RELEASE)/tilecut-$(VERSION)-oci.tar'

# A container image with the GPU solvers, for x86_64: the program as built here, with nvcc's runtime inside, and the
# libraries that it links. `make release` leaves it out, because it needs nvcc and takes an hour of processor time for
# each architecture.
CUDA_TO    = $(RELEASE)/tilecut-$(VERSION)-linux-x86_64-cuda
oci-cuda: dist
	$(Q)$(MAKE) --no-print-directory $(JOBS) MODE=release BUILD=build/oci-cuda CUDA=1 CUDA_ARCH='$(or $(CUDA_ARCH),80 90)' \
	  build/oci-cuda/tilecut
	$(Q)mkdir -p $(RELEASE) && strip -o $(CUDA_TO) build/oci-cuda/tilecut && chmod 755 $(CUDA_TO)
	$(Q)cat LICENSE $(wildcard /usr/share/doc/libstb-dev/copyright $(dir $(NVCC))../EULA.txt) >build/oci-cuda/LICENCES.txt
	$(Q)sh tools/release/oci $(VERSION) $(dated) $(RELEASE)/tilecut-$(VERSION)-oci-cuda.tar build/oci-cuda/LICENCES.txt $(CUDA_TO)
	@echo '$(RELEASE)/tilecut-$(VERSION)-oci-cuda.tar'

# The components of a release's files. Their libraries are from Debian.
inside      = $(1)|$(shell sed -n 's/^$(1) //p' $(PARTS)/sources/versions)|$(2)|CONTAINS|$(3)?arch=source
linked      = $(1)|$(shell dpkg-query -W -f '$${Version}' $(1))|$(2)|CONTAINS|$(1)
release-spdx: dist
	$(Q)SOURCE_DATE_EPOCH=$(dated) sh tools/sbom $(VERSION) '$(call inside,musl,MIT,musl)' '$(call inside,zlib,Zlib,zlib)' \
	  '$(call inside,libpng,libpng-2.0,libpng1.6)' \
	  '$(call inside,libjpeg-turbo,IJG AND BSD-3-Clause AND Zlib,libjpeg-turbo)' \
	  '$(call inside,libtiff,libtiff,tiff)' '$(call inside,libwebp,BSD-3-Clause,libwebp)' \
	  '$(call inside,libmicrohttpd,LGPL-2.1-or-later,libmicrohttpd)' '$(call inside,nifticlib,NOASSERTION,nifticlib)' \
	  '$(call inside,stb,MIT OR Unlicense,libstb)' \
	  '$(call linked,wasi-libc,CC0-1.0 AND BSD-2-Clause AND MIT)' \
	  '$(call linked,libclang-rt-14-dev-wasm32,Apache-2.0 WITH LLVM-exception)' '$(call linked,mkdocs-material,MIT)' \
	  '$(call linked,mingw-w64-common,ZPL-2.1 AND MIT)' \
	  '$(call linked,gcc-mingw-w64-x86-64-posix-runtime,GPL-3.0-or-later WITH GCC-exception-3.1)' >$(RELEASE)/tilecut-$(VERSION).spdx

# Builds everything into one folder, including the web files, if their chapters are there.
FOR_WEB    := $(shell sed -n 's/^\(npm\|site\):.*/\1/p' $(wildcard tools/make/*.mk))
release:
	@sh tools/install-deps --with-release
	$(Q)rm -rf $(RELEASE) && mkdir -p $(RELEASE)
	$(Q)sh tools/release/sources $(PARTS)/sources --newest
	$(Q)set -e; for each in dist static windows wheels sdist oci release-spdx deb $(FOR_WEB); do \
	  echo "release: $$each"; $(MAKE) --no-print-directory CUDA=0 $$each; done
	$(Q)cp build/$(DIST).tar.gz $(DEBDIR)/*.deb $(RELEASE) && mkdir $(RELEASE)/pypi && \
	  mv $(RELEASE)/*.whl $(RELEASE)/pypi && cp build/sdist/$(SDIST).tar.gz $(RELEASE)/pypi
	$(Q)[ ! -e build/$(DIST).tgz ] || cp build/$(DIST).tgz $(RELEASE)
	$(Q)[ ! -d build/site/html ] || tar -C build/site --sort=name --mtime=@$$($(ask_date)) --owner=0 --group=0 --numeric-owner -czf \
	  $(RELEASE)/tilecut-$(VERSION)-site.tar.gz html
	$(Q)cd $(RELEASE) && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS && cat SHA256SUMS
	@echo 'release: all is in $(RELEASE)/. What is left needs a person:'
	@sed -n '/^## By hand/,/^## /{/^## /d;p;}' docs/design/releasing.md

$(PARTS_OF:%=parts-%): parts-%:
	@sh tools/install-deps --with-release
	$(Q)sh tools/release/sources $(PARTS)/sources
	$(Q)sh tools/release/libraries $(PARTS)/sources $* $(PARTS)/$*

.PHONY: static windows wheel-windows wheels sdist oci oci-cuda release release-spdx $(PROCESSORS:%=wheel-%) $(PROCESSORS:%=wheel-%-musl) $(PROCESSORS:%=static-%) $(PARTS_OF:%=parts-%)
