/* SPDX-License-Identifier: MIT
 *
 * job_say.c - reports the results of a job: a stage of -v, and one line for a person at a terminal. See job.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "paint.h"
#include "pixel.h"

bool job_speaks(const job *j)
{
    return !j->request->common->quiet && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

/* Squared difference between two pixels in 8-bit levels, as in the energy; alpha left out. */
static double difference(const image *photo, size_t p, size_t q)
{
    const size_t n = (size_t)photo->channels, colors = n > 2 ? 3 : 1;
    const double scale = 255.0 / sample_max(photo);
    double sum = 0;
    for (size_t c = 0; c < colors; c++) {
        const double d = ((double)sample_at(photo, p * n + c) - (double)sample_at(photo, q * n + c)) * scale;
        sum += d * d;
    }
    return sum;
}

/* Counts a step of the outline, if it lies between p and p + step. It lies on an edge of the photo if colours one pixel
 * farther out differ so much that a link between them would cost less than half of one where nothing changes. */
static void look_across(const job *j, size_t p, size_t step, bool wide, job_outline *out)
{
    if (!j->mask[p] == !j->mask[p + step]) return;
    const double d = wide ? difference(&j->photo, p - step, p + 2 * step) : difference(&j->photo, p, p + step);
    out->length++;
    out->on_edges += exp(-j->run.cut.beta * d) < 0.5;
}

void job_look(const job *j, job_outline *out)
{
    const size_t w = (size_t)j->photo.width, h = (size_t)j->photo.height;
    *out = (job_outline){.pixels = 0};
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++) {
            const size_t p = y * w + x;
            out->pixels += j->mask[p] != 0;
            if (x + 1 < w) look_across(j, p, 1, x && x + 2 < w, out);
            if (y + 1 < h) look_across(j, p, w, y && y + 2 < h, out);
        }
    if (!paint_bounds(j->mask, j->photo.width, j->photo.height, 0, &out->box)) out->box = (image_box){0};
}

/* The names of all files that were written, with commas between. */
static void list_written(const job *j, char *names, size_t room)
{
    names[0] = '\0';
    for (int i = 0; i < j->outputs.count; i++) {
        const size_t used = strlen(names);
        if (j->outputs.item[i].done)
            snprintf(names + used, room - used, "%s%s", used ? ", " : "", file_output_name(j->outputs.item[i].path));
    }
}

void job_say_written(const job *j)
{
    char names[512];
    list_written(j, names, sizeof names);
    run_stage(&j->run, "write", j->run.write_ms, "%s", names);
}

void job_say(const job *j, const job_outline *seen)
{
    const image_box *const box = &seen->box;
    const double all = (double)image_area(&j->photo) / 100, outline = (double)seen->length / 100;
    char names[512], name[PRINTABLE_ROOM];
    list_written(j, names, sizeof names);
    printable_name(names, name);
    if (!seen->pixels || !seen->length)
        fprintf(stderr, "%s: %s of the photo is object\n", name, seen->pixels ? "all" : "nothing");
    else
        fprintf(stderr, "%s: the object has %" PRId64 " pixels (%.3g %%), %dx%d from %d,%d; %.0f %% of its outline "
                "lies on edges of the photo\n", name, seen->pixels, (double)seen->pixels / all, box->width, box->height,
                box->x, box->y, (double)seen->on_edges / outline);
}
