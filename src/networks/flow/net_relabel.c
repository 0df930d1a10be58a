/* SPDX-License-Identifier: MIT
 *
 * net_relabel.c - see net_relabel.h.
 *
 * Where flow is blocked, all nodes behind the blockage usually become more distant by the same amount. So the search
 * back from the sink stops as soon as all nodes of several consecutive levels have become more distant by the same
 * amount. The labels of the nodes behind them are raised by that amount without a search. This is safe: every path from
 * there leads through one of the searched nodes, so the raised labels are still lower bounds of the distances, and no
 * slot with room leads down by more than one.
 *
 * The threads search with frontier_buffers.h, each from its own nodes. If every thread claimed the nodes that it finds
 * instead, threads would lose more time on shared cache lines than they gain, because a level has only about a thousand
 * nodes.
 */
#include "net_relabel.h"

#include "parallel.h"
#include "simd.h"

enum { LEVELS_A_LOOK = 16, DIFFER = -1, NONE = -2, CACHE_LINE = 64 };

/* The nodes of a thread, in the order in which they are found. */
typedef struct share {
    int32_t *queue;
    int32_t begin, end; /* the present level in the queue */
    int slow_times;
    char apart[CACHE_LINE - sizeof(int32_t *) - 2 * sizeof(int32_t) - sizeof(int)];
} share;

typedef struct search {
    const tc_net_relabel *r;
    share *share; /* [shares] */
    int shares;   /* a power of two */
    unsigned round;
    int32_t level, before; /* before: by how much all labels of the last level were too low; 0: by different amounts */
    int32_t last, lacks;   /* last: the last level found; lacks: labels of later levels are too low by at least this */
    bool done;
} search;

static int32_t block_end(int32_t nodes, int64_t begin)
{
    return nodes - begin < TC_FRONTIER_BLOCK ? nodes : (int32_t)begin + TC_FRONTIER_BLOCK;
}

static int shares_of(int threads)
{
    int shares = 1;
    while (2 * shares <= threads) shares *= 2;
    return shares;
}

static inline int owner(int32_t v, int shares)
{
    return v / TC_FRONTIER_BLOCK & (shares - 1);
}

/* Prepares a share: finds the labels that it keeps, and puts the nodes of the first level into its queue. */
static void begin_share(const search *s, share *own, int worker)
{
    const tc_net_relabel *const r = s->r;
    const int32_t nodes = r->net->nodes;
    own->queue = r->queue + (int64_t)tc_frontier_share(nodes, s->shares) * worker;
    own->begin = own->end = 0;
    own->slow_times = 0;
    for (int64_t at = (int64_t)worker * TC_FRONTIER_BLOCK; at < nodes; at += (int64_t)s->shares * TC_FRONTIER_BLOCK) {
        for (int32_t v = (int32_t)at; v < block_end(nodes, at); v++) {
            r->found[v] = r->label[v] > r->keep ? nodes : r->label[v];
            own->queue[own->end] = v;
            own->end += r->label[v] == r->keep;
        }
    }
    /* marks the source as found, because no path leads through it */
    if (owner(r->net->source, s->shares) == worker) r->found[r->net->source] = nodes + 1;
}

/* Returns by how much the labels of the nodes of a share are too low, if it is the same for all. */
static int32_t lack(const search *s, const share *own)
{
    const int32_t *const label = s->r->label;
    if (own->begin == own->end) return NONE;
    const int32_t first = label[own->queue[own->begin]];
    for (int32_t k = own->begin + 1; k < own->end; k++)
        if (label[own->queue[k]] != first) return DIFFER;
    return s->level - first;
}

static int32_t lack_both(int32_t a, int32_t b)
{
    if (a == NONE || b == NONE) return a == NONE ? b : a;
    return a == b ? a : DIFFER;
}

static bool looks(const search *s)
{
    return !s->r->exact && s->level % LEVELS_A_LOOK == 0;
}

/* True if the search ends at the present level. */
static bool ends(search *s, bool any, int32_t lacks)
{
    const bool same = looks(s) && lacks > 0;
    s->lacks = same ? lacks : 0;
    s->last = any ? s->level : s->r->net->nodes;
    s->done = !any || (same && lacks == s->before);
    if (looks(s)) s->before = s->lacks;
    return s->done;
}

