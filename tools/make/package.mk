# SPDX-License-Identifier: MIT
#
# package.mk - tarball, Debian packages, clean.

# What git tracks, as it is here, with the date of the last commit: the same bytes for everyone.
DIST   := tilecut-$(VERSION)
DEBDIR ?= build/deb
dist:
	@git ls-files --error-unmatch Makefile >/dev/null 2>&1 || { echo 'make dist: needs a clone, for it packs what git tracks' >&2; exit 1; }
	@mkdir -p build
	$(Q)git ls-files -z | tar --null -T - --sort=name --format=gnu --mtime=@$$(git log -1 --format=%ct) --owner=0 --group=0 \
	  --numeric-owner --mode=u=rwX,go=rX --transform 's,^,$(DIST)/,' -cf build/$(DIST).tar
	$(Q)gzip -9nf build/$(DIST).tar
	@echo 'build/$(DIST).tar.gz'

# Debian packages, made of the tarball and nothing else.
deb: dist
	@sh tools/install-deps --with-deb
	rm -rf $(DEBDIR)
	mkdir -p $(DEBDIR)
	tar -xzf build/$(DIST).tar.gz -C $(DEBDIR)
	cp -r $(DEBDIR)/$(DIST)/tools/debian $(DEBDIR)/$(DIST)/debian
	cd $(DEBDIR)/$(DIST) && MAKEFLAGS= dpkg-buildpackage -us -uc -b
	lintian --allow-root --fail-on error $(DEBDIR)/*.changes

clean:
	rm -rf build demo tilecut libtilecut.*
