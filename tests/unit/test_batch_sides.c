/* SPDX-License-Identifier: MIT
 *
 * test_batch_sides.c - a batch that both sides cut, with a GPU in software: who cuts what finds no place there, who
 * waits, and that the masks are those of the CPU alone.
 */
#include "software_device.h" /* first: names of the program would shadow its own */
#undef fail                  /* of check.h */

#include <stdio.h>
#include <unistd.h>

#include "batch_gate.h"
#include "file.h"
#include "random_graph.h"
#include "run_suite.h"

enum { WIDTH = 60, HEIGHT = 44, PHOTOS = 90, KINDS = 9 };

static common asked;
static tilecut_params params;
static batch_list list;
static batch_plan plan;
static engine_auto engine;
static failure why;

/* A GPU that was measured on this machine, and is faster. */
static void begin(void)
{
    why = (failure){0};
    asked = (common){.quiet = true};
    params = tilecut_params_default();
    engine = (engine_auto){.open = true, .known = {.measured = true, .gpu = true, .device_ns = 1, .rows = 1,
                                                   .row = {{1, 1000, 2}}}};
    list = (batch_list){0};
    plan = (batch_plan){.list = &list, .common = &asked, .params = &params, .engine = &engine};
}

static void end(void)
{
    if (!list.item) list.count = 0; /* that of in_progress() */
    batch_list_free(&list);
}

/* ---- The gate --------------------------------------------------------------------------------- */

/* A batch in progress, of `count` photos, the first `begun` of which are in hand, and a ticket for each. */
static batch b;
static ticket ticket_of[4 * BATCH_PLACES];

static void in_progress(int count, int begun, int threads)
{
    params.threads = threads;
    list.count = count; /* nobody looks at the items */
    b = (batch){.plan = &plan, .engine = engine, .threads = threads, .lock = PTHREAD_MUTEX_INITIALIZER,
                .freed = PTHREAD_COND_INITIALIZER, .place = PTHREAD_COND_INITIALIZER, .turn = PTHREAD_COND_INITIALIZER,
                .next = begun, .in_hand = begun, .working = begun};
    b.engine.awake = true;
    b.sides = (sides){.cpu = {1000, true}, .gpu = {10, true}, .host = {30, true}};
    for (int i = 0; i < 4 * BATCH_PLACES; i++)
        ticket_of[i] = (ticket){.batch = &b, .job.photo = {.width = 600, .height = 500}};
}

/* Where the cut of ticket i begins. */
static tilecut_params enter(int i)
{
    tilecut_params how = params;
    batch_enter_cut(&ticket_of[i], false, &how);
    return how;
}

static void leave(int i, const tilecut_params *how)
{
    batch_leave_cut(&ticket_of[i], how, true);
}

/* Lets ticket i wait for its place in a thread of its own, until it does. */
static struct {
    pthread_t thread;
    int ticket;
    tilecut_params how;
} waiter[BATCH_QUEUE];

static void *wait_there(void *which)
{
    const int i = *(int *)which;
    waiter[i].how = enter(waiter[i].ticket);
    return NULL;
}

static void wait_as(int i, int which)
{
    static int number[BATCH_QUEUE];
    int queued = 0;
    number[i] = i;
    waiter[i].ticket = which;
    ck_assert_int_eq(pthread_create(&waiter[i].thread, NULL, wait_there, &number[i]), 0);
    while (queued <= i) {
        pthread_mutex_lock(&b.lock);
        queued = b.queued;
        pthread_mutex_unlock(&b.lock);
    }
}

/* All places are taken, by tickets 0 .., and as many wait as are wanted. */
static void fill(tilecut_params how[BATCH_PLACES])
{
    for (int i = 0; i < BATCH_PLACES; i++) ck_assert((how[i] = enter(i), batch_uses_device(&how[i])));
    for (int i = 0; i < BATCH_QUEUE; i++) wait_as(i, BATCH_PLACES + i);
}

/* Ends all that are there and all that wait. */
static void drain(const tilecut_params how[BATCH_PLACES])
{
    for (int i = 0; i < BATCH_PLACES; i++) leave(i, &how[i]);
    for (int i = 0; i < BATCH_QUEUE; i++) {
        pthread_join(waiter[i].thread, NULL);
        ck_assert(batch_uses_device(&waiter[i].how));
        leave(BATCH_PLACES + i, &waiter[i].how);
    }
    ck_assert_int_eq(b.on_device + b.queued + b.on_cpu, 0);
    ck_assert_uint_eq(b.device_pixels, 0);
}

