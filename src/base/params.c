/* SPDX-License-Identifier: MIT
 *
 * params.c - see params.h. Also implements the flag that cancels a call.
 */
#include "params.h"

#include <string.h>

#include "parallel.h"
#include "sized.h"
#include "status.h"

static const double most_weight = 1e12, usual_prior_weight = 2, least_sigma = 1e-3, most_sigma = 1e6;

void tilecut_params_init(tilecut_params *params, size_t size)
{
    const tilecut_params defaults = {.size = size, .data_weight = 1, .prior_weight = usual_prior_weight,
                                     .connectivity = 4, .effort = TILECUT_MAX_EFFORT, .threads = 1};
    if (!params) return;
    memset(params, 0, size);
    memcpy(params, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

/* Sets *weight from the value that the caller gave: 0 means the default, and TILECUT_NONE turns the term off if `none`
 * allows that. */
static tilecut_status resolve_weight(double given, double by_default, bool none, const char *name, double *weight)
{
    *weight = none && given == TILECUT_NONE ? 0 : given == 0 ? by_default : given;
    if (*weight >= 0 && *weight <= most_weight) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "%s is %g; it must be 0 (for %g)%s, or up to %g", name, given, by_default,
                   none ? ", TILECUT_NONE" : "", most_weight);
}

static tilecut_status check_sigma(double sigma)
{
    if (sigma == 0 || (sigma >= least_sigma && sigma <= most_sigma)) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "sigma is %g; it must be 0 (automatic), or %g to %g", sigma, least_sigma,
                   most_sigma);
}

static tilecut_status check_numbers(const tilecut_params *p)
{
    if (p->connectivity != 0 && p->connectivity != 4 && p->connectivity != 8)
        return tc_fail(TILECUT_EINVAL, "connectivity is %d; 4 or 8 are possible", p->connectivity);
    if (p->iterations > TILECUT_MAX_ITERATIONS)
        return tc_fail(TILECUT_EINVAL, "iterations is %d; at most %d are possible", p->iterations,
                       TILECUT_MAX_ITERATIONS);
    if (p->effort < 0 || p->effort > TILECUT_MAX_EFFORT)
        return tc_fail(TILECUT_EINVAL, "effort is %d; 1 to %d are possible", p->effort, TILECUT_MAX_EFFORT);
    if (p->threads < 0 || p->threads > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "threads is %d; 1 to %d are possible", p->threads, TC_MAX_THREADS);
    if (p->where != TILECUT_HOST)
        return tc_fail(TILECUT_EINVAL, "where is %d; only tilecut_segment() takes memory other than the host's",
                       p->where);
    if (!(p->prior_reach >= 0 && p->prior_reach <= 5000))
        return tc_fail(TILECUT_EINVAL, "prior_reach is %g; it must be 0 (as the mask tells), or up to 5000 pixels",
                       p->prior_reach);
    if (p->device < 0) return tc_fail(TILECUT_EINVAL, "device is %d; CUDA devices are counted from 0", p->device);
    return TILECUT_OK;
}

tilecut_status tc_setup_resolve(tc_setup *setup, const tilecut_params *params)
{
    tilecut_params p = {0};

    if (params) NEED(TC_READ(&p, params, params));
    NEED(check_numbers(&p));
    NEED(check_sigma(p.sigma));
    *setup = (tc_setup){.solver = p.solver && strcmp(p.solver, "auto") != 0 ? p.solver : NULL, .colors = p.colors,
                        .sigma = p.sigma, .connectivity = p.connectivity ? p.connectivity : 4,
                        .iterations = p.iterations < 0 ? -1 : p.iterations,
                        .effort = p.effort ? p.effort : TILECUT_MAX_EFFORT, .soft_seeds = p.soft_seeds != 0,
                        .islands = p.islands != 0, .spatial_by_strokes = p.spatial == 0,
                        .lambda_by_strokes = p.lambda == 0,
                        .threads = p.threads ? p.threads : 1, .device = p.device, .seeds_stride = p.seeds_stride,
                        .mask_stride = p.mask_stride, .prior = p.prior, .prior_stride = p.prior_stride,
                        .prior_reach = p.prior_reach,
                        .cancel = p.cancel};
    NEED(resolve_weight(p.lambda, 50, true, "lambda", &setup->lambda));
    NEED(resolve_weight(p.data_weight, 1, false, "data_weight", &setup->data_weight));
    NEED(resolve_weight(p.spatial, 2, true, "spatial", &setup->spatial));
    return resolve_weight(p.prior_weight, usual_prior_weight, true, "prior_weight", &setup->prior_weight);
}

tilecut_status tc_setup_check_prior(const tc_setup *setup, bool weighed)
{
    if (setup->prior) return TILECUT_OK;
    if (setup->prior_reach > 0)
        return tc_fail(TILECUT_EINVAL, "prior_reach is %g, but it is about the outline of a prior, and there is none",
                       setup->prior_reach);
    if (setup->prior_stride)
        return tc_fail(TILECUT_EINVAL, "prior_stride is %zu, but it is about the rows of a prior, and there is none",
                       setup->prior_stride);
    if (weighed || setup->prior_weight == usual_prior_weight) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "prior_weight is %g, but it is the weight of a prior, and there is none",
                   setup->prior_weight);
}

tilecut_status tc_setup_resolve_volume(tc_setup *setup, const tilecut_params *params)
{
    tilecut_params p = {0};
    if (params) NEED(TC_READ(&p, params, params));
    const int connectivity = p.connectivity == 26 ? 26 : 6;
    if (p.connectivity == connectivity) p.connectivity = 0;
    p.size = sizeof p;
    NEED(tc_setup_resolve(setup, &p));
    setup->connectivity = connectivity;
    return TILECUT_OK;
}

/* ---- The flag --------------------------------------------------------------------------------- */

void tilecut_flag_raise(tilecut_flag *flag)
{
    if (flag) __atomic_store_n(&flag->raised, 1, __ATOMIC_RELEASE);
}

void tilecut_flag_lower(tilecut_flag *flag)
{
    if (flag) __atomic_store_n(&flag->raised, 0, __ATOMIC_RELEASE);
}

int tilecut_flag_raised(const tilecut_flag *flag)
{
    return flag && __atomic_load_n(&flag->raised, __ATOMIC_ACQUIRE) != 0;
}

void tc_setup_guess_row(const tc_setup *setup, int width, int y, int all, uint8_t *labels)
{
    const size_t from = tc_guess_row_at(y, all, setup->slice_rows, setup->guess_height, setup->guess_slice_rows);
    const uint8_t *const row = setup->guess + from * (size_t)setup->guess_width;
    /* column `at` of the guess is (2 x + 1) guess_width / (2 width), counted on without a division for each pixel */
    const int whole = setup->guess_width / width, part = setup->guess_width % width;
    int at = setup->guess_width / (2 * width), rest = setup->guess_width % (2 * width);
    for (int x = 0; x < width; x++) {
        labels[x] = row[at] & 1 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        rest += 2 * part;
        const int carry = rest >= 2 * width;
        at += whole + carry;
        rest -= carry ? 2 * width : 0;
    }
}
