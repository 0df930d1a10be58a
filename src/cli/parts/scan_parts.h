/* SPDX-License-Identifier: MIT
 *
 * scan_parts.h - cuts a volume in parts. A part is a thread that uses some slices of the volume that this process has
 * read; or a thread that works in turn with the others and reads its own slices; or a process of mpirun, which also
 * reads its own. Labels are the same, bit for bit, as without parts, and scan_job.h processes them in the same way.
 */
#pragma once

#include "tiled_job.h"
#include "scan_job.h"

/* Checks the options: returns 0 if the volume need not be cut in parts or can be, else EXIT_USAGE. */
int scan_parts_check(const scan_job *job, failure *why);

/* Reads --device and --exchange: fills in job->devices, job->exchange and, for a list of GPUs without --parts,
 * job->parts. Returns 0, EXIT_USAGE, or EXIT_RESOURCES if there are no such GPUs. */
int scan_take_devices(scan_job *job, const common *asked, const model *rule, const char *exchange, failure *why);

/* Plans, reads, cuts and writes, in job->parts parts if that is not 0: all at once, or in turn if there is too little
 * memory for all; under mpirun with the other processes. If even that takes too much memory, the error sentence names a
 * number of parts that fits. Under mpirun one process has already printed what failed, and `why` is empty. */
int scan_parts_do(scan_job *job, failure *why);

/* ---- for scan_*.c of this folder ---- */

/* Write the labels of parts that read their own slices. All parts call scan_gather_open() after reading, so that a file
 * that cannot be created is an early error, and scan_gather() after the cut, when job->labels is there. Then the first
 * part has written the file. `stream`: zero at first; call file_stream_end() in any case. */
int scan_gather_open(scan_job *job, struct file_stream *stream, failure *why);
int scan_gather(scan_job *job, struct file_stream *stream, failure *why);

/* The request with which the exchange of parts is opened (tiled_job_open_exchange()). */
tiled_job scan_request(const scan_job *job);

/* Whether there is too little memory for all parts at once; EXIT_RESOURCES if there is too little even in turn. */
bool scan_must_take_turns(const scan_job *job);
int scan_check_turns(const scan_job *job, failure *why);

/* After a volume was refused because it needs too much memory: if it can be cut in parts on this machine, adds to the
 * error sentence the options that do so. */
void scan_advise(const scan_job *job, failure *why);
