/* SPDX-License-Identifier: MIT
 *
 * raw.c - fuzz target: voxels without a header, packed by gzip or not. The first four bytes are the shape and the kind.
 */
#include "scan_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const image_limits limits = {.max_pixels = SCAN_MOST_VOXELS, .max_bytes = 1 << 22};
    if (size < 4) return 0;
    const scan_reading request = {.limits = &limits,
                            .shape = {.width = 1 + data[0] % 40, .height = 1 + data[1] % 40, .depth = 1 + data[2],
                                      .kind = data[3] % SCAN_KINDS, .swapped = data[3] > 127}};
    scan s = {0};
    notes log = {0};
    failure why = {0};
    const int status = scan_decode("fuzz", data + 4, size - 4, &request, &s, &log, &why);
    MUST(status == EXIT_DONE || status == EXIT_INPUT || status == EXIT_RESOURCES);
    if (status == EXIT_DONE) {
        double sum = 0; /* reads every voxel, for the sanitizers */
        for (size_t i = 0; i < scan_count(&s); i++) sum += scan_value(&s, i) > 0;
        MUST(sum >= 0 && sum <= (double)scan_count(&s));
        if (s.format == &scan_raw)
            MUST(s.width == request.shape.width && s.height == request.shape.height && s.depth == request.shape.depth);
    } else {
        MUST(why.status == status && !strncmp(why.text, "fuzz", 4) && !strchr(why.text, '\n'));
    }
    scan_free(&s);
    notes_free(&log);
    return 0;
}
