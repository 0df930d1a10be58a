/* SPDX-License-Identifier: MIT */
#include "network_job.h"

#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "outputs.h"

void network_stage(const common *options, const char *name, double ms, const char *what)
{
    if (options->verbose) fprintf(stderr, "tilecut: %-8s %9.1f ms  %s\n", name, ms, what);
}

void network_json_value(json *out, const char *key, int64_t value, const saved_network *saved)
{
    char text[SCALED_TEXT];
    scaled_text(text, value, saved->list.decimals);
    json_digits(out, key, text);
}

void network_job_solved(network_job *job, double build_ms, double solve_ms, double certify_ms, const char *found,
                        const char *proof)
{
    job->solved = true;
    job->build_ms = build_ms;
    job->solve_ms = solve_ms;
    job->certify_ms = certify_ms;
    network_stage(job->common, "graph", build_ms, "");
    network_stage(job->common, "solve", solve_ms, found);
    network_stage(job->common, "certify", certify_ms, proof);
}

const solver_table network_solvers = {tilecut_network_solver_name, tilecut_network_solver_device};
const solver_table network_matchers = {tilecut_network_matcher_name, tilecut_network_matcher_device};
const solver_table network_assigners = {tilecut_network_assigner_name, tilecut_network_assigner_device};

int network_device_check(const char *flag, const char *wanted, const solver_table *table, failure *why)
{
    const char *const device = solver_device(table, wanted);
    if (!device || strcmp(device, "cuda") || tilecut_cuda_device(0, NULL, 0) == TILECUT_OK) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "--%s: %s needs a CUDA device: %s", flag, wanted, tilecut_error_detail());
}

static int read_graph(network_job *job, failure *why)
{
    const int status = network_read(job->path, &job->options, &job->saved, NULL, why);
    job->read_ms = machine_ms() - job->start_ms;
    return status;
}

static int write_json(const network_job *job, const network_steps *steps, const void *work, const failure *error,
                      failure *why)
{
    json j = {0};
    if (!job->common->json) return EXIT_DONE;
    json_begin(&j);
    json_text(&j, "graph", job->path);
    if (job->solved) steps->json(&j, work);
    json_open(&j, "ms", '{');
    json_real(&j, "read", job->read_ms);
    json_real(&j, "graph", job->build_ms);
    json_real(&j, "solve", job->solve_ms);
    json_real(&j, "certify", job->certify_ms);
    json_real(&j, "total", machine_ms() - job->start_ms);
    json_close(&j, '}');
    json_integer(&j, "peak_bytes", (int64_t)machine_peak());
    json_warnings(&j, &job->notes);
    json_error(&j, error);
    return json_write(&j, job->common->json, why);
}

int network_job_run(network_job *job, const network_steps *steps, void *work, failure *why)
{
    const char *const report = job->common->json;
    outputs written = {0};
    failure ignored = {0};
    job->start_ms = machine_ms();
    outputs_add(&written, "--json", report, false);
    int status = outputs_check(&written, &job->path, 1, why);
    if (status == EXIT_DONE) status = outputs_check_lines(&written, job->lines, why);
    const bool planned = status == EXIT_DONE; /* if false, writing the JSON might overwrite another file */
    if (status == EXIT_DONE) status = network_reading_check(job->options.matrix, job->options.edges, why);
    if (status == EXIT_DONE) status = steps->check(work, why);
    if (status == EXIT_DONE) status = read_graph(job, why);
    if (status == EXIT_DONE) status = steps->take(work, why);
    if (status == EXIT_DONE) status = steps->solve(work, why);
    saved_network_hint(&job->saved, file_input_name(job->path), &job->notes, why);
    notes_show(&job->notes, job->common->quiet);
    if (status == EXIT_DONE && !(report && !strcmp(report, "-"))) status = steps->print(work, why);
    if (status == EXIT_DONE) status = write_json(job, steps, work, NULL, why);
    else if (planned) write_json(job, steps, work, why, &ignored);
    outputs_free(&written);
    return status;
}

void network_job_free(network_job *job)
{
    saved_network_free(&job->saved);
    notes_free(&job->notes);
}
