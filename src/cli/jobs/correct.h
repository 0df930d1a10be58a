/* SPDX-License-Identifier: MIT
 *
 * correct.h - --previous: a mask, corrected by the seeds that contradict it.
 */
#ifndef CLI_CORRECT_H
#define CLI_CORRECT_H

#include "job.h"

/* Corrects j->start into j->mask: first the foreground that it lacks is added, then the background that it lacks is
 * taken away, each as one stroke of a session. Where no seed contradicts the mask, it stays as it is. Fills j->run. */
tilecut_status job_correct(job *j, const tilecut_params *how);

#endif
