/* SPDX-License-Identifier: MIT
 *
 * label_peers.h - simple methods for energies of many labels, against which `tilecut labels` is measured. Nothing else
 * uses them.
 */
#pragma once

#include "label_families.h"

/* Writes the labels to `label`, and to *bound a lower bound of the energy, or NAN if the method has none. ENOMEM,
 * ECANCELLED (after `stop` was raised), or an error of tilecut_graph_solve(). */
typedef tilecut_status label_method(const label_energy *e, const tilecut_flag *stop, uint8_t *label, double *bound);

typedef struct label_peer {
    const char *name;
    label_method *run;
    bool proven; /* true: each move of this method is a certified minimum cut */
} label_peer;

extern const label_peer label_peers[]; /* ends with a row whose name is NULL */
const label_peer *label_peer_find(const char *name);

/* The methods "expansion", "swap", "icm" and "trws"; see label_peers.c. */
label_method label_expansion, label_swap, label_icm, label_trws;
