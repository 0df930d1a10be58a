/* SPDX-License-Identifier: MIT */
#include "door.h"

#include "status.h"

tilecut_status tc_enter(tc_visit *v, const tilecut_params *params, int width, int height, uint8_t *mask, bool needed,
                        tilecut_report *report)
{
    v->report = report;
    NEED(tc_sized_check(report, "tilecut_report"));
    NEED((v->volume ? tc_setup_resolve_volume : tc_setup_resolve)(&v->setup, params));
    if (!v->map) NEED(tc_setup_check_prior(&v->setup, v->weighed));
    if (v->volume) v->setup.seeds_stride = v->setup.mask_stride = 0;
    v->pool = tc_thread_pool_open(v->setup.threads);
    if (mask || needed) NEED(tc_mask_open(&v->mask, mask, v->setup.mask_stride, width, height));
    return TILECUT_OK;
}

tilecut_status tc_enter_image(tc_visit *v, const tilecut_image *image, const tilecut_params *params, uint8_t *mask,
                              bool needed, tilecut_report *report)
{
    NEED(tc_image_read(&v->image, image));
    v->voxels.width = v->image.width, v->voxels.height = v->image.height, v->voxels.depth = 1;
    return tc_enter(v, params, v->image.width, v->image.height, mask, needed, report);
}

tilecut_status tc_leave(tc_visit *v, tilecut_status status)
{
    tc_thread_pool_close(v->pool);
    tc_bytes_close(&v->seeds, false);
    tc_bytes_close(&v->before, false);
    tc_bytes_close(&v->prior, false);
    tc_bytes_close(&v->mask, status == TILECUT_OK);
    if (status == TILECUT_OK) TC_WRITE(v->report, &v->result, report);
    return status;
}
