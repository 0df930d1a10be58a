/* SPDX-License-Identifier: MIT test_sides.c - a batch on two sides: shares of the GPU's time add up to the time in
 * which it was busy, and batches that are played with a clock of their own end sooner with the CPU's help, and
 * never later. */
#include "sides.h"

#include <check.h>
#include <math.h>

#include "random_graph.h"
#include "run_suite.h"

enum { MOST = 64 };

START_TEST(shares_add_up_to_the_time_with_any)
{
    uint64_t state = 1 + (uint64_t)_i;
    sides s = {0};
    double entered[MOST], now = 1000, busy = 0, shares = 0;
    int there = 0;
    for (int i = 0; i < 500; i++) {
        const double passed = random_below(&state, 50) * 0.125;
        now += passed;
        busy += there ? passed : 0;
        if (there < MOST && (i < 250 ? random_below(&state, 3) : !random_below(&state, 3))) {
            entered[there++] = sides_enter(&s, now);
        } else if (there) {
            const int which = random_below(&state, there);
            const double share = sides_leave(&s, now, entered[which]);
            ck_assert_double_ge(share, -1e-9);
            shares += share;
            entered[which] = entered[--there];
        }
    }
    while (there) shares += sides_leave(&s, now, entered[--there]);
    ck_assert_double_eq_tol(shares, busy, 1e-6);
    ck_assert_int_eq(s.there, 0);
}
END_TEST

START_TEST(one_alone_has_all_and_two_have_half)
{
    sides s = {0};
    const double first = sides_enter(&s, 10), second = sides_enter(&s, 14);
    ck_assert_double_eq(sides_leave(&s, 20, second), 3);
    ck_assert_double_eq(sides_leave(&s, 21, first), 4 + 3 + 1);
    const double third = sides_enter(&s, 50); /* what was idle is nobody's */
    ck_assert_double_eq(sides_leave(&s, 52, third), 2);
}
END_TEST

START_TEST(what_is_measured_replaces_the_guess)
{
    sides s = {0};
    s.cpu.ns = 100;
    sides_learn(&s.cpu, 0, 5); /* says nothing */
    sides_learn(&s.cpu, 1000, 0);
    ck_assert_double_eq(s.cpu.ns, 100);
    sides_learn(&s.cpu, 1000000, 60);
    ck_assert_double_eq(s.cpu.ns, 60);
    for (int i = 0; i < 100; i++) sides_learn(&s.cpu, 2000000, 80);
    ck_assert_double_eq_tol(s.cpu.ns, 40, 0.01);
    ck_assert(!s.gpu.measured && !s.host.measured);
}
END_TEST

START_TEST(a_thread_cuts_if_others_feed_the_gpu)
{
    sides s = {.cpu = {60, false}};
    ck_assert(!sides_take_cpu(&s, 16, 0, 1000)); /* nothing is known of the GPU */
    sides_learn(&s.gpu, 1000000, 2);
    ck_assert(!sides_take_cpu(&s, 16, 0, 1000));
    sides_learn(&s.host, 1000000, 7); /* 3.5 threads are busy with what the GPU cuts */
    ck_assert(sides_take_cpu(&s, 16, 11, 1000));
    ck_assert(!sides_take_cpu(&s, 16, 12, 1000));
    ck_assert(!sides_take_cpu(&s, 4, 0, 1000));
    ck_assert(sides_take_cpu(&s, 5, 0, 31)); /* 62 ms of the GPU */
    ck_assert(!sides_take_cpu(&s, 5, 0, 30));
}
END_TEST

/* ---- Batches ---------------------------------------------------------------------------------- */

/* Milliseconds: reading and writing a photo, a cut on a thread, a cut alone on the GPU, and how often one ends
 * there when it is full. */
typedef struct machine {
    int photos, threads, places, queue;
    double io, cpu, alone, gap;
    bool helps; /* threads cut what finds no place */
} machine;

typedef enum doing { IDLE, READING, WAITING, ON_GPU, ON_CPU } doing;

typedef struct worker {
    doing doing;
    double left; /* of what it is doing */
    double began, entered;
} worker;

typedef struct play {
    const machine *m;
    sides sides;
    worker worker[MOST];
    int begun, ended, in_hand, on_gpu, on_cpu, queued;
    double now;
} play;

static const uint64_t PIXELS = 1000000;

