/* SPDX-License-Identifier: MIT
 *
 * test_failure.c - an error message is one printable line, even if names in it are long or strange.
 */
#include "failure.h"

/* use our fail(), not the macro of check.h */
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

#undef fail

TEST(failure_carries_status_and_text)
{
    failure why = {0};
    ck_assert_int_eq(fail(&why, EXIT_SEEDS, "%s: is %dx%d", "seeds.png", 3, 4), EXIT_SEEDS);
    ck_assert_int_eq(why.status, EXIT_SEEDS);
    ck_assert_str_eq(why.text, "seeds.png: is 3x4");
}

TEST(what_cannot_be_shown_is_a_question_mark)
{
    static const char *const cases[][2] = {
        {"a\nb\tc\x1b[31m\x7f", "a?b?c?[31m?"},
        {"L\xc3\xb6we \xe7\x8c\xab \xf0\x9f\x98\xba", "L\xc3\xb6we \xe7\x8c\xab \xf0\x9f\x98\xba"},
        {"\xff\xfe", "??"},
        {"\xc3", "?"},                 /* truncated */
        {"\xc3z", "?z"},
        {"\xc0\xaf", "??"},            /* overlong           */
        {"\xe0\x80\xaf", "???"},
        {"\xed\xa0\x80", "???"},       /* surrogate          */
        {"\xf4\x90\x80\x80", "????"},  /* above U+10FFFF     */
        {"\xc2\x9b" "2J", "??2J"},     /* C1 control: CSI    */
        {"gnp.\xe2\x80\xae" "exe", "gnp.???exe"},     /* U+202E reverses the text that follows */
        {"a\xe2\x80\xa8" "b\xe2\x80\xa9", "a???b???"}, /* U+2028 and U+2029: line separators */
        {"\xe2\x81\xa6\xd8\x9c\xef\xbb\xbf", "????????"}, /* U+2066, U+061C, U+FEFF           */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        failure why;
        fail(&why, EXIT_INPUT, "%s", cases[i][0]);
        ck_assert_str_eq(why.text, cases[i][1]);
    }
}

TEST(a_long_name_leaves_room_for_what_is_wrong)
{
    static char name[5000];
    failure why;
    for (size_t length = 500; length < sizeof name - 1; length += 37) {
        memset(name, 'a', length);
        name[0] = '<';
        name[length] = '\0';
        fail(&why, EXIT_INPUT, "%s: is empty", name);
        const size_t shown = strlen(why.text);
        ck_assert_uint_eq(shown, length + 10 < sizeof why.text ? length + 10 : sizeof why.text - 1);
        ck_assert(why.text[0] == '<' && strcmp(why.text + shown - 10, ": is empty") == 0);
        ck_assert(length + 10 < sizeof why.text || strstr(why.text, "a...a"));
    }
}

TEST(notes_are_kept_in_order)
{
    notes list = {0};
    note(NULL, "nobody listens");
    for (int i = 0; i < 20; i++) note(&list, "note %d\n", i);
    ck_assert_int_eq(list.count, 20);
    ck_assert_str_eq(list.text[0], "note 0?");
    ck_assert_str_eq(list.text[19], "note 19?");
    notes_free(&list);
    ck_assert(list.count == 0 && !list.text);
    notes_free(&list);
}

int main(void) { return run_suite((test_suite){.name = "failure"}); }
