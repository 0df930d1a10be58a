/* SPDX-License-Identifier: MIT
 *
 * scan_parts.h - a volume cut in parts: each is a thread of this process, with some slices of what the process has
 * read, or a process of mpirun, which reads its own. Labels are those of one part, bit for bit, and what becomes of
 * them is scan_job.h's, as in one part.
 */
#ifndef CLI_SCAN_PARTS_H
#define CLI_SCAN_PARTS_H

#include "scan_job.h"

/* Whether a volume can be cut in parts as these options ask for, or need not be. EXIT_USAGE. */
int scan_parts_check(const scan_job *job, const common *asked, const model *how, failure *why);

/* For scan_job.cut: cuts it in job->parts parts. */
int scan_parts_cut(scan_job *job, const tilecut_volume *volume, const tilecut_params *how, failure *why);

/* Cuts it with the other processes of mpirun, and writes all outputs. One of them has said what failed by then, and
 * `why` is empty, unless it failed before they met. */
int scan_ranks_do(scan_job *job, const common *asked, const inputs *in, failure *why);

#endif
