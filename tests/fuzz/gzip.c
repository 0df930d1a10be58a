/* SPDX-License-Identifier: MIT
 *
 * gzip.c - fuzz target: unpacking gzip data within a limit.
 */
#include <string.h>

#include "fuzz.h"
#include "gzip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 1 << 20 };
    bytes file = {0};
    failure why = {0};
    if (!size || !bytes_append(&file, data, size)) return 0;
    const int status = gzip_unpack("fuzz", &file, MOST, &why);
    MUST(status == EXIT_DONE || status == EXIT_INPUT || status == EXIT_RESOURCES);
    if (status == EXIT_DONE) MUST(file.size <= MOST);
    else MUST(!strncmp(why.text, "fuzz", 4));
    bytes_free(&file);
    return 0;
}
