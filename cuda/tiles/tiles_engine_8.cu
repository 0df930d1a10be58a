/* SPDX-License-Identifier: MIT
 *
 * tiles_engine_8.cu - tiles_engine.cu for 8 neighbours.
 */
#define TC_NEIGHBOURS 8
#include "tiles_engine.cu"
