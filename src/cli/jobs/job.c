/* SPDX-License-Identifier: MIT
 *
 * job.c - see job.h. Everything that can be refused is refused before the work begins.
 */
#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "annotated.h"
#include "correct.h"
#include "graph_file.h"
#include "machine.h"
#include "paint.h"
#include "pixel.h"

void job_init(job *j, const job_request *request, const job_files *files)
{
    j->request = request;
    j->kind = &job_of_photo;
    j->files = *files;
    run_init(&j->run, request->common);
    j->run.image = files->photo;
    j->run.output = files->mask;
}

void job_free(job *j)
{
    outputs_free(&j->outputs);
    image_free(&j->photo);
    image_free(&j->under);
    free(j->opaque);
    seeds_free(&j->seeds);
    mask_file_free(&j->start);
    tilecut_graph_destroy(j->graph);
    free(j->mask);
    free(j->sure);
    run_free(&j->run);
}

/* ---- planning --------------------------------------------------------------------------------- */

int job_plan_outline(job *j, failure *why)
{
    const char *const mask = j->files.mask, *const as = j->request->style->format;
    if (!j->request->style->outline || j->files.overlay || (mask && annotated_has_outlines(mask, as))) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--outline: is how outlines are drawn, and no result has any; name a mask such as "
                "mask.svg, or --overlay");
}

/* The photo has no channels yet, or has been read. */
static int plan_photo(job *j, failure *why)
{
    const job_background *const behind = &j->request->style->background;
    const int color = j->photo.channels > 2 || j->under.channels > 2 ? 3 : 1;
    const int alpha = !behind->color.given && !behind->picture;
    const char *const as = j->request->style->format;
    if (j->mask_out) STEP(annotated_can_write(j->mask_out->path, as, why));
    STEP(job_plan_outline(j, why));
    if (j->cutout_out) STEP(image_can_write_as(j->files.cutout, as, IMAGE_CUTOUT, color + alpha, why));
    if (j->alpha_out) STEP(image_can_write_as(j->alpha_out->path, as, IMAGE_GREY, 1, why));
    if (j->sure_out) STEP(image_can_write_as(j->files.sure, as, IMAGE_GREY, 1, why));
    if (j->overlay_out) STEP(image_can_write_as(j->files.overlay, as, IMAGE_PICTURE, 3, why));
    if (j->graph_out) STEP(graph_can_write(j->files.graph, why));
    return EXIT_DONE;
}

