/* SPDX-License-Identifier: MIT
 *
 * params.c - see params.h.
 */
#include "params.h"

tilecut_params tc_params_default(void)
{
    return (tilecut_params){.lambda = 50, .spatial = 2};
}

tilecut_params tilecut_params_default(void)
{
    return tc_params_default();
}
