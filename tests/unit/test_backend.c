/* SPDX-License-Identifier: MIT
 *
 * test_backend.c - runs a job on the host and on a device simulated in software. Segmentation, iterations, boxes,
 * sessions and pixels in device memory give the host's results, and a job returns to the host when the device gives up.
 * Device: its own.
 */
#include "backend_scene.h"
#include "dressed_scene.h"
#include "label_scene.h"
#include "run_suite.h"

enum { SCENES = RANDOM_CASES(30) };

TEST(all_of_a_job_stays_on_the_device)
{
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        uint64_t state = seed;
        draw(20 + random_below(&state, 60), 20 + random_below(&state, 60), false, &state);
        draw_params(&state);
        begin_with_host();
        segment("strokes");
        ck_assert_int_eq(device.learnt, 1);
        ck_assert_int_eq(device.created + device.fetched, 0);
        /* a cut from strokes solves from two guesses */
        ck_assert_int_eq(device.solved, 1 + device.relearnt + device.forked);
        ck_assert(on_device.model_ms >= 2 * (1 + device.relearnt) && on_device.solve_ms == 8 * device.solved);
        ck_assert(on_device.bytes_per_pixel == 45);
    }
}

TEST(branches_are_tried_side_by_side)
{
    int forked = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t state = seed;
        draw(20 + random_below(&state, 60), 20 + random_below(&state, 60), seed % 4 == 0, &state);
        draw_params(&state);
        s.params.threads = 2 + (int)(seed % 3);
        begin_with_host();
        segment("side by side");
        forked += device.forked;
    }
    ck_assert_int_gt(forked, 0);
}

TEST(a_graph_of_the_host_is_cut_on_the_device)
{
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        uint64_t state = seed;
        tilecut_graph *graph;
        draw(20 + random_below(&state, 60), 20 + random_below(&state, 60), false, &state);
        draw_params(&state);
        begin_with_host();
        ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &s.params), TILECUT_OK);
        ck_assert_int_eq(tilecut_graph_segment(graph, &s.params, mask, &on_device), TILECUT_OK);
        tilecut_graph_destroy(graph);
        check_same("graph");
        ck_assert_int_eq(device.learnt, 0);
        ck_assert_int_ge(device.created, 1 + on_device.iterations);
    }
}

/* If the host can finish the device's flow, it does so without solving anything twice. Otherwise the host starts
 * again. */
TEST(what_the_device_gives_up_is_finished)
{
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        uint64_t state = seed;
        draw(20 + random_below(&state, 60), 20 + random_below(&state, 60), false, &state);
        draw_params(&state);
        begin_with_host();
        device.gives_up = 1 + (int)(seed % 3);
        segment("given up");
        ck_assert_msg(on_device.solve_ms >= 8 * (device.solved - 1) && on_device.model_ms >= 2, "its time counts");
        if (strcmp(s.params.colors, "none") == 0 && seed % 3 == 0) {
            ck_assert_int_eq(device.fetched, 1);
            ck_assert_int_eq(device.solved, 1);
            ck_assert_int_eq(device.created, 0);
        }
        ck_assert_int_eq(device.learnt, 1);
    }
}

/* The smaller copy is learnt twice: from the strokes, and from a guess that includes the parts without strokes. */
TEST(parts_that_no_stroke_names_are_looked_for)
{
    static dressed person;
    draw_dressed(&person, false, 1);
    s.image = (tilecut_image){0, DRESSED_WIDTH, DRESSED_HEIGHT, 3, 8, 0, s.pixels};
    s.params = tilecut_params_default();
    memcpy(s.pixels, person.pixels, sizeof person.pixels);
    memcpy(s.seeds, person.seeds, sizeof person.seeds);
    begin_with_host();
    segment("in host memory");
    ck_assert(dressed_trousers(mask, false) > 0.95);
    ck_assert_int_eq(device.shrunk, 2);
    begin_with_host();
    segment_there(TILECUT_OK);
    check_same("in device memory");
    ck_assert_int_eq(device.shrunk, 2);
}

