/* SPDX-License-Identifier: MIT
 *
 * across_islands.c - removes islands from a mask of an image in parts. Each part floods from its own strokes, and then
 * from the pixels at its borders that other parts have reached, until no part reaches anything new.
 */
#include <stdlib.h>
#include <string.h>

#include "islands.h"
#include "status.h"

/* Marks own pixels of row `row` as reached if they touch reached pixels of a row beyond a border. Sets *news to true if
 * there were any. Returns false if there is no memory. */
static bool reach_beside(tc_islands *f, int row, const uint8_t *beyond, bool *news)
{
    const int reach = f->connectivity == 8 || f->connectivity == 26 ? 1 : 0;
    for (int x = 0; x < f->width; x++) {
        if (beyond[x] != TC_ON_LAND) continue;
        for (int column = x - reach; column <= x + reach; column++) {
            if (column < 0 || column >= f->width) continue;
            const size_t p = (size_t)row * (size_t)f->width + (size_t)column;
            if (f->mask[p] != 255) continue;
            *news = true;
            if (!tc_islands_reach(f, p)) return false;
        }
    }
    return true;
}

/* The number of pixel rows along a border: 1, or in a volume the rows of a slice. */
static int border_rows(const tc_islands *f)
{
    return f->slice_rows ? f->slice_rows : 1;
}

/* Calls reach_beside() for all rows along a border, the first of which is `first`. */
static bool reach_border(tc_islands *f, int first, const uint8_t *beyond, bool *news)
{
    const int rows = border_rows(f), reach = f->connectivity == 26 ? 1 : 0;
    for (int i = 0; i < rows; i++)
        for (int y = i - reach; y <= i + reach; y++)
            if (y >= 0 && y < rows && !reach_beside(f, first + y, beyond + (size_t)i * (size_t)f->width, news))
                return false;
    return true;
}

/* One round of flooding from pixels beyond the borders. */
static tilecut_status flood_across(tc_comm *comm, tc_islands *f, uint8_t *beyond, bool *news)
{
    const int first = comm->first, last = first + comm->rows - border_rows(f);
    const size_t width = (size_t)f->width, bytes = width * (size_t)border_rows(f);
    bool room = true;
    *news = false;
    NEED(tc_comm_exchange_halo(comm, f->mask + (size_t)first * width, f->mask + (size_t)last * width, beyond,
                               beyond + bytes, bytes));
    if (tc_has_above(comm)) room = reach_border(f, first, beyond, news);
    if (room && tc_has_below(comm)) room = reach_border(f, last, beyond + bytes, news);
    if (!room) return tc_fail(TILECUT_ENOMEM, "no memory to find the regions of a mask");
    return TILECUT_OK;
}

tilecut_status tc_islands_across(tc_islands *f, tc_comm *comm)
{
    tilecut_status status = TILECUT_OK;
    uint8_t *beyond;
    bool news = true;

    if (!comm) return TILECUT_OK;
    beyond = malloc(2 * (size_t)f->width * (size_t)border_rows(f));
    if (!beyond) return tc_fail(TILECUT_ENOMEM, "no memory to find the regions of a mask");
    while (news) {
        TRY(flood_across(comm, f, beyond, &news));
        TRY(tc_comm_any(comm, &news));
    }
done:
    free(beyond);
    return status;
}

tilecut_status tc_drop_islands(tc_comm *comm, const uint8_t *seeds, tc_islands f, int64_t *foreground)
{
    const int width = f.width, height = f.height;
    const tc_own_rows own = tc_own_rows_of(comm, height);
    tilecut_status status = TILECUT_OK;
    bool seeded;

    for (int y = 0; y < height; y++)
        if (y < own.first || y >= own.end) memset(f.mask + (size_t)y * (size_t)width, 0, (size_t)width);
    if (!tc_islands_reach_seeds(&f, seeds, (size_t)own.first * (size_t)width, (size_t)own.end * (size_t)width, &seeded))
        TRY(tc_fail(TILECUT_ENOMEM, "no memory to find the regions of a mask of %dx%d pixels", width, height));
    TRY(tc_islands_across(&f, comm));
    TRY(tc_comm_any(comm, &seeded));
    *foreground = tc_islands_sink(&f, !seeded);
    TRY(tc_comm_allreduce(comm, foreground, 1));
done:
    /* removes the marks, so that the mask is 0 and 255 again */
    if (status != TILECUT_OK) (void)tc_islands_sink(&f, true);
    return status;
}
