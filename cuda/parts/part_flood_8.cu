/* SPDX-License-Identifier: MIT
 *
 * part_flood_8.cu - part_flood.cu for 8 neighbours.
 */
#define TC_NEIGHBOURS 8
#include "part_flood.cu"
