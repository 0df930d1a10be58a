/* SPDX-License-Identifier: MIT
 *
 * dimacs.c - fuzz target: the DIMACS format of maximum flow.
 */
#include "saved.h"

FUZZ_TARGET(decode_saved(&graph_format_dimacs, data, size))
