/* SPDX-License-Identifier: MIT
 *
 * palette.c - see tc_palette and tc_color_costs in colors.h.
 */
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "colors_math.h"
#include "simd.h"
#include "status.h"

enum { SPARE = sizeof ((tc_palette *)NULL)->spare / sizeof(int32_t *) };

static size_t count_marks(const uint32_t *seen, size_t bins)
{
    size_t count = 0;
    for (size_t b = 0; b < bins; b++) count += seen[b] != 0;
    return count;
}

/* Computes the colours of bins in CIELAB, as tc_gmm_color() does, but linearises each level only once. */
TC_VECTOR_LOOP static void find_colors(int channels, int bits, size_t count, const uint32_t *restrict bin,
                                       double *restrict x, double *restrict y, double *restrict z)
{
    const uint32_t levels = 1u << bits, top = channels == 3 ? 2u * (unsigned)bits : 0, middle = top / 2;
    double linear[1 << TC_GMM_GREY_BITS];
    for (uint32_t i = 0; i < levels; i++) linear[i] = tc_srgb_to_linear(tc_gmm_level(bits, i));
    for (size_t i = 0; i < count; i++) {
        double color[3];
        tc_linear_to_lab(linear[bin[i] >> top & (levels - 1)], linear[bin[i] >> middle & (levels - 1)],
                         linear[bin[i] & (levels - 1)], color);
        x[i] = color[0], y[i] = color[1], z[i] = color[2];
    }
}

/* Makes a palette. entry: [bins], nonzero for the bins that occur; the palette becomes its owner. `entry` NULL means
 * that its allocation failed; then this function fails, too. */
static tilecut_status make(tc_palette **palette, uint32_t *entry, size_t count, int channels, int bits)
{
    const size_t bins = (size_t)1 << (channels * bits);
    tc_palette *const p = calloc(1, sizeof *p);

    *palette = NULL;
    if (p) *p = (tc_palette){.references = 1, .channels = channels, .bits = bits, .entry = entry, .count = count};
    if (p && entry) p->bin = malloc(count * sizeof *p->bin);
    if (p && entry) p->x = malloc(3 * count * sizeof *p->x);
    if (!p || !p->bin || !p->x) {
        if (!p) free(entry);
        tc_palette_drop(p);
        return tc_fail(TILECUT_ENOMEM, "no memory for the colours of the image");
    }
    p->y = p->x + count, p->z = p->y + count;
    for (size_t b = 0, i = 0; b < bins; b++) {
        if (!entry[b]) continue;
        p->bin[i] = (uint32_t)b;
        entry[b] = (uint32_t)i++;
    }
    find_colors(channels, bits, count, p->bin, p->x, p->y, p->z);
    *palette = p;
    return TILECUT_OK;
}

int32_t *tc_palette_take(tc_palette *p)
{
    for (size_t i = 0; i < SPARE; i++) {
        int32_t *const table = __atomic_exchange_n(&p->spare[i], NULL, __ATOMIC_ACQ_REL);
        if (table) return table;
    }
    return calloc((size_t)1 << (p->channels * p->bits), sizeof(int32_t));
}

void tc_palette_give(tc_palette *p, int32_t *table)
{
    int32_t *none = NULL;
    for (size_t i = 0; table && i < SPARE; i++, none = NULL)
        if (__atomic_compare_exchange_n(&p->spare[i], &none, table, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
    free(table);
}

void tc_palette_number(tc_palette *p, const tilecut_image *image)
{
    enum { MOST = 1 << 18 };
    const size_t width = (size_t)image->width, pixels = width * (size_t)image->height;
    if (pixels <= MOST) p->pixel = malloc(pixels * sizeof *p->pixel);
    for (int y = 0; p->pixel && y < image->height; y++) {
        uint32_t *const row = p->pixel + (size_t)y * width;
        tc_color_bins(image, p->bits, y, row);
        for (size_t x = 0; x < width; x++) row[x] = p->entry[row[x]];
    }
}

tilecut_status tc_palette_init(tc_palette **palette, const tilecut_image *image, int bits, int threads, tc_comm *comm)
{
    const size_t bins = (size_t)1 << (image->channels * bits);
    uint32_t *entry = calloc(bins, sizeof *entry);
    tilecut_status status = TILECUT_OK;

    *palette = NULL;
    if (!entry) return tc_fail(TILECUT_ENOMEM, "no memory for the colours of the image");
    TRY(tc_count_colors(&(tc_count){.image = image, .marks = true, .bits = bits, .threads = threads,
                                    .comm = comm, .of = {[TC_SEEN] = entry}}));
    for (size_t b = 0; b < bins; b++) entry[b] = entry[b] != 0; /* 1 or 0, so that no sum becomes too large */
    TRY(tc_comm_allreduce32(comm, entry, bins));
    status = make(palette, entry, count_marks(entry, bins), image->channels, bits);
    entry = NULL;
done:
    free(entry);
    return status;
}

tilecut_status tc_palette_whole(tc_palette **palette, int channels, int bits)
{
    const size_t bins = (size_t)1 << (channels * bits);
    uint32_t *const entry = malloc(bins * sizeof *entry);
    for (size_t b = 0; entry && b < bins; b++) entry[b] = 1;
    return make(palette, entry, bins, channels, bits);
}

tc_palette *tc_palette_hold(tc_palette *palette)
{
    if (palette) (void)__atomic_add_fetch(&palette->references, 1, __ATOMIC_RELAXED);
    return palette;
}

void tc_palette_drop(tc_palette *palette)
{
    if (!palette || __atomic_sub_fetch(&palette->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    free(palette->pixel);
    free(palette->steady);
    for (size_t i = 0; i < SPARE; i++) free(palette->spare[i]);
    free(palette->bin);
    free(palette->entry);
    free(palette->x);
    free(palette);
}

/* ---- Costs by colour --------------------------------------------------------------------------- */

tilecut_status tc_color_costs_init(tc_color_costs *costs, int channels, int bits, const tc_palette *palette)
{
    costs->channels = channels;
    costs->bits = bits;
    costs->palette = palette;
    costs->count = palette ? palette->count : (size_t)1 << (channels * bits);
    costs->foreground = calloc(costs->count, sizeof *costs->foreground);
    costs->background = calloc(costs->count, sizeof *costs->background);
    if (costs->foreground && costs->background) return TILECUT_OK;
    tc_color_costs_free(costs);
    return tc_fail(TILECUT_ENOMEM, "no memory for a colour model of %d bits a channel", bits);
}

void tc_color_costs_free(tc_color_costs *costs)
{
    free(costs->foreground);
    free(costs->background);
    free(costs->common);
    memset(costs, 0, sizeof *costs);
}
