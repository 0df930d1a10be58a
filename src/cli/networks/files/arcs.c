/* SPDX-License-Identifier: MIT */
#include "arcs.h"

#include <stdlib.h>
#include <string.h>

bool arcs_fit(const arc_list *list, int64_t nodes, int64_t arcs)
{
    if (arcs > TILECUT_NETWORK_ARCS || nodes > TILECUT_NETWORK_NODES) return false;
    if (list->costs && !list->named)
        return !list->most_bytes ||
               (uint64_t)arcs * COST_BYTES + (uint64_t)nodes * COST_NODE_BYTES + COST_BASE_BYTES <= list->most_bytes;
    const uint64_t arc = ARC_BYTES + (list->named ? NAMED_BYTES : 0);
    return !list->most_bytes || (uint64_t)arcs * arc + (uint64_t)nodes * NODE_BYTES <= list->most_bytes;
}

static bool resize(void **array, int64_t count, size_t size)
{
    void *larger = realloc(*array, (size_t)count * size);
    if (larger) *array = larger;
    return larger != NULL;
}

bool arcs_reserve(arc_list *list, int64_t arcs, bool values)
{
    const int64_t room = arcs > 0 ? arcs : 1;
    if (!arcs_fit(list, list->nodes, arcs)) {
        list->too_large = true;
        return false;
    }
    const bool had = list->value != NULL;
    if (!resize((void **)&list->tail, room, sizeof *list->tail) ||
        !resize((void **)&list->head, room, sizeof *list->head))
        return false;
    if ((values || had) && !resize((void **)&list->value, room, sizeof *list->value)) return false;
    for (int64_t a = 0; values && !had && a < list->arcs; a++) list->value[a] = 1;
    list->room = room;
    return true;
}

bool arcs_put(arc_list *list, int64_t tail, int64_t head, int64_t value)
{
    enum { FIRST = 1 << 10 };
    const bool values = value != 1 && !list->value, full = list->arcs == list->room;
    const int64_t wanted = full ? (list->room < FIRST ? FIRST : list->room + list->room / 2) : list->room;
    if ((values || full) && !arcs_reserve(list, wanted, values)) {
        /* There is no room within the limit for half as many arcs again, so grow by a few. */
        list->too_large = false;
        if (!full || !arcs_fit(list, list->nodes, list->arcs + 1)) {
            list->too_large = full;
            return false;
        }
        if (!arcs_reserve(list, list->arcs + FIRST, values) && !arcs_reserve(list, list->arcs + 1, values))
            return false;
    }
    list->tail[list->arcs] = (int32_t)tail;
    list->head[list->arcs] = (int32_t)head;
    if (list->value) list->value[list->arcs] = value;
    list->arcs++;
    return true;
}

bool arcs_scale(arc_list *list, const file_number *value, int64_t *out)
{
    const int finer = value->decimals - list->decimals;
    if (finer <= 0) return file_number_scale(value, list->decimals, out);
    /* Values that were left out are 1. */
    if (list->arcs && !list->value && !arcs_reserve(list, list->room, true)) return false;
    for (int64_t a = 0; a < list->arcs; a++) {
        const bool limited = list->costs || list->value[a] != TILECUT_INFINITE;
        if (limited && !scaled_raise(&list->value[a], finer)) return false;
    }
    list->decimals = value->decimals;
    *out = value->digits;
    return true;
}

static bool put_terminal(int32_t **nodes, int64_t *count, int64_t node)
{
    /* The array grows when the count is a power of two. */
    if (!(*count & (*count - 1)) && !resize((void **)nodes, *count ? 2 * *count : 1, sizeof **nodes)) return false;
    (*nodes)[(*count)++] = (int32_t)node;
    return true;
}

bool arcs_put_source(arc_list *list, int64_t node)
{
    return put_terminal(&list->sources, &list->source_count, node);
}

bool arcs_put_sink(arc_list *list, int64_t node)
{
    return put_terminal(&list->sinks, &list->sink_count, node);
}

void arcs_clear(arc_list *list)
{
    free(list->tail);
    free(list->head);
    free(list->value);
    free(list->sources);
    free(list->sinks);
    memset(list, 0, sizeof *list);
}

tilecut_network_arcs arcs_network(const arc_list *list)
{
    return (tilecut_network_arcs){.nodes = list->nodes, .arcs = list->arcs, .tail = list->tail, .head = list->head,
                                  .capacity = list->value, .sources = list->sources, .sinks = list->sinks,
                                  .source_count = list->source_count, .sink_count = list->sink_count};
}
