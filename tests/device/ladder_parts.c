/* SPDX-License-Identifier: MIT
 *
 * ladder_parts.c - random graphs, pictures, capacities of volumes and scans in 1, 2, 3, 5 and 8 parts on all devices,
 * and on one: mask, flow and energy must equal those of `bk` in one part.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ladder.h"
#include "part_scene.h"

/* Cuts in the first `numbers` of the part counts below. Returns what is wrong, or NULL. */
static const char *try_counts(drawn_scene *d, size_t numbers, int *cuts, int *waves)
{
    static const int counts[] = {1, 2, 3, 5, 8};
    static piece pieces[MOST_PIECES];
    uint8_t *const mask = malloc(part_scene_pixels(&d->scene));
    tilecut_report one = {0};
    const int devices = d->scene.devices;
    const char *why = NULL;
    if (!mask || part_scene_solve(&d->scene, "bk", mask, &one) != TILECUT_OK) why = tilecut_error_detail();
    for (size_t k = 0; !why && k < numbers && counts[k] <= part_scene_rows(&d->scene); k++) {
        d->scene.devices = devices;
        why = part_scene_try(&d->scene, counts[k], mask, &one, pieces);
        *waves += pieces[0].more.waves;
        ++*cuts;
        if (why) printf("parts: in %d: %s\n", counts[k], why);
    }
    free(mask);
    return why;
}

int part_answers(int count)
{
    const size_t numbers = count < 10 ? 2 : 5; /* racecheck takes seconds for each cut */
    const int devices = tilecut_cuda_devices();
    int failures = 0, cuts = 0, waves = 0;
    for (int seed = 1; seed <= count; seed++)
        for (int kind = seed % 2; kind < PART_KINDS; kind += 2) {
            drawn_scene d;
            drawn_scene_init(&d, kind, (uint64_t)seed, true);
            d.scene.devices = seed % 4 ? devices : 1, d.scene.by_host = seed % 5 == 0;
            const char *const why = try_counts(&d, numbers, &cuts, &waves);
            if (why) printf("parts: seed %d, kind %d: %s\n", seed, kind, why);
            failures += why != NULL;
            drawn_scene_free(&d);
        }
    printf("parts: %d cuts on %d device%s, %d waves, %d wrong\n", cuts, devices, devices == 1 ? "" : "s", waves,
           failures);
    return failures;
}
