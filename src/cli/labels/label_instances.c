/* SPDX-License-Identifier: MIT
 *
 * label_instances.c - see label_seeds.h: turns each connected component of the seeds into a label of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "label_seeds.h"

typedef struct splitting {
    const label_seeds *of;
    uint8_t *value;  /* the new number of each voxel; 0: none yet */
    size_t *waiting; /* voxels whose neighbours have not been visited */
    size_t count;
} splitting;

/* Numbers the connected component of voxel `first`: the voxels of its label that are connected to it, also
 * across corners. */
static void number_piece(splitting *s, size_t first, uint8_t number)
{
    const label_seeds *const of = s->of;
    const int size[3] = {of->width, of->height, of->depth};
    s->value[first] = number, s->waiting[s->count++] = first;
    while (s->count) {
        const size_t i = s->waiting[--s->count], slice = (size_t)size[0] * (size_t)size[1];
        const int at[3] = {(int)(i % (size_t)size[0]), (int)(i / (size_t)size[0] % (size_t)size[1]), (int)(i / slice)};
        for (int k = 0; k < 27; k++) {
            const int x = at[0] + k % 3 - 1, y = at[1] + k / 3 % 3 - 1, z = at[2] + k / 9 - 1;
            if (x < 0 || x >= size[0] || y < 0 || y >= size[1] || z < 0 || z >= size[2]) continue;
            const size_t p = (size_t)z * slice + (size_t)y * (size_t)size[0] + (size_t)x;
            if (s->value[p] || of->value[p] != of->value[first]) continue;
            s->value[p] = number, s->waiting[s->count++] = p;
        }
    }
}

/* Names a component: those of "cup" become "cup 1", "cup 2"; those of a label without a name get none. */
static void name_piece(label_legend *to, int number, const char *name, int piece)
{
    if (*name) snprintf(to->of.name[number], sizeof to->of.name[number], "%.50s %d", name, piece);
}

/* Numbers all components from 1, leaving out the background's number. Returns the last number; 255: there
 * are too many. */
static int number_all(splitting *s, int background, label_legend *legend)
{
    const label_seeds *const of = s->of;
    const size_t voxels = label_seeds_pixels(of);
    int number = 0, pieces[256] = {0};
    memcpy(legend->of.name[background], of->legend.of.name[background], sizeof *legend->of.name);
    memcpy(legend->of.color[background], of->legend.of.color[background], sizeof *legend->of.color);
    for (size_t i = 0; i < voxels; i++) {
        const int label = of->value[i];
        if (label == background) s->value[i] = (uint8_t)background;
        if (!label || s->value[i]) continue;
        number += number + 1 == background ? 2 : 1;
        if (number > 254) return 255;
        number_piece(s, i, (uint8_t)number);
        name_piece(legend, number, of->legend.of.name[label], ++pieces[label]);
    }
    return number;
}

int label_seeds_split(label_seeds *of, int background, const char *name, failure *why)
{
    const size_t voxels = label_seeds_pixels(of);
    splitting s = {.of = of, .value = calloc(voxels, 1), .waiting = malloc(voxels * sizeof *s.waiting)};
    label_legend legend;
    label_legend_init(&legend);
    int status = s.value && s.waiting ? EXIT_DONE
                                      : fail(why, EXIT_RESOURCES, "%s: not enough memory for its instances", name);
    if (!status && number_all(&s, background, &legend) > 254)
        status = fail(why, EXIT_SEEDS, "%s: its seeds have more than 253 pieces; --instances makes a label of each",
                      name);
    if (!status) {
        free(of->value);
        of->value = s.value, s.value = NULL;
        of->legend = legend;
        label_seeds_count(of);
    }
    free(s.value);
    free(s.waiting);
    return status;
}