enum { NEAR = 8, FAR = 16 }; /* how many nodes ahead in the queue are prefetched */

TC_FETCHES void fetch_ahead(const tc_net_relabel *r, const int32_t *queue, int32_t k, int32_t end)
{
    if (k + FAR < end) __builtin_prefetch(&r->net->first[queue[k + FAR]]);
    if (k + NEAR >= end) return;
    const int32_t v = queue[k + NEAR];
    __builtin_prefetch(&r->packed[r->net->first[v]]);
    __builtin_prefetch(&r->packed[r->net->first[v + 1] - 1]);
}

/* ---- one thread ------------------------------------------------------------------------------- */

/* Finds new nodes that reach v over one of its slots in reverse. There is no branch, because the processor could not
 * predict whether a slot leads to a new node. */
static void find_behind(search *s, int32_t v)
{
    const tc_net_relabel *const r = s->r;
    const int32_t unseen = r->net->nodes, level = s->level + 1;
    for (int32_t i = r->net->first[v]; i < r->net->first[v + 1]; i++) {
        const int32_t u = tc_packed_arc_head(r->packed[i]), old = r->found[u];
        const int32_t is_new = (old == unseen) & (int32_t)(r->packed[i] / TC_PACKED_BACK);
        share *const to = &s->share[owner(u, s->shares)];
        to->queue[to->end] = u;
        r->found[u] = old ^ ((old ^ level) & -is_new); /* compilers would turn ?: into a branch */
        to->end += is_new;
    }
}

static void search_alone(search *s)
{
    for (;; s->level++) {
        int32_t stop[TC_FRONTIER_THREADS], lacks = NONE;
        bool any = false;
        for (int w = 0; w < s->shares; w++) {
            if (looks(s)) lacks = lack_both(lacks, lack(s, &s->share[w]));
            stop[w] = s->share[w].end;
            any = any || s->share[w].begin < stop[w];
        }
        if (ends(s, any, lacks)) return;
        for (int w = 0; w < s->shares; w++)
            for (share *const own = &s->share[w]; own->begin < stop[w]; own->begin++) {
                fetch_ahead(s->r, own->queue, own->begin, stop[w]);
                find_behind(s, own->queue[own->begin]);
            }
    }
}

/* ---- the end of a search ---------------------------------------------------------------------- */

static void raise_node(const search *s, int32_t v)
{
    const tc_net_relabel *const r = s->r;
    const int32_t dead = r->net->nodes, old = r->label[v];
    if (r->found[v] < dead || old >= dead) {
        if (old != r->found[v]) r->label[v] = r->found[v];
        return;
    }
    const int32_t raised = old < dead - s->lacks ? old + s->lacks : dead;
    r->label[v] = s->last >= dead ? dead : raised > s->last ? raised : s->last + 1;
}

/* Raises the labels of all nodes of a worker, which are in its caches. */
static void raise_share(const search *s, int worker)
{
    const int32_t nodes = s->r->net->nodes;
    if (owner(s->r->net->source, s->shares) == worker) s->r->found[s->r->net->source] = nodes;
    for (int64_t at = (int64_t)worker * TC_FRONTIER_BLOCK; at < nodes; at += (int64_t)s->shares * TC_FRONTIER_BLOCK)
        for (int32_t v = (int32_t)at; v < block_end(nodes, at); v++) raise_node(s, v);
}

/* ---- threads ---------------------------------------------------------------------------------- */

/* The position of a thread in its level. */
typedef struct place {
    int32_t k, slot; /* slot -1: the first one of the node */
} place;

/* For each slot of the nodes reached last, writes the node at its other end into the buffer of the thread that owns
 * that node, until a buffer is full. Returns true if some nodes are left. */
