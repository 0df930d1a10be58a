/* SPDX-License-Identifier: MIT
 *
 * scan_parts.h - a volume cut in parts: each is a thread of this process, with some slices of what the process has
 * read; or a thread that works in turn with the others, or a process of mpirun, which read their own. Labels are those
 * of one part, bit for bit, and what becomes of them is scan_job.h's, as in one part.
 */
#ifndef CLI_SCAN_PARTS_H
#define CLI_SCAN_PARTS_H

#include "parted.h"
#include "scan_job.h"

/* Whether a volume can be cut in parts as these options ask for, or need not be. EXIT_USAGE. */
int scan_parts_check(const scan_job *job, failure *why);

/* What --device and --exchange say of parts: fills in job->devices, exchange and, for a list of GPUs without --parts,
 * parts. EXIT_USAGE; EXIT_RESOURCES if there are no such GPUs. */
int scan_take_devices(scan_job *job, const common *asked, const model *how, const char *exchange, failure *why);

/* Plans, reads, cuts and writes, in job->parts parts if that is not 0: all at once, or in turn if memory does not
 * suffice for all; under mpirun with the other processes. Where memory does not suffice at all the sentence names
 * numbers that would do. Under mpirun one process has said what failed by then, and `why` is empty. */
int scan_parts_do(scan_job *job, const common *asked, failure *why);

/* ---- for scan_*.c of this folder ---- */

/* The two ways of parts that read their own slices. Turns have been planned and checked before. */
int scan_ranks_do(scan_job *job, const common *asked, failure *why);
int scan_turns_do(scan_job *job, const common *asked, failure *why);

/* Labels of parts that read their own slices, on their way into a file. All parts call these: after reading, so that it
 * is known that the file can be made; and after the cut, when j->labels are there. The first part has it written then,
 * with its name. `stream`: zero at first; file_stream_end() in any case. */
int scan_gather_open(scan_job *job, struct file_stream *stream, failure *why);
int scan_gather(scan_job *job, struct file_stream *stream, failure *why);

/* What a part's exchange is made from. */
parted_request scan_request(const scan_job *job, const common *asked);

/* engine_choose() for a part, with its own device. Under mpirun those of a host are dealt to its processes. */
int scan_choose(const scan_job *job, const common *asked, int part, tilecut_params *params, notes *log, failure *why);

/* Bytes that parts take all at once, the volume included. wide: voxels have 26 neighbours. */
uint64_t scan_parts_need(const scan_extent *e, int parts, bool wide);

/* Whether there is memory for one part at a time only; and EXIT_RESOURCES if not even for one. */
bool scan_must_take_turns(const scan_job *job);
int scan_check_turns(const scan_job *job, failure *why);

/* For a volume that was refused because of the memory that it needs, adds to the sentence how it can be cut in parts on
 * this machine, if it can. */
void scan_advise(const scan_job *job, failure *why);

#endif
