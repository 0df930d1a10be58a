/* SPDX-License-Identifier: MIT
 *
 * job_summary.c - reports the results of a job: a stage of -v, and one line for a person at a terminal. See job.h.
 */
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
    const parts_facts *const parts = &j->run.parts;
    char names[512];
    list_written(j, names, sizeof names);
    run_stage(&j->run, "write", j->run.write_ms, "%s%s", names, !parts->count || j->run.slices ? ""
              : parts->together ? ", each part its own rows" : ", all rows through the first part");
}

void job_print_line(const job *j, const char *text)
{
    char names[512], name[PRINTABLE_ROOM];
    list_written(j, names, sizeof names);
    fprintf(stderr, "%s: %s\n", printable_name(names, name), text);
}

void job_describe(const job *j, char *text, size_t room)
{
    const size_t pixels = image_area(&j->photo);
    tilecut_moved seen = {0};
    image_box box = {0};
    size_t inside = 0;
    for (size_t p = 0; p < pixels; p++) inside += j->mask[p] != 0;
    if (tilecut_outline_moved(&j->view, j->mask, j->mask, &seen) != TILECUT_OK) seen.edges = 0;
    (void)paint_bounds(j->mask, j->photo.width, j->photo.height, 0, &box);
    if (!inside || inside == pixels) snprintf(text, room, "%s of the photo is object", inside ? "all" : "nothing");
    else
        snprintf(text, room, "the object has %zu pixels (%.3g %%), %dx%d from %d,%d; %.0f %% of its outline lies on "
                 "edges of the photo", inside, (double)inside / ((double)pixels / 100), box.width, box.height,
                 box.x, box.y, 100 * seen.edges);
}
