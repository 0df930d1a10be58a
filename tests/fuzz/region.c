/* SPDX-License-Identifier: MIT
 *
 * region.c - fuzz target: pictures that are read by rows. The first byte selects the order of the rows, the rest is the
 * file. Rows must be complete and the same every time, or an error must be reported.
 */
#include "region.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

enum { MOST_BYTES = 1 << 18 };

/* A few bytes may declare a picture of any size, and memory for a very large one is not available. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1:max_allocation_size_mb=256"; }

static bool read_some(region_reader *reader, int64_t first, int64_t rows, size_t row, uint8_t *all, uint8_t *seen)
{
    failure why = {0};
    /* allocates exactly this size, so that sanitizers see writes past the end */
    uint8_t *const pixels = malloc((size_t)rows * row);
    MUST(pixels);
    const int status = region_read(reader, first, rows, pixels, &why);
    MUST(status == EXIT_DONE || ((status == EXIT_INPUT || status == EXIT_RESOURCES) && *why.text &&
                                 !strchr(why.text, '\n')));
    for (int64_t i = 0; !status && i < rows; i++) {
        uint8_t *const to = all + (size_t)(first + i) * row;
        MUST(!seen[first + i] || !memcmp(to, pixels + (size_t)i * row, row));
        memcpy(to, pixels + (size_t)i * row, row);
        seen[first + i] = 1;
    }
    free(pixels);
    return !status;
}

/* Reads two bands of rows, the lower one first if `order` says so, and the first row again. */
static void read_rows(region_reader *reader, const region_shape *shape, unsigned order)
{
    const size_t row = (size_t)shape->width * (size_t)shape->channels * (size_t)(shape->depth / 8);
    const int64_t cut = shape->height * (1 + order % 3) / 4;
    uint8_t *const all = malloc(row * (size_t)shape->height), *const seen = calloc((size_t)shape->height, 1);
    bool good = true;
    MUST(all && seen);
    for (int i = 0; good && i < 2; i++) {
        const bool lower = (i == 0) == (order / 3 % 2 == 0);
        const int64_t first = lower ? cut : 0, rows = lower ? shape->height - cut : cut;
        if (rows) good = read_some(reader, first, rows, row, all, seen);
    }
    if (good) (void)read_some(reader, 0, 1, row, all, seen);
    free(all);
    free(seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    region_shape shape;
    region_reader *reader = NULL;
    failure why = {0};
    char path[40];
    if (!size) return 0;
    const int file = memfd_create("region", MFD_CLOEXEC);
    MUST(file >= 0 && write(file, data + 1, size - 1) == (ssize_t)size - 1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int status = (data[0] & 128 ? region_open_stored : region_open)(path, true, &shape, &reader, &why);
    MUST(status == EXIT_DONE || status == EXIT_INPUT || status == EXIT_RESOURCES);
    if (status) MUST(*why.text && !strchr(why.text, '\n') && !reader);
    else if (!reader) MUST(!shape.rows_are_free);
    else if (shape.width * shape.height <= MOST_BYTES / 6) read_rows(reader, &shape, data[0]);
    region_close(reader);
    close(file);
    return 0;
}
