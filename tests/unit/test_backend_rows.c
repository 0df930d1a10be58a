/* SPDX-License-Identifier: MIT
 *
 * test_backend_rows.c - the rows of the tables name the backend of a job: colour models that only the host knows stay
 * on the host, and a new solver for devices runs itself.
 * Device: its own.
 */
#include "backend_scene.h"
#include "run_suite.h"

/* Adds a row to the table of colour models. The row does not say that a device can learn it. */
#define TC_DEVICE_NO_COLORS                                                                             \
    TC_DEVICE_NO_COLORS                                                                                 \
    }, {                                                                                                \
        .name = "made-up", .summary = "a model of the host alone", .learn = tc_colors_hist_learn, .starts = 1
#include "colors.c"
#undef TC_DEVICE_NO_COLORS

/* A model that only the host knows must stay on the host. The device would learn another model and report it under this
 * name. */
TEST(a_model_of_the_host_alone_is_not_learnt_on_the_device)
{
    for (int turn = 0; turn < 2; turn++) {
        uint64_t state = 3;
        draw(50, 40, false, &state);
        s.params.iterations = turn ? 1 : TILECUT_NONE;
        s.params.colors = "made-up";
        begin_with_host();
        segment("made-up");
        ck_assert_int_eq(device.learnt, 0);
        ck_assert_int_eq(device.created, 1 + turn);
        segment_there(TILECUT_OK);
        check_same("made-up, in device memory");
        ck_assert_int_eq(device.learnt, 0);
    }
}

/* Returns the first backend that can learn the model, with the same choice as in iterate.c. */
static const tc_backend *learner_of(const tc_colors *model, int connectivity, const tc_solver *solver)
{
    const tc_backend *const *row = tc_backends;
    const tc_setup params = {.colors = model->name, .connectivity = connectivity};
    const tc_run run = {.params = &params, .solver = solver};
    while (!(*row)->learn || ((*row)->learns && !(*row)->learns(&run))) row++;
    return *row;
}

TEST(the_device_learns_what_its_rows_say)
{
    for (const tc_colors *model = tc_color_models; model->name; model++)
        for (const tc_solver *solver = tc_solvers; solver->name; solver++) {
            const bool able = model->on_device != TC_NOT_ON_DEVICE && strcmp(solver->name, "cuda") == 0;
            ck_assert_int_eq(model->on_device == TC_NOT_ON_DEVICE, strcmp(model->name, "made-up") == 0);
            const tc_backend *const expected = able ? &tc_backend_cuda : &tc_backend_host;
            ck_assert_ptr_eq(learner_of(model, 4, solver), expected);
            ck_assert_ptr_eq(learner_of(model, 8, solver), expected);
            ck_assert_ptr_eq(learner_of(model, 4, NULL), &tc_backend_host);
        }
}

static int made_up_solves;

static tilecut_status made_up_solve(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    made_up_solves++;
    return tc_solver_push(grid, params, stats);
}

/* A new solver for devices must not go to the device's backend, which would run `cuda` and report it under this
 * name. */
TEST(a_new_solver_of_a_device_solves_by_itself)
{
    const tc_solver made_up = {"cuda-made-up", "a row that the device's backend does not know", TC_ON_CUDA,
                               made_up_solve};
    uint64_t state = 3;
    tilecut_graph *graph;
    tc_kept_flow kept = {0};
    tc_setup setup;
    tc_run run;
    draw(50, 40, false, &state);
    s.params.iterations = TILECUT_NONE, s.params.islands = 1;
    begin_with_host();
    ck_assert_int_eq(tc_setup_resolve(&setup, &s.params), TILECUT_OK);
    ck_assert_ptr_eq(learner_of(&tc_color_models[0], 4, &made_up), &tc_backend_host);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &s.params), TILECUT_OK);
    ck_assert_int_eq(tc_run_open(&run, &setup, 4, 50, 40, &kept), TILECUT_OK);
    run.solver = &made_up;
    tc_run_adopt(&run, graph, NULL);
    ck_assert_int_eq(tc_run_cut(&run, mask, &on_device), TILECUT_OK);
    ck_assert_mem_eq(mask, host_mask, count());
    ck_assert_str_eq(on_device.solver, "cuda-made-up");
    ck_assert_int_eq(made_up_solves, 1);
    ck_assert_int_eq(device.created + device.solved, 0);
    tc_run_close(&run);
    tc_kept_flow_free(&kept);
    tilecut_graph_destroy(graph);
}

int main(void) { return run_suite((test_suite){.name = "backend rows", .seconds = 300}); }
