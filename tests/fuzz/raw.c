/* SPDX-License-Identifier: MIT
 *
 * raw.c - fuzz target: voxels without a header, with and without gzip. The first four bytes are the shape and the type.
 */
#include "scan_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4) return 0;
    const scan_reading request = {.limits = &scan_limits,
                                  .shape = {.width = 1 + data[0] % 40, .height = 1 + data[1] % 40, .depth = 1 + data[2],
                                            .kind = data[3] % SCAN_KINDS, .swapped = data[3] > 127}};
    scan s = {0};
    if (read_scan(&request, data + 4, size - 4, &s) && s.format == &image_raw)
        MUST(s.width == request.shape.width && s.height == request.shape.height && s.depth == request.shape.depth);
    scan_free(&s);
    return 0;
}
