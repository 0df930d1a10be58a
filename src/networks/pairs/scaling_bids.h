/* SPDX-License-Identifier: MIT
 *
 * scaling_bids.h - cost scaling: rows bid for columns until every row has one.
 */
#pragma once

#include "scaling_rows.h"

/* Gives every open row a column. In a phase, prices fall by about rows * eps. Returns false if a price has fallen so
 * low that it might not fit into 64 bits. Ends early when the call is cancelled. */
bool tc_scaling_refine(tc_scaling *s);

/* Lowers a column's price, if it is higher. Returns the old price. */
static inline int64_t tc_scaling_lower(tc_scaling *s, int32_t column, int64_t price)
{
    int64_t before = tc_scaling_price(s, column);
    while (before > price &&
           !__atomic_compare_exchange_n(&s->v[column], &before, price, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        continue;
    return before;
}