TEST(a_box_goes_on_from_what_was_found_in_a_smaller_copy)
{
    for (int turn = 0; turn < 4; turn++) {
        uint64_t state = 5 + (uint64_t)turn;
        draw(350, 360, true, &state);
        s.params.iterations = turn == 1 ? 2 : 0;
        s.params.colors = turn == 2 ? "hist" : "gmm";
        s.params.effort = turn == 3 ? 2 : 0;
        begin_with_host();
        segment("box");
        ck_assert_int_eq(device.learnt, 2); /* the device learns once from the image and once from the smaller copy */
        ck_assert_int_eq(device.shrunk, 1);
        ck_assert_int_eq(device.forked > 0, turn != 2); /* with `hist` there is nothing to search */
        ck_assert_int_eq(device.looked > 0, turn != 2); /* masks are compared where they are */
        ck_assert_int_eq(device.created + device.fetched, 0);
    }
}

/* Each foreground stroke shares its cells with the background, so the smaller copy would lose a class of seeds.
 * Learning from the image itself, which was postponed, must therefore be done after all. */
TEST(a_lesson_that_was_put_off_is_made_up_for)
{
    for (int turn = 0; turn < 4; turn++) {
        uint64_t state = 11 + (uint64_t)turn;
        draw(350, 360, false, &state);
        s.params.colors = turn % 2 ? "hist" : "gmm";
        s.params.iterations = turn < 2 ? 0 : 2;
        s.params.spatial = turn % 3;
        for (size_t p = 0; p < count(); p++)
            if (s.seeds[p] == TILECUT_FOREGROUND) s.seeds[p] = p % 2 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        begin_with_host();
        segment("put off");
        ck_assert_int_eq(device.shrunk, 1);
        ck_assert_int_eq(device.learnt, 1); /* the device learns only from the image, not from a smaller copy */
        ck_assert_int_eq(device.made_up, 1);
        begin_with_host();
        segment_there(TILECUT_OK);
        check_same("put off, in device memory");
        ck_assert_int_eq(device.made_up, 1);
    }
}

/* The image is too small for a smaller copy, or no iterations are asked for. */
TEST(a_guess_is_learnt_on_the_device)
{
    for (int turn = 0; turn < 3; turn++) {
        uint64_t state = 5;
        draw(turn == 2 ? 350 : 70, turn == 2 ? 360 : 60, true, &state);
        s.params.iterations = turn == 0 ? 0 : -1;
        begin_with_host();
        segment("guess");
        ck_assert_int_eq(device.learnt, 1);
        ck_assert_int_eq(device.forked > 0, turn == 0);
        ck_assert_int_eq(device.created, 0);
    }
}

/* In a box with a stroke, learning also begins from two masks: that of the box without strokes and that of the strokes.
 * In a box that leaks, it also begins from the leaking mask. */
TEST(a_mask_as_a_guess_is_learnt_on_the_device)
{
    for (int turn = 0; turn < 2; turn++) {
        uint64_t state = 10;
        const int width = turn ? 350 : 70, height = turn ? 360 : 60;
        draw(width, height, true, &state);
        for (int x = width / 3; turn == 0 && x < width / 2; x++) s.seeds[height / 2 * width + x] = TILECUT_FOREGROUND;
        /* gives the area above the box the colour of its inside, so that the box leaks */
        for (int p = 0; turn == 1 && p < width * height; p++)
            if (p % width > width / 3 && p % width < width / 2 && p / width < height / 2)
                memset(s.pixels + 3 * p, 230, 3);
        begin_with_host();
        segment(turn ? "a box that leaks" : "a stroke in a box");
        ck_assert_msg(device.learnt - device.shrunk > 1, "turn %d", turn);
        ck_assert_int_eq(device.created, 0);
    }
}

/* The device gives up at any cut of a search, with or without a smaller copy. The host then starts again. */
TEST(a_search_is_given_up_as_a_whole)
{
    for (int turn = 0; turn < 12; turn++) {
        uint64_t state = 5 + (uint64_t)turn;
        const bool small = turn % 2;
        draw(small ? 70 : 350, small ? 60 : 360, turn % 3 > 0, &state);
        begin_with_host();
        device.gives_up = 1 + turn + turn / 3;
        segment("given up in a search");
        ck_assert_msg(device.gives_up > 0 || device.created > 0, "turn %d", turn);
    }
}