static bool write_mail(const search *s, const share *own, int worker, place *p)
{
    const tc_net_relabel *const r = s->r;
    tc_frontier_buffer *const box = tc_frontier_buffer_of(r->mail, s->round, worker, 0);
    int32_t count[TC_FRONTIER_THREADS] = {0};
    bool full = false;
    for (int w = 0; w < s->shares; w++) __builtin_prefetch(&box[w], 1);
    for (; p->k < own->end; p->k++, p->slot = -1) {
        const int32_t v = own->queue[p->k], end = r->net->first[v + 1];
        fetch_ahead(r, own->queue, p->k, own->end);
        for (int32_t i = p->slot < 0 ? r->net->first[v] : p->slot; i < end; i++) {
            const int32_t u = tc_packed_arc_head(r->packed[i]);
            const int w = owner(u, s->shares);
            if (count[w] == TC_FRONTIER_NODES) {
                p->slot = i;
                full = true;
                break;
            }
            box[w].head[count[w]] = u;
            count[w] += (int32_t)(r->packed[i] / TC_PACKED_BACK) & 1;
        }
        if (full) break;
    }
    for (int w = 0; w < s->shares; w++) box[w].count = count[w];
    return full;
}

/* Sends the news with all boxes, and waits for the news and boxes of the other threads. */
static tc_frontier_message exchange(const search *s, share *own, int worker, tc_frontier_message news)
{
    const tc_frontier_buffers *const m = s->r->mail;
    tc_frontier_send(tc_frontier_message_of(m, s->round, worker), s->round, &news);
    for (int w = 1; w < s->shares; w++) {
        const int sender = (worker + w) & (s->shares - 1);
        const tc_frontier_message *const others = tc_frontier_message_of(m, s->round, sender);
        own->slow_times += tc_frontier_wait(others, s->round);
        __builtin_prefetch(tc_frontier_buffer_of(m, s->round, sender, worker));
        news.lacks = lack_both(news.lacks, others->lacks);
        news.any |= others->any;
        news.more |= others->more;
        news.slow |= others->slow;
    }
    return news;
}

static void read_mail(const search *s, share *own, int worker, int32_t *stop)
{
    const tc_net_relabel *const r = s->r;
    const int32_t unseen = r->net->nodes, level = s->level + 1;
    for (int w = 0; w < s->shares; w++) {
        const tc_frontier_buffer *const box = tc_frontier_buffer_of(r->mail, s->round, w, worker);
        for (int32_t k = 0; k < box->count; k++) {
            const int32_t u = box->head[k], old = r->found[u], is_new = old == unseen;
            own->queue[*stop] = u;
            r->found[u] = old ^ ((old ^ level) & -is_new);
            *stop += is_new;
        }
    }
}

/* All threads make the same decisions, because all have the same news. */
static void search_share(void *context, tc_team *team, int worker)
{
    enum { MOST_SLOW_TIMES = 3 };
    const int shares = shares_of(tc_team_size(team));
    if (worker >= shares) return;
    search *const shared = context, s = *shared; /* each thread counts level and round in its own copy */
    share *const own = &s.share[worker];
    s.shares = shares;
    begin_share(&s, own, worker);
    place p = {.k = 0, .slot = -1};
    int32_t stop = own->end;
    for (bool first = true; shares > 1;) {
        s.round++;
        tc_frontier_message news = {.lacks = first && looks(&s) ? lack(&s, own) : NONE, .any = own->begin < own->end,
                             .slow = own->slow_times >= MOST_SLOW_TIMES};
        news.more = write_mail(&s, own, worker, &p);
        news = exchange(&s, own, worker, news);
        if (first && ends(&s, news.any, news.lacks)) break;
        read_mail(&s, own, worker, &stop);
        first = !news.more;
        if (!first) continue;
        s.level++;
        own->begin = p.k = own->end;
        own->end = stop;
        if (news.slow) break;
    }
    if (s.done) raise_share(&s, worker);
    if (!worker) *shared = s;
}

/* ---- all -------------------------------------------------------------------------------------- */

static void raise_later(void *context, int worker)
{
    raise_share(context, worker);
}

int32_t tc_net_relabel_all(const tc_net_relabel *r)
{
    share all[TC_FRONTIER_THREADS];
    search s = {.r = r, .share = all, .level = r->keep, .round = r->mail->round};
    tc_parallel_team(r->mail->threads, search_share, &s);
    r->mail->round = s.round;
    if (s.done) return s.last;
    search_alone(&s);
    tc_parallel(r->mail->threads, s.shares, raise_later, &s);
    return s.last;
}
