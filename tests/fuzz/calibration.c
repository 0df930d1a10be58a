/* SPDX-License-Identifier: MIT
 *
 * calibration.c - fuzz target: the calibration file of --device auto. The times in an accepted file must be finite.
 */
#include <math.h>

#include "calibration.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    calibration c;
    if (!calibration_parse(data ? (const char *)data : "", size, &c)) return 0;
    MUST(c.measured && c.rows >= 1 && c.rows <= CALIBRATION_ROWS && c.row[0].threads == 1);
    for (int threads = 1; threads <= 256; threads *= 4)
        for (int jobs = 1; jobs <= 10000; jobs *= 100) {
            const calibration_load load = {.pixels = 1u << 28, .jobs = jobs, .threads = threads};
            MUST(isfinite(calibration_cpu_ms(&c, &load)) && calibration_cpu_ms(&c, &load) > 0);
            MUST(isfinite(calibration_gpu_ms(&c, &load)) && calibration_gpu_ms(&c, &load) >= 0);
        }
    return 0;
}
