/* SPDX-License-Identifier: MIT
 *
 * scan_parts.h - cuts a volume in parts. A part is one of three: a thread that uses some slices of a volume that this
 * process has read; a thread that works in turn with the others and reads its own slices; or a process of mpirun, which
 * also reads its own. The labels are the same as without parts, bit for bit.
 */
#pragma once

#include "job_part.h"
#include "scan_job.h"

/* Checks the options. Returns EXIT_USAGE if they ask for parts although this volume cannot be cut in parts, else 0. */
int scan_parts_check(const scan_job *job, failure *why);

/* Reads --device and --exchange into job->devices and job->exchange. A list of GPUs without --parts also sets
 * job->parts. Returns 0, EXIT_USAGE, or EXIT_RESOURCES if a listed GPU does not exist. */
int scan_take_devices(scan_job *job, const common *asked, const model *rule, const char *exchange, failure *why);

/* Plans, reads, cuts and writes. If job->parts is not 0, the volume is cut in that many parts: all at once, or in turn
 * if memory does not suffice for all; under mpirun together with the other processes. If memory does not suffice even
 * then, the error sentence names a number of parts that fits. Under mpirun one process has already printed the error,
 * and `why` is empty. */
int scan_parts_do(scan_job *job, failure *why);

/* ---- for scan_*.c of this folder ---- */

/* These two write the labels of parts that read their own slices. All parts call scan_gather_open() after reading, so
 * that a file that cannot be created is an early error, and scan_gather() after the cut; then the first part writes the
 * file. `stream` must be zero at first; call file_stream_end() in any case. */
int scan_gather_open(scan_job *job, struct file_stream *stream, failure *why);
int scan_gather(scan_job *job, struct file_stream *stream, failure *why);

/* Makes the request for job_part_open_exchange(), which opens the exchange of the parts. */
job_division scan_division(const scan_job *job);