int job_plan(job *j, failure *why)
{
    if (j->request->inputs->previous && j->files.graph)
        return fail(why, EXIT_USAGE, "--save-graph: a correction of --previous cuts parts of the photo, of which "
                    "there is no graph in whole; leave one of them out");
    const job_files *const files = &j->files;
    const inputs *const in = j->request->inputs;
    j->mask_out = outputs_add(&j->outputs, "--output", files->mask, true);
    j->cutout_out = outputs_add(&j->outputs, "--cutout", files->cutout, true);
    j->alpha_out = outputs_add(&j->outputs, "--alpha", files->alpha, true);
    j->sure_out = outputs_add(&j->outputs, "--confidence", files->sure, true);
    j->overlay_out = outputs_add(&j->outputs, "--overlay", files->overlay, true);
    j->preview_out = outputs_add(&j->outputs, "--preview", files->preview, true);
    j->graph_out = outputs_add(&j->outputs, "--save-graph", files->graph, true);
    j->json_out = outputs_add(&j->outputs, "--json", files->json, false);
    STEP(outputs_check_photo(&j->outputs, files->photo, files->seeds.items, files->seeds.count,
                             (outputs_beside){in->mask, in->previous, j->request->style->background.picture}, why));
    return j->kind->plan(j, why);
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* Reads the background of the cutout. */
static int read_background(job *j, failure *why)
{
    const job_background *const behind = &j->request->style->background;
    const uint8_t *const rgb = behind->color.rgb;
    const int channels = rgb[0] == rgb[1] && rgb[1] == rgb[2] ? 1 : 3;
    inputs own = *j->request->inputs;
    size_t transparent = 0;
    if (behind->color.given) {
        STEP(image_allocate("--background", 1, 1, channels, 8, &j->under, why));
        memcpy(j->under.pixels, rgb, (size_t)channels);
    }
    if (!behind->picture) return EXIT_DONE;
    own.request.limits.admit = NULL; /* the memory check of the photo has counted the background, too */
    STEP(inputs_read_photo(&own, behind->picture, 0, &j->under, &j->run.notes, why));
    const size_t n = (size_t)j->under.channels;
    for (size_t p = 0; n % 2 == 0 && p < image_area(&j->under); p++)
        transparent += sample_at(&j->under, p * n + n - 1) < sample_max(&j->under);
    if (transparent)
        return fail(why, EXIT_INPUT, "%s: is transparent in %zu pixels, and a background has to be opaque; save it "
                    "without transparency", behind->picture, transparent);
    return scale_to_cover(j->photo.width, j->photo.height, &j->under, why);
}

/* Fails with EXIT_SEEDS if there is no foreground seed although the options need one: without a colour model, unless
 * the job starts from a mask, and with --connected. The editor reads a scan before there are such options. */
static int check_classes(const job *j, failure *why)
{
    const char *const name = file_input_name(j->files.photo);
    if (j->seeds.foreground || !j->request->model) return EXIT_DONE;
    const char *const colors = j->request->model->colors;
    if (!j->start.format && colors && !strcmp(colors, "none"))
        return fail(why, EXIT_SEEDS, "%s: a box alone does not tell the object from what is around it without a colour "
                    "model; leave --colors none out, or mark the object with --fg \"%s\"", name,
                    j->run.slices ? "X,Y,Z X,Y,Z" : "X,Y X,Y");
    if (j->request->style->cleanup.connected)
        return fail(why, EXIT_SEEDS, "%s: has no foreground seed for --connected to keep; mark the object with --fg or "
                    "in the seeds, or use --keep-largest", name);
    return EXIT_DONE;
}

static int read_photo(job *j, failure *why)
{
    const inputs *const in = j->request->inputs;
    const int connectivity = j->request->model->connectivity;
    const char *const path = j->files.photo;
    const double start = machine_ms();
    STEP(inputs_read_photo(in, path, connectivity, &j->photo, &j->run.notes, why));
    run_photo_stage(&j->run, path, &j->photo, machine_ms() - start);
    STEP(read_background(j, why));
    STEP(plan_photo(j, why));
    return inputs_check_memory(in, path, &j->photo, connectivity, why);
}

static int read_seeds(job *j, failure *why)
{
    return inputs_read_seeds(j->request->inputs, &j->files.seeds, j->files.photo, &j->photo, &j->seeds, &j->run.notes,
                             why);
}

static int read_mask(job *j, failure *why)
{
    return inputs_read_mask(j->request->inputs, j->files.photo, &j->photo, &j->start, &j->run.notes, why);
}

int job_read(job *j, failure *why)
{
    STEP(j->kind->read(j, why));
    double start = machine_ms();
    STEP(j->kind->seeds(j, why));
    run_seeds_stage(&j->run, &j->seeds, machine_ms() - start);
    start = machine_ms();
    STEP(j->kind->mask(j, why));
    if (j->start.format) run_mask_stage(&j->run, j->request->inputs, &j->start, machine_ms() - start);
    return check_classes(j, why);
}

/* ---- cutting ---------------------------------------------------------------------------------- */

static int snap(job *j, failure *why)
{
    const double start = machine_ms();
    if (!j->request->style->snap) return EXIT_DONE;
    const uint8_t *const given = j->request->inputs->mask ? j->start.foreground : NULL;
    if (tilecut_snap(&j->view, j->seeds.label, given, j->mask, &j->run.snapped) != TILECUT_OK)
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for --snap", file_input_name(j->files.photo));
    j->run.was_snapped = true;
    run_stage(&j->run, "snap", machine_ms() - start, "%lld pixels added, %lld removed along the outline",
              (long long)j->run.snapped.added, (long long)j->run.snapped.removed);
    return EXIT_DONE;
}

int job_clean_up(job *j, const cleanup_lattice *of, failure *why)
{
    const cleanup *const what = &j->request->style->cleanup;
    const double start = machine_ms();
    if (!cleanup_wanted(what)) return EXIT_DONE;
    if (!cleanup_mask(what, j->seeds.label, of, j->mask, &j->run.cleaned))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to clean its mask", file_input_name(j->files.photo));
    j->run.was_cleaned = true;
    run_cleanup_stage(&j->run, machine_ms() - start);
    return EXIT_DONE;
}

static int clean_photo(job *j, failure *why)
{
    const cleanup_lattice rows = {.width = j->photo.width, .height = j->photo.height};
    STEP(snap(j, why));
    return job_clean_up(j, &rows, why);
}

/* True if the mask is the only result that needs the photo. */
static bool only_mask(const job *j)
{
    return !j->cutout_out && !j->alpha_out && !j->overlay_out;
}

/* Cuts the photo in one call, which a device can do alone. The graph is made first and kept only if it is to be
 * written, or if --confidence needs it. */
static tilecut_status segment(job *j, const tilecut_params *how)
{
    tilecut_status status = TILECUT_OK;
    tilecut_params whole = *how;
    if (j->request->inputs->previous) return job_correct(j, how);
    whole.where = only_mask(j) ? TILECUT_HOST_SPARE : TILECUT_HOST;
    j->run.cut.size = sizeof j->run.cut;
    if (!j->graph_out && !j->sure_out) return tilecut_segment(&j->view, j->seeds.label, &whole, j->mask, &j->run.cut);
    if (!j->graph) status = tilecut_graph_from_image(&j->graph, &j->view, j->seeds.label, how);
    return status == TILECUT_OK ? tilecut_graph_segment(j->graph, how, j->mask, &j->run.cut) : status;
}

void job_plan_device(job *j, calibration_work work, uint64_t count, tilecut_params *params)
{
    char reason[200];
    engine_auto engine;
    engine_auto_init(&engine, j->request->common, work, &j->run.notes);
    if (!engine.open) return;
    engine_auto_plan(&engine, count, 1, params, reason, sizeof reason);
    run_stage(&j->run, "device", 0, "%s", reason);
}

int job_try(job *j, tilecut_status (*cut)(job *j, const tilecut_params *how), const tilecut_params *how,
            failure *why)
{
    tilecut_params params = *how;
    tilecut_status status = cut(j, &params);
    j->run.fell_back = status != TILECUT_OK && engine_falls_back(j->request->common, status, &params, &j->run.notes);
    if (j->run.fell_back) status = cut(j, &params);
    if (status != TILECUT_OK) return engine_failure(status, file_input_name(j->files.photo), why);
    return EXIT_DONE;
}

static size_t count_of(const job *j)
{
    const tilecut_volume *const v = &j->volume;
    return v->voxels ? (size_t)v->width * (size_t)v->height * (size_t)v->depth : image_area(&j->photo);
}

/* With --confidence, computes how sure each label of the mask is. */
static int find_confidence(job *j, const tilecut_params *how, failure *why)
{
    const tilecut_volume *const volume = j->volume.voxels ? &j->volume : NULL;
    const char *const name = file_input_name(j->files.photo);
    const inputs *const in = j->request->inputs;
    const double start = machine_ms();
    tilecut_doubt doubt = {0}, *const wanted = common_wants_report(j->request->common) ? &doubt : NULL;
    if (!j->sure_out) return EXIT_DONE;
    j->sure = malloc(count_of(j));
    if (!j->sure) return fail(why, EXIT_RESOURCES, "%s: not enough memory for --confidence", name);
    tilecut_params params = *how;
    tilecut_status status = TILECUT_OK;
    params.prior = NULL;
    if (in->previous || (volume && in->mask)) /* learn from the mask, see tilecut_confidence() */
        params.prior = j->mask, params.prior_stride = 0, params.prior_weight = TILECUT_NONE;
    if (!volume && params.prior) status = tilecut_graph_from_image(&j->graph, &j->view, j->seeds.label, &params);
    if (status == TILECUT_OK)
        status = volume ? tilecut_volume_confidence(volume, j->seeds.label, j->mask, &params, j->sure, wanted)
                        : tilecut_confidence(j->graph, j->mask, &params, j->sure, wanted);
    if (status != TILECUT_OK) return engine_failure(status, name, why);
    if (wanted) run_doubt_stage(&j->run, wanted, machine_ms() - start);
    return EXIT_DONE;
}

/* Measures how the refined mask differs from the given one. */
static int compare_masks(job *j, failure *why)
{
    const double start = machine_ms();
    if (!j->request->inputs->mask) return EXIT_DONE;
    if ((j->volume.voxels ? tilecut_volume_moved(&j->volume, j->start.foreground, j->mask, &j->run.moved)
                          : tilecut_outline_moved(&j->view, j->start.foreground, j->mask, &j->run.moved)) != TILECUT_OK)
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to compare two masks", file_input_name(j->files.photo));
    run_refined_stage(&j->run, machine_ms() - start);
    return EXIT_DONE;
}

static int look_at_photo(job *j, failure *why)
{
    const char *const name = file_input_name(j->files.photo);
    const size_t pixels = image_area(&j->photo);
    if (j->mask) return EXIT_DONE; /* this is the second attempt, after the GPU has failed */
    STEP(matting_opaque_noted(&j->photo, name, &j->view, &j->opaque, &j->run.notes, why));
    run_show_notes(&j->run);
    j->mask = machine_large_pages(malloc(pixels), pixels);
    return j->mask ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its mask", name);
}

static int cut_photo(job *j, const tilecut_params *params, failure *why)
{
    tilecut_params how = *params;
    how.prior = j->start.foreground;
    how.prior_reach = j->request->inputs->mask_reach;
    STEP(job_try(j, segment, &how, why));
    run_cut_stages(&j->run);
    return EXIT_DONE;
}

int job_cut(job *j, const tilecut_params *params, failure *why)
{
    tilecut_params how = *params;
    model_apply(j->request->model, &how);
    j->threads = params->threads;
    STEP(j->kind->look(j, why));
    STEP(j->kind->cut(j, &how, why));
    STEP(j->kind->clean(j, why));
    STEP(find_confidence(j, &how, why));
    STEP(compare_masks(j, why));
    if (j->request->common->json && !j->part) sha256(j->mask, count_of(j), j->run.mask_sha256); /* only the JSON needs
                                                                                                   it */
    j->run.solved = true;
    return EXIT_DONE;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static int encode_painted(const job *j, output *out, enum image_purpose purpose, image *painted, failure *why)
{
    image_view view = image_as_view(painted);
    if (j->request->style->bare) view.icc = view.exif = NULL, view.density[0] = 0, view.place = NULL;
    const int status = image_encode_as(out->path, j->request->style->format, purpose, &view, &out->data, why);
    image_free(painted);
    return status;
}

/* Computes the soft edge of the cutout, unless the edge is hard. */
static int soften(job *j, matte *soft, failure *why)
{
    static const char *const stages[] = {"edge", NULL, "feather", "matte", "matte"};
    static const char *const bands[] = {"soft", NULL, "feather", "auto", "seeds"};
    const edge_style *const edge = &j->request->style->edge;
    const bool clean = j->cutout_out && !j->request->style->keep_colors;
    const matting_request how = {edge, j->threads, clean, inputs_memory(j->request->inputs)};
    const double start = machine_ms();
    *soft = (matte){0};
    if (edge->kind == EDGE_HARD || (!j->cutout_out && !j->alpha_out)) return EXIT_DONE;
    STEP(matting_make(&(masked_photo){&j->photo, j->mask, j->seeds.label}, &j->view, &how, soft, &j->run.matte_band,
                      why));
    j->run.matte = bands[edge->kind];
    j->run.matte_ms = machine_ms() - start;
    run_stage(&j->run, stages[edge->kind], j->run.matte_ms, "a band of %lld pixels, colours %s",
              (long long)j->run.matte_band, clean ? "cleaned" : "kept");
    return EXIT_DONE;
}

/* Computes the part of the photo that the results show. The soft edge of a cutout counts as object. */
static int plan_crop(job *j, const matte *soft, failure *why)
{
    const job_style *const style = j->request->style;
    const size_t pixels = image_area(&j->photo);
    const bool softened = soft->alpha.pixels != NULL;
    uint8_t *const seen = style->crop && softened ? malloc(pixels) : NULL;
    if (!style->crop) return EXIT_DONE;
    if (softened && !seen) return fail(why, EXIT_RESOURCES, "not enough memory for --crop");
    for (size_t p = 0; seen && p < pixels; p++) seen[p] = j->mask[p] || sample_at(&soft->alpha, p);
    j->run.cropped = paint_bounds(seen ? seen : j->mask, j->photo.width, j->photo.height,
                                  style->margin, &j->run.crop);
    free(seen);
    if (!j->run.cropped)
        note(&j->run.notes, "%s: nothing of it is foreground, so its results are not cropped",
             file_input_name(j->files.photo));
    return EXIT_DONE;
}

/* Resizes `picture` as the style says; frees it after a failure. */
static int resize(const job *j, image *picture, failure *why)
{
    const scale_size *const size = &j->request->style->size;
    if (!scale_wanted(size)) return EXIT_DONE;
    const int status = scale_to_size(size, inputs_memory(j->request->inputs), picture, why);
    if (status) image_free(picture);
    return status;
}

/* Makes the cutout first, then the alpha, because the alpha is cropped in place. */
static int encode_soft(job *j, matte *soft, failure *why)
{
    const job_style *const style = j->request->style;
    const image *const under = j->under.pixels ? &j->under : NULL;
    image painted = {0};
    if (j->cutout_out) {
        STEP(paint_cutout(&j->photo, j->mask, soft->alpha.pixels ? soft : NULL, under, style->keep_hidden, &painted,
                          why));
        if (j->run.cropped) image_crop(&painted, &j->run.crop);
        STEP(resize(j, &painted, why));
        STEP(encode_painted(j, j->cutout_out, IMAGE_CUTOUT, &painted, why));
    }
    if (!j->alpha_out) return EXIT_DONE;
    paint_alpha(&j->photo, &soft->alpha);
    if (!style->bare) soft->alpha.place = j->photo.place;
    if (j->run.cropped) image_crop(&soft->alpha, &j->run.crop);
    STEP(resize(j, &soft->alpha, why));
    image_view alpha = image_as_view(&soft->alpha);
    if (!style->bare) memcpy(alpha.density, j->photo.density, sizeof alpha.density);
    return image_encode_as(j->alpha_out->path, style->format, IMAGE_GREY, &alpha, &j->alpha_out->data, why);
}

static int encode_sure(job *j, failure *why)
{
    image sure = {.width = j->photo.width, .height = j->photo.height, .channels = 1, .depth = 8, .pixels = j->sure};
    if (!j->request->style->bare) sure.place = j->photo.place;
    if (j->run.cropped) image_crop(&sure, &j->run.crop);
    const image_view view = image_as_view(&sure);
    return image_encode_as(j->sure_out->path, j->request->style->format, IMAGE_GREY, &view, &j->sure_out->data, why);
}

/* Computes the alpha of the plain soft edge, which smooth outlines follow. *shares is NULL if no outline is
 * smooth, and on failure. */
static int shares_of(const job *j, uint16_t **shares, failure *why)
{
    const job_style *const style = j->request->style;
    const bool drawn = j->overlay_out && style->outline == OUTLINE_SMOOTH;
    *shares = NULL;
    if (!drawn && !(j->mask_out && annotated_is_smooth(j->mask_out->path, style->format, style->outline)))
        return EXIT_DONE;
    *shares = malloc(image_area(&j->photo) * sizeof **shares);
    if (*shares && tilecut_edge(&j->view, j->mask, j->threads, *shares, NULL) == TILECUT_OK) return EXIT_DONE;
    free(*shares);
    *shares = NULL;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory for a smooth outline", file_input_name(j->files.photo));
}

/* Encodes the mask. This comes last, because --invert changes the mask here, only for its own file. */
static int encode_mask(job *j, uint16_t *shares, failure *why)
{
    const job_style *const style = j->request->style;
    const image *const photo = &j->photo;
    const size_t pixels = image_area(photo);
    for (size_t p = 0; style->invert && p < pixels; p++) j->mask[p] ^= 0xff;
    for (size_t p = 0; style->invert && shares && p < pixels; p++) shares[p] ^= 0xffff;
    image mask = {.width = photo->width, .height = photo->height, .channels = 1, .depth = 8, .pixels = j->mask};
    image alpha = {.width = photo->width, .height = photo->height, .channels = 1, .depth = 16,
                   .pixels = (uint8_t *)shares};
    if (!style->bare) mask.place = photo->place;
    if (j->run.cropped) image_crop(&mask, &j->run.crop);
    if (j->run.cropped && shares) image_crop(&alpha, &j->run.crop);
    image_view view = image_as_view(&mask);
    view.threads = j->threads;
    if (!style->bare) memcpy(view.density, photo->density, sizeof view.density);
    const char *const label = j->request->inputs->request.label;
    const bool smooth = shares && annotated_is_smooth(j->mask_out->path, style->format, style->outline);
    const annotation_about about = {.photo = annotation_base(file_input_name(j->files.photo)),
                                    .label = label ? label : "object", .alpha = smooth ? shares : NULL};
    return annotated_encode(j->mask_out->path, style->format, &about, &view, &j->mask_out->data, why);
}

int job_encode_mask(const job *part, const image *size, uint8_t *mask, bytes *file, failure *why)
{
    const job_style *const style = part->request->style;
    const char *const path = part->files.mask, *const photo = part->files.photo;
    output out = {.path = path};
    job j = {.request = part->request, .files = part->files, .photo = *size, .mask = mask, .mask_out = &out,
             .threads = 1};
    uint16_t *shares = NULL;
    int status = EXIT_DONE;
    if (annotated_is_smooth(path, style->format, style->outline)) {
        status = inputs_read_photo(j.request->inputs, photo, 0, &j.photo, &j.run.notes, why);
        if (!status)
            status = matting_opaque_noted(&j.photo, file_input_name(photo), &j.view, &j.opaque, &j.run.notes, why);
        if (!status) status = shares_of(&j, &shares, why);
    }
    if (!status) status = encode_mask(&j, shares, why);
    free(shares);
    free(j.opaque);
    notes_free(&j.run.notes);
    if (j.photo.pixels) image_free(&j.photo);
    *file = out.data;
    return status;
}

/* Encodes all results: the other pictures before the mask, which may be written inverted. */
static int encode_photo(job *j, failure *why)
{
    const job_style *const style = j->request->style;
    image painted = {0};
    uint16_t *shares = NULL;
    matte soft;
    STEP(soften(j, &soft, why));
    int status = plan_crop(j, &soft, why);
    if (!status) status = encode_soft(j, &soft, why);
    matte_free(&soft);
    if (status) return status;
    if (j->sure_out) STEP(encode_sure(j, why));
    STEP(shares_of(j, &shares, why));
    if (j->overlay_out)
        status = paint_overlay(&j->photo, j->mask, style->outline == OUTLINE_SMOOTH ? shares : NULL, j->seeds.label,
                               &painted, why);
    if (j->overlay_out && !status) status = encode_painted(j, j->overlay_out, IMAGE_PICTURE, &painted, why);
    if (j->mask_out && !status) status = encode_mask(j, shares, why);
    free(shares);
    if (!j->graph_out || status) return status;
    STEP(graph_write(j->files.graph, j->graph, j->run.cut.quantum, why));
    j->graph_out->done = true;
    return EXIT_DONE;
}

static int write_outputs(job *j, failure *why)
{
    const double start = machine_ms();
    STEP(j->kind->encode(j, why));
    STEP(outputs_write(&j->outputs, j->json_out, why));
    j->run.write_ms += machine_ms() - start;
    job_print_written(j);
    return j->files.json ? run_write_json(&j->run, NULL, why) : EXIT_DONE;
}

int job_write(job *j, failure *why)
{
    const bool speaks = !j->part && job_is_watched(j);
    char text[160];
    if (speaks) j->kind->describe(j, text, sizeof text); /* this comes first, because --invert changes the mask */
    const int status = write_outputs(j, why);
    if (status) outputs_undo(&j->outputs);
    run_show_notes(&j->run);
    if (speaks && !status) job_print_line(j, text);
    return status;
}

const job_kind job_of_photo = {.plan = plan_photo, .measure = job_measure, .read = read_photo, .seeds = read_seeds,
                               .mask = read_mask, .look = look_at_photo, .cut = cut_photo, .clean = clean_photo,
                               .encode = encode_photo, .describe = job_describe};
