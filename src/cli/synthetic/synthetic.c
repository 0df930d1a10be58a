/* SPDX-License-Identifier: MIT
 *
 * synthetic.c - see synthetic.h: the table, random numbers, memory. The families themselves are in
 * synthetic_images.c and synthetic_graphs.c.
 */
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>

const family families[] = {
    {"hussein", "ellipses drawn from two Gaussian mixtures; patches teach, nothing binds (Hussein et al. 2007)",
     false, false, false, family_hussein},
    {"photo", "a photo and its seeds, rescaled", false, true, true, family_photo_scaled},
    {"spot", "two seeds only: a disc in the centre, one in the corner; no colour model", false, false,
     true, family_spot},
    {"frame", "the frame is background, a blob in the centre foreground; no colour model", false, false,
     true, family_frame},
    {"random", "capacities 1..100, terminals at 5 % of the pixels", true, false, false, family_random},
    {"checker", "squares of 32 pixels tied to source and sink in turn", true, false, false,
     family_checker},
    {"maze", "corridors between walls, source at one end and sink at the other", true, false, false,
     family_maze},
    {NULL, NULL, false, false, false, NULL}};

const family *family_find(const char *name)
{
    for (const family *f = families; f->name; f++)
        if (!strcmp(f->name, name)) return f;
    return NULL;
}

const char *family_name(int index)
{
    return families[index].name;
}

const char *family_summary(int index)
{
    return families[index].summary;
}

/* ---- random numbers --------------------------------------------------------------------------- */

/* splitmix64 (Steele, Lea & Flood 2014). */
uint64_t chance_draw(chance *dice)
{
    uint64_t z = dice->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

chance chance_of(uint64_t seed, uint64_t stream)
{
    chance mixer = {seed};
    chance out = {chance_draw(&mixer) ^ stream * 0xd1342543de82ef95u};
    out.state = chance_draw(&out);
    return out;
}

int chance_below(chance *dice, int n)
{
    return (int)((chance_draw(dice) >> 32) * (uint64_t)n >> 32);
}

int chance_between(chance *dice, int a, int b)
{
    return a + chance_below(dice, b - a + 1);
}

/* The sum of twelve uniform numbers has variance 1 and is normal enough; 16 bits each. */
int chance_bell(chance *dice, int sigma)
{
    int64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        const uint64_t bits = chance_draw(dice);
        sum += (int64_t)((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
    }
    const int64_t scaled = (sum - 6 * 65535) * sigma;
    return (int)((scaled + (scaled < 0 ? -32768 : 32768)) / 65536);
}

/* ---- memory ----------------------------------------------------------------------------------- */

bool instance_alloc_pixels(instance *it, int width, int height, int channels)
{
    const size_t pixels = (size_t)width * (size_t)height;
    it->width = width;
    it->height = height;
    it->channels = channels;
    it->pixels = malloc(pixels * (size_t)channels);
    it->labels = calloc(pixels, 1);
    it->params = tilecut_params_default();
    it->params.colors = "hist"; /* the energy of the paper and of every published figure: no more */
    it->params.spatial = 0;
    return it->pixels && it->labels;
}

bool instance_alloc_cells(instance *it, int width, int height)
{
    const size_t pixels = (size_t)width * (size_t)height;
    it->width = width;
    it->height = height;
    it->cells = calloc(pixels * 4, sizeof *it->cells);
    if (!it->cells) return false;
    it->arrays = (tilecut_arrays){.width = width, .height = height,
                                        .source = instance_plane(it, 0),
                                        .sink = instance_plane(it, 1),
                                        .to = {instance_plane(it, 2), instance_plane(it, 3)}};
    return true;
}

int32_t *instance_plane(const instance *it, int plane)
{
    return it->cells + (size_t)plane * (size_t)it->width * (size_t)it->height;
}

void instance_free(instance *it)
{
    free(it->pixels);
    free(it->labels);
    free(it->cells);
    memset(it, 0, sizeof *it);
}

/* ---- making ----------------------------------------------------------------------------------- */

int instance_make(const family *kind, const family_request *request, instance *out,
                  failure *why)
{
    *out = (instance){0};
    if (request->size < FAMILY_SIZE_MIN || request->size > FAMILY_SIZE_MAX)
        return fail(why, EXIT_USAGE, "a size of %d; instances have sides of %d to %d pixels",
                    request->size, FAMILY_SIZE_MIN, FAMILY_SIZE_MAX);
    if (request->corridor < 0 || request->corridor > request->size / 4)
        return fail(why, EXIT_USAGE,
                    "a corridor of %d pixels; at size %d a maze has corridors of 1 to %d",
                    request->corridor, request->size, request->size / 4);
    if (kind->needs_photo && !request->photo)
        return fail(why, EXIT_USAGE, "%s: needs a photo and its seeds", kind->name);
    if (kind->make(request, out)) return EXIT_DONE;
    instance_free(out);
    return fail(why, EXIT_RESOURCES, "no memory for an instance of %s of %d^2 pixels",
                kind->name, request->size);
}

tilecut_status instance_graph(const instance *it, const tilecut_params *engine,
                              tilecut_graph **out)
{
    if (!it->channels) return tilecut_graph_create(out, &it->arrays);
    tilecut_params params = it->params;
    const tilecut_image image = {.width = it->width, .height = it->height,
                                 .channels = it->channels, .depth = 8,
                                 .pixels = it->pixels};
    params.threads = engine ? engine->threads : 1;
    params.cancel = engine ? engine->cancel : NULL;
    return tilecut_graph_from_image(out, &image, it->labels, &params);
}
