/* SPDX-License-Identifier: MIT
 *
 * network.c - fuzz target: DIMACS and .bbk files of graphs that are not grids.
 */
#include "networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const network_reading any = {.most_bytes = 1 << 24, .always = true};
    saved_network saved;
    failure why = {0};
    if (!graph_known(data, size) || (size > 3 && !memcmp(data, "\211TCG", 4))) return 0;
    const int status = network_decode("fuzz", data, size, &any, &saved, NULL, &why);
    MUST_READ_OR_SAY(status, why);
    if (status == EXIT_DONE) solve_network_twice(&saved);
    saved_network_free(&saved);
    return 0;
}
