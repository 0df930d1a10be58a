# SPDX-License-Identifier: MIT
#
# package.mk - tarball, Debian packages, clean.

# Packs the files that git tracks, in their current state, with the date of the last commit, so that everyone gets the
# same bytes. In an unpacked tarball without git, it packs all files that were not built, with the date of the
# changelog.
DIST   := tilecut-$(VERSION)
DEBDIR ?= build/deb
dist:
	@mkdir -p build
	$(Q)if git ls-files --error-unmatch Makefile >/dev/null 2>&1; \
	then git ls-files -z >build/packed; date=@$$(git log -1 --format=%ct); \
	else find . -mindepth 1 \( -path ./.git -o -path ./build -o -path ./demo \) -prune -o -type f ! -name 'crash-*' -printf '%P\0' \
	  >build/packed; date=$$(sed -n '/^ --/{s/^ -- .*>  //p;q;}' tools/debian/changelog); fi; \
	tar --null -T build/packed --sort=name --format=gnu --mtime="$$date" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --transform 's,^,$(DIST)/,' -cf build/$(DIST).tar
	$(Q)gzip -9nf build/$(DIST).tar
	@echo 'build/$(DIST).tar.gz'

# Builds Debian packages from the tarball alone.
deb:
	@sh tools/install-deps --with-deb
	@$(MAKE) --no-print-directory dist
	rm -rf $(DEBDIR)
	mkdir -p $(DEBDIR)
	tar -xzf build/$(DIST).tar.gz -C $(DEBDIR)
	cp -r $(DEBDIR)/$(DIST)/tools/debian $(DEBDIR)/$(DIST)/debian
	cd $(DEBDIR)/$(DIST) && MAKEFLAGS= dpkg-buildpackage -us -uc -b
	lintian --allow-root --fail-on error $(DEBDIR)/*.changes

# Recipes for Homebrew, conda and vcpkg, made from the tarball of `make dist`. URL is where the tarball will be,
# HOMEPAGE the project's page. The two headers of stb are taken from Debian's sources.
RECIPES     := $(patsubst tools/packaging/recipes/%.in,build/recipes/%,$(wildcard tools/packaging/recipes/*.in))
URL         ?= https://example.org/$(DIST).tar.gz
HOMEPAGE    ?= https://example.org/tilecut
STB_URL     := https://deb.debian.org/debian/pool/main/libs/libstb/libstb_0.0~git20220908.8b5f1f3+ds.orig.tar.xz
STB_SHA256  := 6949c8ff9f86d982cff1b384f1301a731cbaf3b3fa4d1728c7b48a02386d31d8
sum          = $$($(1)sum build/$(DIST).tar.gz | cut -d ' ' -f 1)
recipes: dist
	@mkdir -p build/recipes
	$(Q)set -e; for f in $(notdir $(RECIPES)); do sed -e 's|@VERSION@|$(VERSION)|' -e 's|@URL@|$(URL)|' \
	  -e 's|@HOMEPAGE@|$(HOMEPAGE)|' -e 's|@STB_URL@|$(STB_URL)|' -e 's|@STB_SHA256@|$(STB_SHA256)|' \
	  -e "s|@SHA256@|$(call sum,sha256)|" -e "s|@SHA512@|$(call sum,sha512)|" \
	  tools/packaging/recipes/$$f.in > build/recipes/$$f; done
	@printf '%s\n' $(RECIPES)

# Lists the components of a build with these libraries, as SPDX. HEIC, the server of `edit`, MPI and NCCL are loaded
# when needed.
pkg_row = $(if $(3),'$(1)|$(shell $(PKG) --modversion $(2) 2>/dev/null)|$(4)|$(5)|$(6)')
sbom:
	@mkdir -p $(BUILD)
	$(Q)sh tools/sbom $(VERSION) \
	  $(call pkg_row,libpng,libpng,$(HAVE_PNG),libpng-2.0,DYNAMIC_LINK,libpng16-16) \
	  $(call pkg_row,libjpeg-turbo,libjpeg,$(HAVE_JPEG),IJG AND BSD-3-Clause AND Zlib,DYNAMIC_LINK,libjpeg62-turbo) \
	  $(call pkg_row,libtiff,libtiff-4,$(HAVE_TIFF),libtiff,DYNAMIC_LINK,libtiff6) \
	  $(call pkg_row,libwebp,libwebp,$(HAVE_WEBP),BSD-3-Clause,DYNAMIC_LINK,libwebp7) \
	  $(call pkg_row,zlib,zlib,$(HAVE_ZLIB),Zlib,DYNAMIC_LINK,zlib1g) \
	  $(if $(HAVE_NIFTI),'nifticlib|NOASSERTION|NOASSERTION|DYNAMIC_LINK|libnifti2-2') \
	  $(if $(HAVE_STB),'stb|NOASSERTION|MIT OR Unlicense|CONTAINS|libstb-dev') \
	  $(call pkg_row,libheif,libheif,$(HAVE_HEIF),LGPL-3.0-or-later,RUNTIME_DEPENDENCY_OF,libheif1) \
	  $(if $(HAVE_GDCM),'gdcm|NOASSERTION|BSD-3-Clause|RUNTIME_DEPENDENCY_OF|libgdcm3.0') \
	  $(call pkg_row,libmicrohttpd,libmicrohttpd,$(HAVE_MHD),LGPL-2.1-or-later,RUNTIME_DEPENDENCY_OF,libmicrohttpd12) \
	  $(call pkg_row,Open MPI,ompi-c,$(HAVE_MPI),BSD-3-Clause,RUNTIME_DEPENDENCY_OF,libopenmpi3) >$(BUILD)/tilecut.spdx
	@echo '$(BUILD)/tilecut.spdx'

clean:
	rm -rf build demo tilecut libtilecut.*
