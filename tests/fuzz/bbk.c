/* SPDX-License-Identifier: MIT
 *
 * bbk.c - fuzz target: the .bbk format.
 */
#include "saved.h"

FUZZ_TARGET(decode_saved(&graph_format_bbk, data, size))
