/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "label_seeds.h"
#include "memory.h"

static size_t area(const objects *o) { return (size_t)o->of->width * (size_t)o->of->height; }

/* ---- Label maps -------------------------------------------------------------------------------- */

/* Reads one map. Names that earlier files have used keep their numbers. */
static int read_map(objects *o, const label_source *from, const char *file, int64_t frame, label_seeds *out,
                    notes *log, failure *why)
{
    static const option_log nothing = {.count = 0};
    const image photo = {.width = from->film->width, .height = from->film->height};
    const frame_list *const names = &from->film->list;
    const char *const name = frame < names->count ? names->name[frame] : from->film->path;
    image_limits limits = from->in->request.limits;
    limits.max_pixels = from->in->max_pixels;
    limits.max_bytes = inputs_memory(from->in);
    const label_request request = {.before = file, .legend = from->legend, .known = &o->legend, .given = &nothing,
                                   .limits = &limits};
    const int status = label_seeds_read(&request, &photo, NULL, name, out, log, why);
    if (!status) o->legend = out->legend;
    return status;
}

int objects_read(objects *o, const label_source *from, const char *file, int64_t frame, uint8_t **map, notes *log,
                 failure *why)
{
    label_seeds one = {0};
    const int status = read_map(o, from, file, frame, &one, log, why);
    if (!status) *map = one.before, one.before = NULL;
    label_seeds_free(&one);
    return status;
}

/* Reads one map and adds its labels to `all`. Sets *ground if a part of it has no label. */
static int add_map(objects *o, const label_source *from, const char *file, int64_t frame, label_seeds *all,
                   bool *ground, failure *why)
{
    label_seeds one = {0};
    notes later = {0}; /* these notes are shown later, when the frame is cut */
    const int status = read_map(o, from, file, frame, &one, &later, why);
    if (!status) *ground = label_seeds_background(&one) == 0;
    for (int i = 0; !status && i < 256; i++) all->count[i] += one.count[i];
    notes_free(&later);
    label_seeds_free(&one);
    return status;
}

int objects_find(objects *o, const label_source *from, const marks *given, failure *why)
{
    label_seeds all = {.count = {0}};
    const char *const mask = from->in->mask;
    bool ground = false, unused;
    int status = EXIT_DONE;
    o->labelled = true;
    label_legend_init(&o->legend);
    if (from->legend) status = label_legend_read(from->legend, &o->legend, why);
    if (!status && mask) status = add_map(o, from, mask, 0, &all, &ground, why);
    for (int i = 0; !status && i < given->count; i++)
        status = add_map(o, from, given->item[i].file, given->item[i].frame, &all, &unused, why);
    if (status) return status;
    all.legend = o->legend;
    o->background = (uint8_t)(from->background ? from->background : ground ? 0 : label_seeds_background(&all));
    for (int i = 1; i < 255; i++)
        if (all.count[i] && i != o->background) o->number[o->count++] = (uint8_t)i;
    if (from->background && !all.count[from->background] && !ground)
        return fail(why, EXIT_USAGE, "--background-label: %d is no label of the label maps", from->background);
    if (o->count) return EXIT_DONE;
    return fail(why, EXIT_SEEDS, "%s: %d is the only label; give at least two, one of them the background",
                file_input_name(mask ? mask : given->item[0].file),
                o->background);
}

int objects_check(const objects *o, const uint8_t *painted, int64_t frame, failure *why)
{
    bool found[256] = {false};
    int labels = 0, fresh = -1;
    if (!o->labelled || !painted) return EXIT_DONE;
    for (size_t p = 0; p < area(o); p++) found[painted[p]] = true;
    for (int i = 1; i < 256; i++) labels += found[i];
    for (int i = 0; i < o->count; i++)
        if (found[o->number[i]] && !o->of[i].known) fresh = o->number[i];
    if (fresh < 0 || labels > 1) return EXIT_DONE;
    return fail(why, EXIT_SEEDS, "frame %lld: %d is the only label on it, and an object that begins there; paint the "
                "background, too", (long long)frame, fresh);
}

/* ---- One object against all others ------------------------------------------------------------- */

