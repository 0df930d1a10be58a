/* SPDX-License-Identifier: MIT
 *
 * bench_labels.c - energies of many labels in the benchmark: makes them, writes them for peers, and labels them once.
 * Each row's energy is computed here from its labels.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "label_peers.h"
#include "machine.h"

int bench_labels_make(const bench_spec *spec, bench_instance *out, failure *why)
{
    const int status = label_energy_make(&spec->many, &out->many, why);
    out->problem = BENCH_LABELS;
    out->width = out->many.width, out->height = out->many.height, out->connectivity = 4;
    return status;
}

/* Writes width, height and number of labels; the costs of each label; the links to the right; the links down. All
 * numbers have 32 bits. */
int bench_labels_write(const bench_instance *it, const char *path, failure *why)
{
    const label_energy *const e = &it->many;
    const int32_t head[] = {e->width, e->height, e->labels};
    const size_t numbers = e->pixels * ((size_t)e->labels + 2);
    FILE *const file = fopen(path, "wb");
    bool held = file && fwrite(head, sizeof head, 1, file) == 1;
    held = held && fwrite(e->data, sizeof *e->data, numbers, file) == numbers;
    if (file && fclose(file)) held = false;
    return held ? EXIT_DONE : fail(why, EXIT_RUNTIME, "%s: the energy for peers could not be written", path);
}

bool bench_labels_are(const bench_instance *it, const char *mask, int64_t energy)
{
    const label_energy *const e = &it->many;
    bytes file = {0};
    failure ignored = {0};
    bool held = file_read(mask, e->pixels, &file, &ignored) == EXIT_DONE && file.size == e->pixels;
    for (size_t p = 0; held && p < e->pixels; p++) held = file.data[p] < e->labels;
    held = held && label_energy_of(e, file.data) == energy;
    bytes_free(&file);
    return held;
}

static tilecut_status solve(const label_energy *e, const tilecut_params *params, uint8_t *label, bench_row *row,
                            bench_times *times)
{
    const tilecut_labels_arrays arrays = {.width = e->width, .height = e->height, .labels = e->labels, .costs = e->data,
                                          .links = {e->link[0], e->link[1]}};
    tilecut_labels_report report = {.size = sizeof report};
    const tilecut_status status = tilecut_labels_solve(&arrays, params, NULL, label, &report);
    if (status != TILECUT_OK) return status;
    times->build = report.model_ms, times->solve = report.solve_ms;
    row->certified = report.certified;
    row->chosen = report.solver;
    row->bounded = true, row->bound = report.bound;
    /* Check that the energy the solver reports is that of its labels. */
    if (!(fabs(report.energy - (double)label_energy_of(e, label)) < .5)) row->certified = 0;
    return TILECUT_OK;
}

tilecut_status bench_run_labels(const bench_instance *it, const char *solver, const tilecut_flag *cancel,
                                bench_row *row, bench_times *times)
{
    const label_peer *const peer = label_peer_find(solver);
    const tilecut_params params = {.solver = solver, .threads = row->threads, .cancel = cancel};
    uint8_t *const label = malloc(it->many.pixels);
    if (!label) return TILECUT_ENOMEM;
    const double start = machine_ms();
    double bound = NAN;
    *times = (bench_times){0};
    row->device = bench_device(solver);
    const tilecut_status status = peer ? peer->run(&it->many, cancel, label, &bound)
                                       : solve(&it->many, &params, label, row, times);
    times->all = machine_ms() - start;
    if (peer) {
        times->solve = times->all;
        row->certified = peer->proven ? 1 : -1;
        row->bounded = !isnan(bound), row->bound = bound;
    }
    if (status == TILECUT_OK) {
        row->flow = label_energy_of(&it->many, label);
        sha256(label, it->many.pixels, row->mask_sha256);
    }
    free(label);
    return status;
}
