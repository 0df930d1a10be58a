/* SPDX-License-Identifier: MIT
 *
 * scan_parts.h - a volume cut in parts: each is a thread of this process, with some slices of what the process has
 * read. Labels are those of one part, bit for bit, and what becomes of them is scan_job.h's, as in one part.
 */
#ifndef CLI_SCAN_PARTS_H
#define CLI_SCAN_PARTS_H

#include "scan_job.h"

/* Whether a volume can be cut in parts as these options ask for. `parts`: --parts; 0: not given. EXIT_USAGE. */
int scan_parts_check(const common *asked, const model *how, int parts, const char *path, failure *why);

/* For scan_job.cut: cuts it in job->parts parts. */
int scan_parts_cut(scan_job *job, const tilecut_volume *volume, const tilecut_params *how, failure *why);

#endif
