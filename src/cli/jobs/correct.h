/* SPDX-License-Identifier: MIT
 *
 * correct.h - --previous: corrects a mask by the seeds that contradict it.
 */
#pragma once

#include "job.h"
#include "tilecut_correct.h"

/* Stores the result of a correction in the report, with a note if nothing has changed. */
void job_keep_corrected(job *j, const tilecut_corrected *out);

/* Corrects j->start by the seeds that contradict it (tilecut_correct.h), and writes the result to j->mask.
 * Fills j->run. */
tilecut_status job_correct(job *j, const tilecut_params *how);
