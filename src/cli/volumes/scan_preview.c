/* SPDX-License-Identifier: MIT
 *
 * scan_preview.c - see scan_job.h: draws a picture of a volume and its labels. Pixels are square in space. Their side
 * is the smallest spacing, or more if a slice would otherwise exceed its place in the picture. If the file has the
 * orientation of the patient, front and top are up.
 */
#include "scan_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paint.h"

enum { COLUMNS = 5, ROWS = 4, TILE_MOST = 320, GAP = 4, CHANNELS = 3 };

/* A slice: `across` is the axis at right angles to it; axis u goes right and axis v down. */
typedef struct plane {
    int u, v, across, at;
    int width, height;  /* pixels                */
    double step[2];     /* voxels from one pixel to the next along u and v */
    bool flip;          /* true: v goes up       */
} plane;

typedef struct sheet {
    const scan *scan;
    const double *range;
    const uint8_t *mask, *labels;
    image out;
} sheet;

static int side_of(const scan *s, int k) { return k == 0 ? s->width : k == 1 ? s->height : s->depth; }

/* True if voxel indices along axis k grow towards the front or the top, which is drawn upwards. */
static bool goes_up(const scan *s, int k)
{
    int main_row = 0;
    if (!s->placed) return false;
    for (int r = 1; r < 3; r++)
        if (fabs(s->place[r][k]) > fabs(s->place[main_row][k])) main_row = r;
    return main_row > 0 && s->place[main_row][k] > 0;
}

static plane make_plane(const scan *s, int u, int v, int across, int at)
{
    const double su = s->spacing[0] > 0 ? s->spacing[u] : 1, sv = s->spacing[0] > 0 ? s->spacing[v] : 1;
    const double width = side_of(s, u) * su, height = side_of(s, v) * sv;
    const double pixel = fmax(fmin(su, sv), fmax(width, height) / TILE_MOST);
    plane p = {.u = u, .v = v, .across = across, .at = at, .flip = goes_up(s, v)};
    p.width = (int)fmax(1, floor(width / pixel + 0.5));
    p.height = (int)fmax(1, floor(height / pixel + 0.5));
    p.step[0] = (double)side_of(s, u) / p.width;
    p.step[1] = (double)side_of(s, v) / p.height;
    return p;
}

static size_t voxel_at(const scan *s, const plane *p, int x, int y)
{
    const int row = p->flip ? p->height - 1 - y : y;
    size_t at[3];
    at[p->u] = (size_t)((x + 0.5) * p->step[0]);
    at[p->v] = (size_t)((row + 0.5) * p->step[1]);
    at[p->across] = (size_t)p->at;
    return (at[2] * (size_t)s->height + at[1]) * (size_t)s->width + at[0];
}

static uint8_t level_of(const sheet *all, size_t i)
{
    const double low = all->range[0], high = all->range[1];
    const double share = high > low ? (scan_value(all->scan, i) - low) / (high - low) : 0.5;
    return (uint8_t)(share <= 0 ? 0 : share >= 1 ? 255 : floor(255 * share + 0.5));
}

/* Draws a slice with its overlay; its upper left corner is at (left, top) of the sheet. */
static int draw(sheet *all, const plane *p, int left, int top, failure *why)
{
    const size_t pixels = (size_t)p->width * (size_t)p->height, channels = (size_t)scan_channels(all->scan);
    uint8_t *const planes = malloc((channels + 2) * pixels);
    image painted = {0};
    if (!planes) return fail(why, EXIT_RESOURCES, "not enough memory for a preview");
    uint8_t *const mask = planes + channels * pixels, *const labels = mask + pixels;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            const size_t i = voxel_at(all->scan, p, x, y), to = (size_t)y * (size_t)p->width + (size_t)x;
            for (size_t c = 0; c < channels; c++) planes[to * channels + c] = level_of(all, i * channels + c);
            mask[to] = all->mask[i];
            labels[to] = all->labels[i];
        }
    const image slice = {.width = p->width, .height = p->height, .channels = (int)channels, .depth = 8,
                         .pixels = planes, .orientation = 1};
    const int status = paint_overlay(&slice, mask, NULL, labels, &painted, why);
    for (int y = 0; !status && y < p->height; y++)
        memcpy(all->out.pixels + CHANNELS * ((size_t)(top + y) * (size_t)all->out.width + (size_t)left),
               painted.pixels + CHANNELS * (size_t)y * (size_t)p->width, CHANNELS * (size_t)p->width);
    image_free(&painted);
    free(planes);
    return status;
}

/* Finds the first and last slice of the object across each axis; without an object, those of the volume. */
static void find_bounds(const scan *s, const uint8_t *mask, int low[3], int high[3])
{
    size_t i = 0;
    for (int k = 0; k < 3; k++) low[k] = side_of(s, k), high[k] = -1;
    for (int z = 0; z < s->depth; z++)
        for (int y = 0; y < s->height; y++)
            for (int x = 0; x < s->width; x++, i++) {
                const int at[3] = {x, y, z};
                for (int k = 0; k < 3 && mask[i]; k++) {
                    if (at[k] < low[k]) low[k] = at[k];
                    if (at[k] > high[k]) high[k] = at[k];
                }
            }
    for (int k = 0; k < 3; k++)
        if (high[k] < 0) low[k] = 0, high[k] = side_of(s, k) - 1;
}

static int draw_all(sheet *all, const int low[3], const int high[3], failure *why)
{
    const scan *const s = all->scan;
    const int middle[3] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
    const plane axial = make_plane(s, 0, 1, 2, 0), coronal = make_plane(s, 0, 2, 1, middle[1]),
                sagittal = make_plane(s, 1, 2, 0, middle[0]);
    const int slices = high[2] - low[2] + 1, shown = slices < COLUMNS * ROWS ? slices : COLUMNS * ROWS;
    const int rows = (shown + COLUMNS - 1) / COLUMNS, across = shown < COLUMNS ? shown : COLUMNS;
    const int below = coronal.height > sagittal.height ? coronal.height : sagittal.height;
    const int wide = across * (axial.width + GAP), two = coronal.width + sagittal.width + 2 * GAP;
    all->out = (image){.width = wide > two ? wide : two, .height = rows * (axial.height + GAP) + below,
                       .channels = CHANNELS,
                       .depth = 8, .orientation = 1};
    all->out.pixels = calloc((size_t)all->out.width * (size_t)all->out.height, CHANNELS);
    if (!all->out.pixels) return fail(why, EXIT_RESOURCES, "not enough memory for a preview");
    int status = EXIT_DONE;
    for (int i = 0; !status && i < shown; i++) {
        plane p = axial;
        p.at = shown > 1 ? low[2] + (int)((int64_t)i * (slices - 1) / (shown - 1)) : middle[2];
        status = draw(all, &p, i % COLUMNS * (axial.width + GAP), i / COLUMNS * (axial.height + GAP), why);
    }
    const int top = rows * (axial.height + GAP);
    if (!status) status = draw(all, &coronal, 0, top, why);
    return status ? status : draw(all, &sagittal, coronal.width + GAP, top, why);
}

int scan_preview(const scan *s, const double range[2], const uint8_t *mask, const uint8_t *labels, const char *path,
                 bytes *sink, failure *why)
{
    sheet all = {.scan = s, .range = range, .mask = mask, .labels = labels};
    int low[3], high[3];
    find_bounds(s, mask, low, high);
    int status = draw_all(&all, low, high, why);
    const image_view view = image_as_view(&all.out);
    if (!status) status = image_encode(path, IMAGE_PICTURE, &view, sink, why);
    image_free(&all.out);
    return status;
}
