/* SPDX-License-Identifier: MIT
 *
 * test_batch_list.c - name patterns, and lists of jobs as editors and spreadsheets write them. Random bytes as a list
 * never cause a crash, nor a job without a photo or a mask.
 */
#include "batch_list.h" /* must precede check.h, which defines a macro fail() */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run_suite.h"

static batch_list list;
static failure why;

static void tear_down(void)
{
    batch_list_free(&list);
    why = (failure){0};
}

static int parse(const batch_names *names, const char *text, size_t size)
{
    return batch_list_parse(&list, names, "jobs", (const uint8_t *)text, size, &why);
}

TEST(patterns)
{
    static const struct {
        const char *pattern, *photo, *sub, *mask;
    } row[] = {
        {"{stem}.png", "a/b.c.jpg", "", "out/b.c.png"},
        {"{name}.png", "a/b.jpg", "", "out/b.jpg.png"},
        {"{dir}/{stem}", "a/d/b.jpg", "", "out/a/d/b"},
        {"{dir}", "b.jpg", "", "out/."},
        {"{dir}", "/b.jpg", "", "out//"},
        {"{ext}", "b.tar.PNG", "", "out/PNG"},
        {"{ext}x", ".hidden", "", "out/x"},
        {"{stem}", ".hidden", "", "out/.hidden"},
        {"{sub}/{stem}", "r/s/b.jpg", "s", "out/s/b"},
        {"{sub}/{stem}", "r/b.jpg", "", "out/b"},
        {"x/{sub}/{sub}{stem}", "r/b.jpg", "", "out/x/b"},
        {"{stem}{stem}}", "b", "", "out/bb}"},
        {"plain", "b", "", "out/plain"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const batch_names names = {.folder = "out", .result = {row[i].pattern}};
        ck_assert_int_eq(batch_names_check(&names, &why), EXIT_DONE);
        const batch_words words = {.photo = row[i].photo};
        ck_assert_int_eq(batch_list_add(&list, &names, row[i].sub, &words, &why), EXIT_DONE);
        ck_assert_str_eq(list.item[i].result[BATCH_MASK], row[i].mask);
    }
}

TEST(placeholders_that_do_not_exist)
{
    static const char *const wrong[] = {"{", "{stem", "{Stem}", "{}", "a{x}b", "{stem}{"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const batch_names names = {.folder = "out", .result = {wrong[i]}};
        ck_assert_int_eq(batch_names_check(&names, &why), EXIT_USAGE);
        ck_assert_ptr_nonnull(strstr(why.text, "--name"));
    }
}

TEST(seeds_follow_from_all_patterns_unless_a_line_says_them)
{
    static const char *const seeds[] = {"s/{stem}.png", "t/{name}"};
    static const char text[] = "a.jpg\nb.jpg\tmine.png\n";
    const batch_names names = {.seeds = seeds, .seed_count = 2, .folder = "o", .result = {"{stem}.png"}};
    ck_assert_int_eq(parse(&names, text, strlen(text)), EXIT_DONE);
    ck_assert_int_eq(list.count, 2);
    ck_assert_int_eq(list.item[0].seed_count, 2);
    ck_assert_str_eq(list.item[0].seeds[0], "s/a.png");
    ck_assert_str_eq(list.item[0].seeds[1], "t/a.jpg");
    ck_assert_int_eq(list.item[1].seed_count, 1);
    ck_assert_str_eq(list.item[1].seeds[0], "mine.png");
    ck_assert_str_eq(list.item[1].result[BATCH_MASK], "o/b.png");
}

TEST(names_may_hold_anything_but_tabs_and_line_ends)
{
    static const char text[] = "a photo, \"quoted\".jpg\ts 1.png\tm;1.png\r\n";
    const batch_names names = {.result = {"{stem}.png"}};
    ck_assert_int_eq(parse(&names, text, strlen(text)), EXIT_DONE);
    ck_assert_str_eq(list.item[0].photo, "a photo, \"quoted\".jpg");
    ck_assert_str_eq(list.item[0].seeds[0], "s 1.png");
    ck_assert_str_eq(list.item[0].result[BATCH_MASK], "m;1.png");
}

TEST(random_bytes)
{
    static const char alphabet[] = "a#\t\n\r\0-\xef\xbb\xbf{/.";
    const unsigned seed = (unsigned)time(NULL);
    const batch_names names = {.folder = "out", .result = {"{stem}.png"}};
    printf("test_batch_list: seed %u\n", seed);
    srand(seed);
    for (int round = 0; round < 2000; round++) {
        char text[64];
        const size_t size = (size_t)rand() % sizeof text;
        for (size_t i = 0; i < size; i++) text[i] = alphabet[(size_t)rand() % (sizeof alphabet - 1)];
        const int status = parse(&names, text, size);
        ck_assert(status == EXIT_DONE || (status == EXIT_INPUT && strstr(why.text, "jobs: line ")));
        for (int i = 0; i < list.count; i++) ck_assert(*list.item[i].photo && *list.item[i].result[BATCH_MASK]);
        tear_down();
    }
}

int main(void) { return run_suite((test_suite){.name = "batch_list", .tear_down = tear_down}); }
