/* SPDX-License-Identifier: MIT
 *
 * network_write.h - writes an instance of a family of networks as a file.
 */
#pragma once

#include "file.h"
#include "network_families.h"

/* Returns EXIT_USAGE unless the extension of `path` fits the family's kind: .max, .txt or .asn. "-" fits all. */
int network_write_check(const network_family *family, const char *path, failure *why);

/* Appends the file to `out`. EXIT_USAGE: too many arcs; EXIT_RESOURCES: no memory, or more than `most`
 * bytes are needed. */
int network_write(const network_family *family, const network_request *request, uint64_t most, bytes *out,
                  failure *why);