START_TEST(what_finds_no_place_is_cut_by_a_thread)
{
    enum { FIRST = BATCH_PLACES + BATCH_QUEUE, SPARE = 16 - 3 };
    tilecut_params how[BATCH_PLACES], by_thread[SPARE];
    in_progress(1000, FIRST + SPARE, 16);
    fill(how);
    for (int i = 0; i < SPARE; i++) {
        by_thread[i] = enter(FIRST + i);
        ck_assert_ptr_null(by_thread[i].solver);
        ck_assert_int_eq(by_thread[i].threads, 1);
        ck_assert_int_eq(b.on_cpu, i + 1);
    }
    for (int i = 0; i < SPARE; i++) leave(FIRST + i, &by_thread[i]);
    drain(how);
}
END_TEST

START_TEST(nobody_waits_for_a_gpu_that_has_failed)
{
    tilecut_params how[BATCH_PLACES];
    in_progress(1000, BATCH_PLACES + BATCH_QUEUE, 16);
    fill(how);
    ticket_of[7].job.run.fell_back = true;
    leave(7, &how[7]);
    for (int i = 0; i < BATCH_QUEUE; i++) {
        pthread_join(waiter[i].thread, NULL);
        ck_assert_ptr_null(waiter[i].how.solver);
    }
    ck_assert_int_eq(b.on_device, BATCH_PLACES - 1);
    ck_assert_int_eq(b.on_cpu, BATCH_QUEUE);
}
END_TEST

static tilecut_params last;

static void *enter_one_more(void *which)
{
    last = enter(*(int *)which);
    return NULL;
}

/* One more comes while all places are taken and the queue is full, and waits, too. */
static void one_more_waits(void)
{
    tilecut_params how[BATCH_PLACES];
    int one = BATCH_PLACES + BATCH_QUEUE, queued = 0;
    pthread_t more;
    fill(how);
    ck_assert_int_eq(pthread_create(&more, NULL, enter_one_more, &one), 0);
    while (queued <= BATCH_QUEUE) {
        pthread_mutex_lock(&b.lock);
        queued = b.queued;
        ck_assert_int_eq(b.on_cpu, 0);
        pthread_mutex_unlock(&b.lock);
    }
    for (int i = 0; i < BATCH_PLACES; i++) leave(i, &how[i]);
    pthread_join(more, NULL);
    ck_assert(batch_uses_device(&last));
    leave(one, &last);
    for (int i = 0; i < BATCH_QUEUE; i++) {
        pthread_join(waiter[i].thread, NULL);
        leave(BATCH_PLACES + i, &waiter[i].how);
    }
    ck_assert_int_eq(b.on_device + b.queued + b.on_cpu, 0);
}

/* A thread takes as long as the GPU does with 100. */
START_TEST(near_the_end_jobs_wait)
{
    in_progress(100, 40, 16);
    one_more_waits();
    in_progress(1000, 40, 3); /* and where all threads are needed for what the GPU cuts */
    one_more_waits();
}
END_TEST

static void *next(void *item)
{
    *(const batch_item **)item = batch_next(&b);
    return NULL;
}

START_TEST(threads_that_sleep_at_the_gpu_are_made_up_for)
{
    const batch_item *found = NULL;
    batch_item items[10] = {0};
    pthread_t waiting;
    int waits = 0;
    in_progress(10, 2, 2);
    list.item = items;
    ck_assert_int_eq(pthread_create(&waiting, NULL, next, &found), 0); /* two are off the GPU, for two threads */
    while (!waits) {
        pthread_mutex_lock(&b.lock);
        waits = b.waiting;
        pthread_mutex_unlock(&b.lock);
    }
    ck_assert_int_eq(b.next, 2);
    const tilecut_params how = enter(0);
    ck_assert(batch_uses_device(&how));
    pthread_join(waiting, NULL);
    ck_assert_ptr_eq(found, &items[2]);
    ck_assert_int_eq(b.in_hand, 3);
    leave(0, &how);
    batch_leave(&ticket_of[0]);
    batch_leave(&ticket_of[1]);
    ck_assert_ptr_eq(batch_next(&b), &items[3]);
    b.stop = true;
    ck_assert_ptr_null(batch_next(&b));
    list.item = NULL;
    list.count = 0;
}
END_TEST