const uint8_t *objects_seeds(objects *o, int i, const uint8_t *painted)
{
    bool own = false, any = false;
    if (!o->labelled || !painted) return painted;
    for (size_t p = 0; p < area(o); p++) {
        const bool mine = painted[p] == o->number[i];
        own |= mine, any |= painted[p] && !mine;
        o->two[p] = !painted[p] ? TILECUT_UNKNOWN : mine ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    return own || (any && o->of[i].known) ? o->two : NULL;
}

const uint8_t *objects_prior(objects *o, int i, const uint8_t *begin)
{
    bool any = false;
    if (!o->labelled || !begin) return begin;
    for (size_t p = 0; p < area(o); p++) {
        o->prior[p] = begin[p] == o->number[i] ? 255 : 0;
        any |= o->prior[p] != 0;
    }
    return any ? o->prior : NULL;
}

/* Writes o->map. */
static void share_out(objects *o, const uint8_t *painted)
{
    memset(o->map, o->background, area(o));
    for (int i = o->count - 1; i >= 0; i--) /* the least comes last */
        for (size_t p = 0; p < area(o); p++)
            if (o->of[i].mask[p] && (o->map[p] == o->background || o->map[p] != o->before[p])) o->map[p] = o->number[i];
    for (size_t p = 0; painted && p < area(o); p++)
        if (painted[p]) o->map[p] = painted[p];
}

/* Reduces the mask of object i to the pixels that have its label in the map. */
static int take_share(objects *o, int i, failure *why)
{
    follow *const f = &o->of[i];
    bool less = false;
    for (size_t p = 0; p < area(o); p++) {
        const uint8_t mine = o->map[p] == o->number[i] ? 255 : 0;
        less |= f->mask[p] != mine;
        f->mask[p] = mine;
    }
    return less && f->session ? follow_again(f, why) : EXIT_DONE;
}

static void add_up(const followed *one, followed *all)
{
    const tilecut_report before = all->report;
    all->report = one->report;
    all->report.certified = one->report.certified && (!all->cut || before.certified);
    all->report.warm = one->report.warm && (!all->cut || before.warm);
    all->report.model_ms += before.model_ms, all->report.graph_ms += before.graph_ms;
    all->report.copy_ms += before.copy_ms, all->report.solve_ms += before.solve_ms;
    all->report.certify_ms += before.certify_ms, all->report.islands += before.islands;
    all->cut = true, all->update |= one->update;
    all->dropped += one->dropped;
    all->cleaned.pixels_dropped += one->cleaned.pixels_dropped;
    all->cleaned.pixels_filled += one->cleaned.pixels_filled;
}

int objects_settle(objects *o, const uint8_t *painted, const followed *what, followed *all, failure *why)
{
    *all = what[0];
    if (!o->labelled) return EXIT_DONE;
    *all = (followed){0};
    for (int i = 0; i < o->count; i++)
        if (what[i].cut) add_up(&what[i], all);
    memcpy(o->before, o->map, area(o));
    share_out(o, painted);
    int status = claims_settle(o, painted, why);
    for (int i = 0; !status && i < o->count; i++) status = take_share(o, i, why);
    for (size_t p = 0; p < area(o); p++) {
        all->changed += o->map[p] != o->before[p];
        all->foreground += o->map[p] != o->background;
    }
    return status;
}

/* ---- All of them ------------------------------------------------------------------------------- */

int objects_begin(objects *o, const follow *like, int width, int height, failure *why)
{
    const size_t pixels = (size_t)width * (size_t)height;
    int status = EXIT_DONE;
    if (!o->labelled) o->count = 1;
    o->of = calloc((size_t)o->count, sizeof *o->of);
    if (o->of && o->labelled) o->map = malloc(4 * pixels);
    if (!o->of || (o->labelled && !o->map))
        return fail(why, EXIT_RESOURCES, "not enough memory for %d objects in frames of %dx%d", o->count, width,
                    height);
    for (int i = 0; !status && i < o->count; i++) {
        o->of[i] = *like;
        status = follow_begin(&o->of[i], width, height, why);
    }
    if (!o->labelled) return status;
    o->before = o->map + pixels, o->two = o->before + pixels, o->prior = o->two + pixels;
    memset(o->map, o->background, pixels);
    return status;
}

void objects_end(objects *o)
{
    for (int i = 0; o->of && i < o->count; i++) follow_end(&o->of[i]);
    free(o->of);
    free(o->map);
    *o = (objects){0};
}

bool objects_known(const objects *o)
{
    for (int i = 0; i < o->count; i++)
        if (o->of[i].known) return true;
    return false;
}

uint8_t *objects_result(const objects *o) { return o->labelled ? o->map : o->of[0].mask; }

uint64_t objects_bytes(const objects *o)
{
    const uint64_t count = (uint64_t)o->count;
    if (!o->labelled) return MEMORY_FOLLOW;
    return count * (MEMORY_FOLLOW + MEMORY_OBJECT_COSTS) + (count - 1) * MEMORY_OBJECT_KEPT + MEMORY_OBJECT_MAPS;
}
