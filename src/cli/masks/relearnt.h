/* SPDX-License-Identifier: MIT
 *
 * relearnt.h - a mask, corrected by seeds from which everything is learnt anew.
 */
#ifndef CLI_RELEARNT_H
#define CLI_RELEARNT_H

#include "corrected.h"

/* Corrects `mask` as corrected_mask() does, but learns from all seeds first, as tilecut_segment() does without a mask.
 * Foreground seeds still only add to the mask, and background seeds only take away. Of what is learnt they get
 *
 *   - each region that holds such a seed, if the seed lies in its middle. Otherwise the region is more than what the
 *     user meant, and the seeds of that class become a stroke, as in corrected_mask();
 *   - all other regions that are no larger than these.
 *
 * A region is connected, and has the seeds' label in what was learnt but not in the mask. For a user corrects the
 * largest fault first, and paints in its middle. out->cut is of the last cut that was made; its times are those of all.
 * Errors: those of tilecut_segment() and of the session, and ENOMEM. Then `mask` may be half corrected. */
enum { RELEARNT_BYTES = 18 }; /* a pixel, that this takes beside a cut */

tilecut_status relearnt_mask(const tilecut_image *photo, const uint8_t *seeds, const tilecut_params *how,
                             uint8_t *mask, corrected *out);

#endif
