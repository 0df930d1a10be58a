/* SPDX-License-Identifier: MIT
 *
 * iterate.h - the search for a box alone, for those who cut at full size elsewhere.
 */
#ifndef TC_ITERATE_H
#define TC_ITERATE_H

#include <stdbool.h>

#include "mixture.h"
#include "tilecut.h"

/* What a search in a smaller copy has found: a mask of the size of the image, and the model that it was cut with. */
typedef struct tc_finding {
    uint8_t *mask; /* [pixels] 0 or 255: the caller's, filled */
    tc_mixture mixture[2];
    tilecut_report told;
} tc_finding;

/* `seeds` are a box alone. *found: false where a copy is not smaller, or the parameters want no search. */
tilecut_status tc_search_small(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                               tc_finding *finding, bool *found);

#endif
