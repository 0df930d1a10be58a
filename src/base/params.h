/* SPDX-License-Identifier: MIT
 *
 * params.h - what parameters are where a caller says nothing.
 */
#ifndef TC_PARAMS_H
#define TC_PARAMS_H

#include "tilecut.h"

tilecut_params tc_params_default(void);

#endif
