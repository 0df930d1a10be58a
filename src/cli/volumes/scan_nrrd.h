/* SPDX-License-Identifier: MIT
 *
 * scan_nrrd.h - what reading and writing NRRD have in common. The head of a scan is text: the lines of its header that
 * tell where it lies.
 */
#ifndef CLI_SCAN_NRRD_H
#define CLI_SCAN_NRRD_H

#include "scan.h"

int nrrd_encode(const char *name, const scan *what, const scan *like, bytes *sink, failure *why);

#endif