static void cut(play *p, worker *w)
{
    const machine *const m = p->m;
    p->queued -= w->doing == WAITING;
    if (p->on_gpu < m->places) {
        *w = (worker){.doing = ON_GPU, .left = m->alone, .began = p->now, .entered = sides_enter(&p->sides, p->now)};
        p->on_gpu++;
    } else if (m->helps && p->queued >= m->queue &&
               sides_take_cpu(&p->sides, m->threads, p->on_cpu, m->photos - p->begun + p->in_hand - p->on_cpu)) {
        *w = (worker){.doing = ON_CPU, .left = m->cpu, .began = p->now};
        p->on_cpu++;
    } else {
        w->doing = WAITING;
        p->queued++;
    }
}

static void go_on(play *p, worker *w)
{
    const machine *const m = p->m;
    if (w->doing == ON_GPU) {
        const double share = sides_leave(&p->sides, p->now, w->entered);
        if (p->queued) sides_learn(&p->sides.gpu, PIXELS, share);
        sides_learn(&p->sides.host, PIXELS, m->io);
        p->on_gpu--;
    }
    if (w->doing == ON_CPU) {
        p->on_cpu--;
        sides_learn(&p->sides.cpu, PIXELS, p->now - w->began);
    }
    if (w->doing == ON_GPU || w->doing == ON_CPU) p->ended++, p->in_hand--, w->doing = IDLE;
    if (w->doing == READING || w->doing == WAITING) {
        cut(p, w);
    } else if (p->begun < m->photos && p->in_hand - p->on_gpu - p->queued < m->threads) {
        *w = (worker){.doing = READING, .left = m->io};
        p->begun++, p->in_hand++;
    }
}

/* Plays a batch. Returns when it ends. */
static double play_batch(const machine *m, double cpu_guess)
{
    const double step = 0.125;
    static play p;
    p = (play){.m = m};
    p.sides.cpu.ns = cpu_guess;
    while (p.ended < m->photos) {
        const double each = fmin(1, m->alone / (m->gap * (p.on_gpu ? p.on_gpu : 1)));
        for (int i = 0; i < m->threads + m->places + m->queue; i++) {
            worker *const w = &p.worker[i];
            if (w->doing != WAITING && w->doing != IDLE) w->left -= w->doing == ON_GPU ? each * step : step;
        }
        p.now += step;
        for (int i = 0; i < m->threads + m->places + m->queue; i++)
            if (p.worker[i].left <= 0 || p.worker[i].doing == WAITING) go_on(&p, &p.worker[i]);
        ck_assert_double_lt(p.now, 1e6);
    }
    return p.now;
}

START_TEST(threads_that_would_wait_help)
{
    machine m = {.photos = 2000, .threads = 16, .places = 16, .queue = 8, .io = 5.5, .cpu = 68, .alone = 4, .gap = 1.2};
    const double gpu = play_batch(&m, 68);
    m.helps = true;
    const double both = play_batch(&m, 68);
    /* 833 a second there, and some 10 threads that cut, 147 more. */
    ck_assert_double_eq_tol(gpu, 2000 * 1.2, 40);
    ck_assert_double_lt(both, 0.88 * gpu);
    ck_assert_double_lt(play_batch(&m, 30), 0.89 * gpu); /* the guess does not matter for long */
}
END_TEST

START_TEST(help_never_ends_later)
{
    uint64_t state = 1 + (uint64_t)_i;
    machine m = {.photos = 20 + random_below(&state, 400), .threads = 1 + random_below(&state, 16),
                 .places = 1 + random_below(&state, 16), .queue = 8, .io = 0.5 + random_below(&state, 10),
                 .cpu = 5 + random_below(&state, 200)};
    m.alone = 1 + random_below(&state, 30);
    m.gap = m.alone / (1 + random_below(&state, m.places));
    const double gpu = play_batch(&m, m.cpu);
    m.helps = true;
    const double both = play_batch(&m, m.cpu);
    /* A cut there takes as long as all that are there together, and one that is waited for meets no others at the
     * end. */
    ck_assert_msg(both <= gpu + m.gap * m.places + m.alone + m.io, "%.1f ms instead of %.1f", both, gpu);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sides");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, shares_add_up_to_the_time_with_any, 0, 20);
    tcase_add_test(all, one_alone_has_all_and_two_have_half);
    tcase_add_test(all, what_is_measured_replaces_the_guess);
    tcase_add_test(all, a_thread_cuts_if_others_feed_the_gpu);
    tcase_add_test(all, threads_that_would_wait_help);
    tcase_add_loop_test(all, help_never_ends_later, 0, RANDOM_CASES(30));
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
