/* SPDX-License-Identifier: MIT
 *
 * correct.h - --previous: a mask, corrected by the seeds that contradict it.
 */
#pragma once

#include "job.h"
#include "tilecut_correct.h"

enum { LEARN_BYTES = 20 }; /* bytes a pixel that --learn takes beside a cut */

/* Keeps what a correction has changed, with a note if that is nothing. */
void job_keep_corrected(job *j, const tilecut_corrected *out);

/* Corrects j->start into j->mask by the seeds that contradict it (tilecut_correct.h). Fills j->run. */
tilecut_status job_correct(job *j, const tilecut_params *how);
