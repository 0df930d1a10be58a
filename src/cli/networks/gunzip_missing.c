/* SPDX-License-Identifier: MIT
 *
 * gunzip_missing.c - replaces gunzip.c in builds without zlib.
 */
#include "network_file.h"

bool gzip_built(void)
{
    return false;
}

int gzip_unpack(const char *name, bytes *data, uint64_t most_bytes, failure *why)
{
    (void)data;
    (void)most_bytes;
    return fail(why, EXIT_INPUT, "%s: packed by gzip; this build has no zlib, so unpack it first", name);
}
