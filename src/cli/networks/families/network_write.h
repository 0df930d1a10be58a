/* SPDX-License-Identifier: MIT
 *
 * network_write.h - an instance of a family of networks as a file.
 */
#pragma once

#include "file.h"
#include "network_families.h"

/* Whether the extension of `path` fits the family's kind: .max, .txt or .asn ("-": any). EXIT_USAGE. */
int network_write_check(const network_family *family, const char *path, failure *why);

/* Appends the file. EXIT_USAGE: too many arcs; EXIT_RESOURCES: no memory, or more than `most` bytes are needed. */
int network_write(const network_family *family, const network_request *request, uint64_t most, bytes *out,
                  failure *why);
