/* SPDX-License-Identifier: MIT
 *
 * tiles_engine_6.cu - tiles_engine.cu for volumes, with 6 neighbours.
 */
#define TC_NEIGHBOURS 6
#include "tiles_engine.cu"
