/* SPDX-License-Identifier: MIT
 *
 * test_json.c - the JSON writer: nesting and commas, escapes, and numbers that read back equal; and the digest in the
 * report.
 */
#include "json.h" /* must precede check.h, which defines a macro fail() */
#include "report.h"
#include "solver.h"
#include "sha256.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

/* Returns the text written so far, and clears the writer. */
static const char *take(json *j)
{
    static char text[4096];
    ck_assert(!j->failed && j->out.size < sizeof text);
    memcpy(text, j->out.data, j->out.size);
    text[j->out.size] = 0;
    json_free(j);
    return text;
}

TEST(nesting)
{
    json j = {0};
    json_open(&j, NULL, '{');
    json_open(&j, "empty", '[');
    json_close(&j, ']');
    json_open(&j, "list", '[');
    json_integer(&j, NULL, -1);
    json_open(&j, NULL, '{');
    json_bool(&j, "yes", true);
    json_null(&j, "none");
    json_close(&j, '}');
    json_close(&j, ']');
    json_text(&j, "text", NULL);
    json_close(&j, '}');
    ck_assert_str_eq(take(&j), "{\"empty\": [], \"list\": [-1, {\"yes\": true, \"none\": null}], \"text\": null}");
}

TEST(strings)
{
    static const struct { const char *text, *json; } cases[] = {
        {"plain", "\"plain\""},
        {"\"\\\n\t\x01\x7f", "\"\\\"\\\\\\u000a\\u0009\\u0001\\u007f\""},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\xb7", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\xb7\""},
        {"\xe9.png", "\"\\ufffd.png\""},                         /* Latin-1 */
        {"\xc3", "\"\\ufffd\""},                                  /* truncated */
        {"\xe2\x82", "\"\\ufffd\\ufffd\""},
        {"\xc0\xaf", "\"\\ufffd\\ufffd\""},                       /* overlong */
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},            /* a surrogate */
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* beyond Unicode */
        {"\xff\xfe", "\"\\ufffd\\ufffd\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json j = {0};
        json_text(&j, NULL, cases[i].text);
        ck_assert_str_eq(take(&j), cases[i].json);
    }
}

TEST(numbers)
{
    static const double values[] = {0, 1, -1.5, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.25, 0.000244140625, 50};
    json j = {0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        json_real(&j, NULL, values[i]);
        j.comma = false;
        const char *text = take(&j);
        ck_assert_msg(strtod(text, NULL) == values[i], "%s", text);
    }
    json_real(&j, NULL, NAN);
    json_real(&j, NULL, -INFINITY);
    json_integer(&j, NULL, INT64_MIN);
    ck_assert_str_eq(take(&j), "null, null, -9223372036854775808");
}

/* The examples of FIPS 180-4: an empty text, part of a block, a text whose length needs a second block, and many
 * blocks. */
TEST(digests)
{
    static const struct { const char *text, *digest; } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    char text[SHA256_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sha256(cases[i].text, strlen(cases[i].text), text);
        ck_assert_str_eq(text, cases[i].digest);
    }
    char *million = malloc(1000000);
    memset(million, 'a', 1000000);
    sha256(million, 1000000, text);
    ck_assert_str_eq(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

/* Sizes around the one at which the padding needs another block, hashed whole and in pieces. The digests are from
 * Python's hashlib. */
TEST(digests_of_pieces)
{
    static const struct { size_t size; const char *digest; } cases[] = {
        {55, "2900465fcb533e05a158fd2b3be0e5e3b03740d83060aa3580e0d98a96bf2384"},
        {56, "31454ff48ef36af2f08fd511bdc37d9d5855ac23e992e5ff5445cb6b7674a674"},
        {63, "5f6401b96532c36de4e65beec0409b69b1d181864c8009b7a04f43e5d56350d1"},
        {64, "94eb5de4943613fd048dc93393ab06877405faa39c11f53e9386083339833e7e"},
        {65, "fc518669b6eb4b4dd91827ecacef86689c725bd5bab888fd3b26dbb196eec954"},
        {119, "b0dc41b1a384e2f1203f0351b38fbeaafceef577ce1191d5bfc25da39f721eae"},
        {120, "5df24dd802ac26132ce608dcb5f09841eef039ee0f152acf98d26d17fe4e88e6"},
        {127, "0fe729ff19257bd6fec853acc2ea355f6b34b58e6c0f684c3e188fcdfcd9baae"},
        {128, "0aedd4856f8eba0963627336ad5144a9a7dbe12498e6066f0165fc97d8ddee4c"},
        {1000, "57799de80e3dd6e2ac4d40c41a150d1662f7f87d0d994776a2fdc37c39b0ea4e"}};
    uint8_t data[1000];
    char text[SHA256_TEXT];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 37 + 11);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sha256(data, cases[i].size, text);
        ck_assert_str_eq(text, cases[i].digest);
        for (size_t piece = 1; piece <= 130; piece++) {
            sha256_sum sum;
            sha256_begin(&sum);
            for (size_t at = 0; at < cases[i].size; at += piece)
                sha256_add(&sum, data + at, cases[i].size - at < piece ? cases[i].size - at : piece);
            sha256_end(&sum, text);
            ck_assert_msg(strcmp(text, cases[i].digest) == 0, "%zu bytes by %zu", cases[i].size, piece);
        }
    }
}

TEST(decisions_of_a_solver)
{
    static const tc_solve_stats none;
    tc_solve_stats cut = {.decisions = 2,
                          .decision = {{.next = "cuda", .reason = "large enough", .active = 5, .bytes = 64,
                                        .cpu_rate = 2, .threshold = INFINITY},
                                       {.next = "cpu", .reason = "r", .rounds = 512, .active = 3, .cuda_rate = 0.5,
                                        .cpu_rate = 4, .threshold = 1.5, .bytes = 20480}}};
    json j = {0};
    json_open(&j, NULL, '{');
    tc_decisions_keep(&none);
    put_decisions(&j);
    tc_decisions_keep(&cut);
    put_decisions(&j);
    tc_decisions_keep(&none);
    json_close(&j, '}');
    ck_assert_str_eq(take(&j), "{\"decisions\": [{\"next\": \"cuda\", \"reason\": \"large enough\", \"rounds\": 0, "
                               "\"active\": 5, \"cuda_rate\": 0, \"cpu_rate\": 2, \"threshold\": null, "
                               "\"bytes\": 64}, {\"next\": \"cpu\", \"reason\": \"r\", \"rounds\": 512, "
                               "\"active\": 3, \"cuda_rate\": 0.5, \"cpu_rate\": 4, \"threshold\": 1.5, "
                               "\"bytes\": 20480}]}");
}

int main(void) { return run_suite((test_suite){.name = "json"}); }
