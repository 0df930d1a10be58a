# SPDX-License-Identifier: MIT
#
# site.mk - README, guide, design, lab, headers and commands as a website with search, and the editor on its first page.

SITE ?= build/site
site:
	@sh tools/install-deps --with-site
	@$(MAKE) --no-print-directory $(JOBS) all web
	$(Q)$(PYTHON) tools/site/stage $(SITE) $(abspath $(BUILD)/tilecut) $(WEB)
	$(Q)mkdocs build --quiet --strict --config-file $(SITE)/mkdocs.yml
	$(Q)$(PYTHON) tools/site/stage --html $(SITE)/html
	$(Q)sh tools/release/licences site >$(SITE)/html/LICENCES.txt
	@echo '$(SITE)/html/: any static host serves it'

.PHONY: site
