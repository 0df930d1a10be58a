/* SPDX-License-Identifier: MIT
 *
 * part_flood_6.cu - part_flood.cu for volumes, with 6 neighbours.
 */
#define TC_NEIGHBOURS 6
#include "part_flood.cu"