/* ---- All of it --------------------------------------------------------------------------------- */

/* Photos of nine kinds, each with a stroke on a dark disc and one beside it. */
static void write_photos(void)
{
    static uint8_t photo[20 + WIDTH * HEIGHT], strokes[20 + WIDTH * HEIGHT];
    char path[64];
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t state = 7 + (uint64_t)kind;
        const int head = snprintf((char *)photo, sizeof photo, "P5 %d %d 255\n", WIDTH, HEIGHT);
        memcpy(strokes, photo, (size_t)head);
        for (int y = 0, p = head; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++, p++) {
                const int dx = x - 20 - kind, dy = y - 20, away = dx * dx + dy * dy;
                photo[p] = (uint8_t)((away < 100 + 20 * kind ? 60 : 130) + random_below(&state, 70));
                strokes[p] = away < 9 ? 255 : y == HEIGHT - 2 ? 0 : 128;
            }
        snprintf(path, sizeof path, "p%d.pgm", kind);
        ck_assert_int_eq(file_write(path, photo, (size_t)head + WIDTH * HEIGHT, &why), EXIT_DONE);
        snprintf(path, sizeof path, "s%d.pgm", kind);
        ck_assert_int_eq(file_write(path, strokes, (size_t)head + WIDTH * HEIGHT, &why), EXIT_DONE);
    }
}

/* Cuts them all, ten times over, into `folder`. */
static batch_result run_into(const char *folder)
{
    const batch_names names = {.folder = folder, .mask = "{stem}.pgm"};
    static const option_log given;
    batch_result result;
    inputs in;
    model m;
    const job_style style = {0};
    const scan_options volumes = {0};
    inputs_init(&in);
    model_init(&m);
    ck_assert(seeds_format_parse("trimap", &in.request.format));
    batch_list_free(&list);
    list = (batch_list){0};
    for (int i = 0; i < PHOTOS; i++) {
        char line[200];
        const int size = snprintf(line, sizeof line, "p%d.pgm\ts%d.pgm\t%s/m%d.pgm\n", i % KINDS, i % KINDS, folder, i);
        ck_assert_int_eq(batch_list_parse(&list, &names, "list", (uint8_t *)line, (size_t)size, &why), EXIT_DONE);
    }
    plan.inputs = &in, plan.model = &m, plan.style = &style, plan.scan = &volumes, plan.given = &given;
    plan.state = batch_state_create(&given);
    plan.make_folders = true;
    ck_assert_msg(batch_run(&plan, &result, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_int_eq(result.done, PHOTOS);
    batch_state_free(plan.state);
    inputs_free(&in);
    return result;
}

static void compare_masks(void)
{
    for (int i = 0; i < PHOTOS; i++) {
        char path[64];
        bytes a = {0}, c = {0};
        snprintf(path, sizeof path, "alone/m%d.pgm", i);
        ck_assert_int_eq(file_read(path, 1 << 20, &a, &why), EXIT_DONE);
        snprintf(path, sizeof path, "both/m%d.pgm", i);
        ck_assert_int_eq(file_read(path, 1 << 20, &c, &why), EXIT_DONE);
        ck_assert_uint_eq(a.size, c.size);
        ck_assert_mem_eq(a.data, c.data, a.size);
        bytes_free(&a);
        bytes_free(&c);
    }
}

START_TEST(masks_do_not_tell_who_cut_them)
{
    char folder[] = "/tmp/tilecut-sides-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    write_photos();
    params.threads = 16;
    engine.open = false;
    ck_assert_int_eq(run_into("alone").on_device, 0);
    engine.open = true;
    const batch_result both = run_into("both");
    ck_assert_int_eq(both.workers, 16 + BATCH_PLACES + BATCH_QUEUE);
    ck_assert_int_gt(both.on_device, 0);
    ck_assert_int_lt(both.on_device, PHOTOS); /* while the first wakes the GPU, others do not wait for it */
    compare_masks();
    ck_assert_int_eq(chdir("/"), 0);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("batch_sides");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, what_finds_no_place_is_cut_by_a_thread);
    tcase_add_test(all, nobody_waits_for_a_gpu_that_has_failed);
    tcase_add_test(all, near_the_end_jobs_wait);
    tcase_add_test(all, threads_that_sleep_at_the_gpu_are_made_up_for);
    tcase_add_test(all, masks_do_not_tell_who_cut_them);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
