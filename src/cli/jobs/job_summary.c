/* SPDX-License-Identifier: MIT
 *
 * job_summary.c - reports the results of a job: a stage of -v, and one line for a person at a terminal. See job.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "paint.h"
#include "pixel.h"

bool job_is_watched(const job *j)
{
    return !j->request->common->quiet && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

void job_take_outline(const job *j, job_outline *out)
{
    const size_t pixels = image_area(&j->photo);
    tilecut_moved seen = {0};
    *out = (job_outline){.pixels = 0};
    for (size_t p = 0; p < pixels; p++) out->pixels += j->mask[p] != 0;
    if (tilecut_outline_moved(&j->view, j->mask, j->mask, &seen) == TILECUT_OK) out->on_edges = seen.edges;
    if (!paint_bounds(j->mask, j->photo.width, j->photo.height, 0, &out->box)) out->box = (image_box){0};
}

/* Lists the names of all files that were written, separated by commas. */
static void list_written(const job *j, char *names, size_t room)
{
    names[0] = '\0';
    for (int i = 0; i < j->outputs.count; i++) {
        const size_t used = strlen(names);
        if (j->outputs.item[i].done)
            snprintf(names + used, room - used, "%s%s", used ? ", " : "", file_output_name(j->outputs.item[i].path));
    }
}

void job_print_written(const job *j)
{
    char names[512];
    list_written(j, names, sizeof names);
    run_stage(&j->run, "write", j->run.write_ms, "%s", names);
}

void job_print_line(const job *j, const char *text)
{
    char names[512], name[PRINTABLE_ROOM];
    list_written(j, names, sizeof names);
    fprintf(stderr, "%s: %s\n", printable_name(names, name), text);
}

void job_print_summary(const job *j, const job_outline *seen)
{
    const image_box *const box = &seen->box;
    const double all = (double)image_area(&j->photo) / 100;
    char text[160];
    if (!seen->pixels || (size_t)seen->pixels == image_area(&j->photo))
        snprintf(text, sizeof text, "%s of the photo is object", seen->pixels ? "all" : "nothing");
    else
        snprintf(text, sizeof text, "the object has %" PRId64 " pixels (%.3g %%), %dx%d from %d,%d; %.0f %% of its "
                 "outline lies on edges of the photo", seen->pixels, (double)seen->pixels / all, box->width,
                 box->height, box->x, box->y, 100 * seen->on_edges);
    job_print_line(j, text);
}