/* Only the device reads device memory, whichever backend learns and cuts. A read by the host would end the test. */
TEST(pixels_in_device_memory_are_fetched_where_the_host_needs_them)
{
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        uint64_t state = seed;
        const bool box = seed % 10 == 0;
        if (box) draw(350, 360, true, &state);
        else draw(20 + random_below(&state, 60), 20 + random_below(&state, 60), seed % 4 == 0, &state);
        if (!box && seed % 4) draw_params(&state);
        begin_with_host();
        device.gives_up = seed % 3 ? 0 : 1;
        segment_there(TILECUT_OK);
        check_same("device memory");
        /* Learns once from the image, once from a smaller copy, and again if the box gave nothing at first. */
        ck_assert(device.learnt > device.shrunk && device.learnt <= 4 + device.shrunk);
    }
}

TEST(device_memory_serves_solvers_of_the_host_too)
{
    uint64_t state = 3;
    draw(50, 40, false, &state);
    begin_with_host();
    s.params.solver = "push";
    segment_there(TILECUT_OK);
    ck_assert_mem_eq(mask, host_mask, count());
    ck_assert_str_eq(on_device.device, "cpu");
    ck_assert_int_eq(device.learnt + device.created, 0);
    s.params.connectivity = 8;
    begin_with_host();
    s.params.solver = NULL; /* chooses `cuda` */
    segment_there(TILECUT_OK);
    ck_assert_mem_eq(mask, host_mask, count());
    ck_assert_int_eq(device.learnt > 0, 1);
    /* with iterations, later cuts would continue on the host, in a grid that is then uploaded */
    s.params.iterations = TILECUT_NONE;
    begin_with_host();
    s.params.solver = "hybrid";
    segment_there(TILECUT_OK);
    ck_assert_mem_eq(mask, host_mask, count());
}

TEST(a_session_stays_on_the_device)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t state = seed;
        tilecut_graph *graph;
        tilecut_session *session;
        draw(20 + random_below(&state, 60), 20 + random_below(&state, 60), false, &state);
        draw_params(&state);
        begin_with_host();
        const bool gives_up = seed % 3 == 0;
        ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &s.params), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
        for (int edit = 0; edit < 4; edit++) {
            tilecut_params cpu = s.params;
            cpu.solver = "bk";
            device.gives_up = gives_up && edit == 1;
            ck_assert_int_eq(tilecut_session_solve(session, &s.params, mask, &on_device), TILECUT_OK);
            ck_assert_int_eq(tilecut_graph_solve(graph, &cpu, host_mask, &host), TILECUT_OK);
            ck_assert_mem_eq(mask, host_mask, count());
            ck_assert(on_device.flow == host.flow && on_device.certified);
            ck_assert_int_eq(on_device.warm, edit > 0 && !(gives_up && edit == 2));
            for (int k = 0; k < 30; k++)
                s.seeds[random_below(&state, (int)count() - 1)] = (uint8_t)random_below(&state, 4);
            s.seeds[0] = TILECUT_BACKGROUND, s.seeds[count() - 1] = TILECUT_FOREGROUND;
            ck_assert_int_eq(tilecut_session_reseed(session, s.seeds, NULL), TILECUT_OK);
        }
        ck_assert_int_eq(device.created, gives_up ? 2 : 1);
        ck_assert_int_eq(device.open, 1);
        tilecut_session_destroy(session);
        tilecut_graph_destroy(graph);
    }
}

TEST(hybrid_ends_where_its_flow_is)
{
    for (int turn = 0; turn < 4; turn++) {
        const int side = turn & 1 ? 200 : 60; /* a small image stays on the CPU, a large one goes to the device */
        uint64_t state = 3;
        draw(side, side, false, &state);
        s.params.connectivity = turn & 2 ? 8 : 4;
        /* learns only once, because iterations would reuse the grid of the first cut, with its flow */
        s.params.iterations = TILECUT_NONE;
        begin_with_host();
        s.params.solver = "hybrid";
        segment("hybrid");
        ck_assert_int_eq(device.created, side > 100);
        tilecut_decision decision;
        ck_assert_int_eq(tilecut_decisions(NULL, 0), 1);
        ck_assert_int_eq(tilecut_decisions(&decision, 1), 1);
        ck_assert_str_eq(decision.next, side > 100 ? "cuda" : "cpu");
    }
}

TEST(an_answer_that_is_not_proven_is_not_given_out)
{
    uint64_t state = 3;
    draw(50, 40, false, &state);
    begin_with_host();
    device.lies = true;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, mask, &on_device), TILECUT_EUNPROVEN);
    s.params.iterations = 2;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &s.params, mask, &on_device), TILECUT_EUNPROVEN);
    for (size_t p = 0; p < count(); p++) ck_assert_int_eq(mask[p], 7);
    ck_assert_int_eq(device.open, 0);
}

