/* SPDX-License-Identifier: MIT */
#include "correct.h"

void job_keep_corrected(job *j, const tilecut_corrected *out)
{
    j->run.added = out->added;
    j->run.removed = out->removed;
    if (!out->added && !out->removed)
        note(&j->run.notes, "%s: no seed contradicts it, so %s", j->request->inputs->previous,
             j->request->style->snap ? "only its outline changes, by --snap" : "it stays as it is");
}

tilecut_status job_correct(job *j, const tilecut_params *how)
{
    const size_t pixels = (size_t)j->photo.width * (size_t)j->photo.height;
    const int by = j->request->inputs->learn ? TILECUT_BY_LEARNING : TILECUT_BY_STROKES;
    tilecut_corrected out = {0};
    for (size_t p = 0; p < pixels; p++) j->mask[p] = j->start.foreground[p] >= 128 ? 255 : 0;
    const tilecut_status status = tilecut_correct(&j->view, j->seeds.label, how, by, j->mask, &out, &j->run.cut);
    if (status == TILECUT_OK) job_keep_corrected(j, &out);
    return status;
}
