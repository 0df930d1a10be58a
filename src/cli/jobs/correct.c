/* SPDX-License-Identifier: MIT
 *
 * correct.c - see correct.h.
 */
#include "correct.h"

#include "relearnt.h"

tilecut_status job_correct(job *j, const tilecut_params *how)
{
    const size_t pixels = (size_t)j->photo.width * (size_t)j->photo.height;
    corrected out = {0};
    for (size_t p = 0; p < pixels; p++) j->mask[p] = j->start.foreground[p] >= 128 ? 255 : 0;
    const tilecut_status status = (j->request->inputs->learn ? relearnt_mask : corrected_mask)(
        &j->view, j->seeds.label, how, j->mask, &out);
    if (status != TILECUT_OK) return status;
    j->run.cut = out.cut;
    j->run.added = out.added;
    j->run.removed = out.removed;
    if (!out.added && !out.removed)
        note(&j->run.notes, "%s: no seed contradicts it, so it stays as it is", j->request->inputs->previous);
    return TILECUT_OK;
}