TEST(a_prior_is_learnt_on_the_host)
{
    static uint8_t prior[LARGEST];
    uint64_t state = 3;
    draw(50, 40, false, &state);
    for (size_t p = 0; p < count(); p++) prior[p] = p % 50 > 20 ? 255 : 0;
    s.params.prior = prior;
    begin_with_host();
    segment("prior");
    ck_assert_int_eq(device.learnt, 0);
    ck_assert_int_ge(device.created, 1);
}

/* The device learns each of three labels and cuts every move. A device that gives up changes nothing. */
TEST(labels_are_those_of_the_host)
{
    int64_t moves = 0;
    for (uint64_t seed = 1; seed <= (SCENES + 2) / 3; seed++) {
        uint64_t state = seed;
        tilecut_labels_report at_home = {0}, away = {0};
        draw(20 + random_below(&state, 60), 20 + random_below(&state, 60), false, &state);
        draw_params(&state);
        s.params.soft_seeds = 0;
        s.params.connectivity = seed % 2 ? 4 : 8;
        for (size_t p = 0; p < count(); p++) {
            const size_t x = p % (size_t)s.image.width, y = p / (size_t)s.image.width;
            const uint8_t two = s.seeds[p] == TILECUT_FOREGROUND ? 2 : s.seeds[p] == TILECUT_BACKGROUND ? 1 : 0;
            s.seeds[p] = x < 3 && y > 4 && y < 8 ? 3 : two;
            /* only the first scene and every fourth after it is noise, in which labels change */
            if (seed % 4 != 1) continue;
            for (int c = 0; c < 3; c++) s.pixels[3 * p + (size_t)c] = (uint8_t)random_below(&state, 256);
            s.seeds[p] = (uint8_t)(random_below(&state, 20) ? 0 : 1 + random_below(&state, 3));
        }
        begin_device();
        s.params.solver = "bk";
        ck_assert_int_eq(tilecut_labels(&s.image, s.seeds, &s.params, NULL, host_mask, &at_home), TILECUT_OK);
        ck_assert(device.learnt + device.created == 0);
        s.params.solver = "cuda";
        device.gives_up = seed % 3 ? 0 : 1 + (int)(seed % 4);
        ck_assert_int_eq(tilecut_labels(&s.image, s.seeds, &s.params, NULL, mask, &away), TILECUT_OK);
        ck_assert_int_ge(device.learnt + device.created, 1);
        ck_assert_int_eq(device.open, 0);
        ck_assert_msg(!memcmp(mask, host_mask, count()), "seed %d: other labels", (int)seed);
        ck_assert(away.certified && away.cuts == at_home.cuts && away.moves == at_home.moves);
        ck_assert(away.energy == at_home.energy && away.bound == at_home.bound && away.certain == at_home.certain);
        moves += away.moves;
    }
    ck_assert_msg(moves > 0, "no move was made");
}

/* The pixels of noise that are not certain are one large group, which is cut on the device like the whole lattice. */
TEST(large_groups_are_cut_on_the_device)
{
    enum { PIXELS = 400 * 340, LABELS = 3 };
    static uint8_t at_home[PIXELS], away[PIXELS];
    tilecut_labels_arrays arrays;
    int32_t *const memory = label_noise_draw(&arrays, (const int[]){400, 340, 1}, 4, LABELS, 5);
    const tilecut_labels_params how = {.bound_rounds = 1};
    tilecut_labels_report reports[2] = {0};
    for (int gives_up = 0; gives_up < 3; gives_up += 2) {
        tilecut_params params = {.solver = "push", .threads = 2};
        begin_device();
        ck_assert_int_eq(tilecut_labels_solve(&arrays, &params, &how, at_home, &reports[0]), TILECUT_OK);
        params.solver = "cuda";
        device.gives_up = gives_up;
        ck_assert_int_eq(tilecut_labels_solve(&arrays, &params, &how, away, &reports[1]), TILECUT_OK);
        ck_assert_int_gt(device.created, LABELS); /* more grids than one for the whole lattice */
        ck_assert_int_eq(device.open, 0);
        ck_assert_mem_eq(away, at_home, PIXELS);
        ck_assert_ptr_null(label_scene_differs(&reports[1], &reports[0]));
    }
    free(memory);
}

int main(void) { return run_suite((test_suite){.name = "backend", .seconds = 300}); }
