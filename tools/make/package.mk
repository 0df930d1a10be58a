# SPDX-License-Identifier: MIT
#
# package.mk - tarball, Debian packages, clean.

# What git tracks, as it is here, with the date of the last commit: the same bytes for everyone. In what was unpacked from
# such a tarball, and where there is no git, all that is there and was not built, with the date of the changelog.
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

# Debian packages, made of the tarball and nothing else.
deb:
	@sh tools/install-deps --with-deb
	@$(MAKE) --no-print-directory dist
	rm -rf $(DEBDIR)
	mkdir -p $(DEBDIR)
	tar -xzf build/$(DIST).tar.gz -C $(DEBDIR)
	cp -r $(DEBDIR)/$(DIST)/tools/debian $(DEBDIR)/$(DIST)/debian
	cd $(DEBDIR)/$(DIST) && MAKEFLAGS= dpkg-buildpackage -us -uc -b
	lintian --allow-root --fail-on error $(DEBDIR)/*.changes

clean:
	rm -rf build demo tilecut libtilecut.*
