/* SPDX-License-Identifier: MIT
 *
 * label_peers.h - simple methods for energies of many labels, to measure `tilecut labels` against: none of them is used
 * elsewhere.
 */
#pragma once

#include "label_families.h"

/* Writes labels, and a lower bound where the method has one. ENOMEM, ECANCELLED (after `stop` was raised), or as of
 * tilecut_graph_solve(). */
typedef tilecut_status label_method(const label_energy *e, const tilecut_flag *stop, uint8_t *label, double *bound);

typedef struct label_peer {
    const char *name;
    label_method *run;
    bool proven; /* each of its moves is a certified minimum cut */
} label_peer;

extern const label_peer label_peers[]; /* ends with a row whose name is NULL */
const label_peer *label_peer_find(const char *name);

/* By name "expansion", "swap", "icm" and "trws": see label_peers.c. */
label_method label_expansion, label_swap, label_icm, label_trws;
