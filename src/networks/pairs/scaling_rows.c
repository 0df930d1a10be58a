/* SPDX-License-Identifier: MIT */
#include "scaling_rows.h"

void tc_scaling_remember(tc_scaling *s, int32_t row)
{
    int64_t least[TC_REMEMBERED + 1];
    int32_t edge[TC_REMEMBERED + 1], count = 0;
    const int32_t first = s->graph->first[row], end = first + s->kept[row];
    int64_t beyond = INT64_MAX;
    for (int32_t e = first; e < end; e++) {
        const int64_t cost = tc_scaling_cost(s, e);
        if (count == TC_REMEMBERED && cost >= least[TC_REMEMBERED - 1]) {
            if (cost < beyond) beyond = cost;
            continue;
        }
        int32_t at = count;
        for (; at && least[at - 1] > cost; at--) {
            least[at] = least[at - 1];
            edge[at] = edge[at - 1];
        }
        least[at] = cost;
        edge[at] = e;
        if (count < TC_REMEMBERED) count++;
        else if (least[TC_REMEMBERED] < beyond) beyond = least[TC_REMEMBERED];
    }
    for (int32_t k = 0; k < count; k++) s->memory[(size_t)row * TC_REMEMBERED + (size_t)k] = edge[k];
    s->remembers[row] = count;
    s->beyond[row] = beyond;
}

static tc_scaling_offers recall(const tc_scaling *s, int32_t row)
{
    tc_scaling_offers o = {INT64_MAX, INT64_MAX, -1, 0};
    const int32_t *const memory = s->memory + (size_t)row * TC_REMEMBERED;
    for (int32_t k = 0; k < s->remembers[row]; k++) {
        const int32_t e = memory[k];
        const int64_t price = tc_scaling_price(s, s->graph->column[e]), cost = s->graph->cost[e] * s->scale - price;
        if (cost < o.best) {
            o.second = o.best;
            o.best = cost;
            o.edge = e;
            o.price = price;
        } else if (cost < o.second) {
            o.second = cost;
        }
    }
    return o;
}

/* Finds the best offers for the row among its remembered edges. If another edge may be cheaper, remembers the cheapest
 * edges anew, and repeats that as long as other threads lower prices meanwhile. */
tc_scaling_offers tc_scaling_look(tc_scaling *s, int32_t row)
{
    tc_scaling_offers o = recall(s, row);
    if (o.second <= s->beyond[row]) return o;
    do {
        tc_scaling_remember(s, row);
        o = recall(s, row);
    } while (o.best > s->beyond[row]);
    if (o.second > s->beyond[row]) o.second = s->beyond[row];
    return o;
}
