# SPDX-License-Identifier: MIT
#
# peers.mk - programs to compare with.

# Peers are separate programs, because tilecut must not link libmaxflow and LEMON: tools/peers/NAME.cpp or .c becomes
# $(BUILD)/peers/NAME if its libraries are found.
PEER_NEEDS_bk     := maxflow
PEER_NEEDS_volumes := maxflow
PEER_NEEDS_labels-bk := maxflow
PEER_NEEDS_lemon  := lemon
PEER_NEEDS_igraph := igraph
PEER_NEEDS_grabcut := opencv4
PEER_HEADER_boost := boost/graph/boykov_kolmogorov_max_flow.hpp
PEER_NEEDS_network-bk     := maxflow
PEER_NEEDS_network-lemon  := lemon
PEER_NEEDS_network-igraph := igraph
PEER_HEADER_network-boost := boost/graph/push_relabel_max_flow.hpp
# Peers in Python, which report themselves what they lack.
PEER_SCRIPTS := network-scipy network-wbpr
PEERS := $(basename $(notdir $(sort $(wildcard tools/peers/*.c tools/peers/*.cpp))))
PEERS_HERE = $(foreach p,$(PEERS),$(if $(and \
  $(if $(PEER_NEEDS_$(p)),$(call has_pkg,$(PEER_NEEDS_$(p))),1), \
  $(if $(PEER_HEADER_$(p)),$(call has_header,$(PEER_HEADER_$(p))),1)),$(p)))
PEER_INC   = -Isrc -Itools/peers $(if $(filter volumes,$*),$(LIB_INC)) $(if $(PEER_NEEDS_$*),$(patsubst -I%,-isystem %,$(shell $(PKG) --cflags $(PEER_NEEDS_$*))))
PEER_LIBS  = $(if $(PEER_NEEDS_$*),$(shell $(PKG) --libs $(PEER_NEEDS_$*)))

peers:
	@sh tools/install-deps --with-peers
	@$(MAKE) --no-print-directory peers-here
peers-here: $(BUILD)/libtilecut.a
	@for p in $(filter-out $(PEERS_HERE),$(PEERS)); do echo "peer $$p: skipped, its library was not found"; done
	@set -e; for p in $(PEERS_HERE) $(PEER_SCRIPTS); do $(MAKE) --no-print-directory $(BUILD)/peers/$$p; done
$(PEER_SCRIPTS:%=$(BUILD)/peers/%): $(BUILD)/peers/%: tools/peers/%
	@mkdir -p $(@D)
	$(Q)install -m 755 $< $@
$(BUILD)/peers/%: tools/peers/%.cpp $(BUILD)/libtilecut.a
	@mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX) -std=c++17 $(CXXFLAGS) -Wall -Wextra $(PEER_INC) -pthread -o $@ $^ $(LDFLAGS) $(PEER_LIBS) $(CUDA_LIBS) -lm
$(BUILD)/peers/%: tools/peers/%.c $(BUILD)/libtilecut.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(STD) $(WARN_C) $(CFLAGS) $(PEER_INC) -pthread -o $@ $^ $(LDFLAGS) $(PEER_LIBS) $(CUDA_LIBS) -lm

BENCH_ARGS ?=
bench: all
	@$(MAKE) --no-print-directory peers-here
	./tilecut bench $(BENCH_ARGS)
