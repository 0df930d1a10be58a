/* SPDX-License-Identifier: MIT
 *
 * tilecut-gimp.c - a plug-in for GIMP 2.10: cuts out an object into a layer mask, and moves a selection to the edges of
 * the photo. It has no dialog of its own. README.md in this folder lists the changes for GIMP 3.
 */
#include <stdlib.h>
#include <string.h>

#include <libgimp/gimp.h>

#include "tilecut_correct.h"

#define CUT "plug-in-tilecut"
#define REFINE "plug-in-tilecut-refine-selection"
#define STROKES "strokes" /* name of the layer to use if the caller names none */

enum { HARD, SOFT, HAIR, EDGES };
enum { STROKE_TOLERANCE = 60 };

/* The input of a cut: the pixels of a layer and the labels of its pixels, width * height each. */
typedef struct photo {
    gint32 layer, image;
    int x, y; /* position of the layer in the image */
    tilecut_image view;
    guchar *pixels;
    guchar *labels; /* values are TILECUT_UNKNOWN and so on */
    guchar *mask;
    gchar *why; /* error message */
} photo;

static size_t area(const photo *of)
{
    return (size_t)of->view.width * (size_t)of->view.height;
}

static gboolean refuse(photo *of, const char *why)
{
    of->why = g_strdup(why);
    return FALSE;
}

static gboolean refuse_status(photo *of, tilecut_status status)
{
    const char *const detail = tilecut_error_detail();
    return refuse(of, detail && *detail ? detail : tilecut_strerror(status));
}

/* Reads `rows` of a drawable in `format` into `to`. */
static void read_drawable(gint32 drawable, const GeglRectangle *rows, const Babl *format, void *to)
{
    GeglBuffer *const buffer = gimp_drawable_get_buffer(drawable);
    gegl_buffer_get(buffer, rows, 1, format, to, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
    g_object_unref(buffer);
}

/* Reads the layer's samples: 8 bits, or 16 if the image has more. */
static gboolean read_photo(photo *of, gint32 layer)
{
    const GimpPrecision precision = gimp_image_get_precision(gimp_item_get_image(layer));
    const gboolean deep = precision != GIMP_PRECISION_U8_GAMMA && precision != GIMP_PRECISION_U8_LINEAR;
    const gboolean grey = gimp_drawable_is_gray(layer);
    const char *const name = grey ? (deep ? "Y' u16" : "Y' u8") : deep ? "R'G'B' u16" : "R'G'B' u8";
    const Babl *const format = babl_format_with_space(name, gimp_drawable_get_format(layer));

    of->layer = layer;
    of->image = gimp_item_get_image(layer);
    gimp_drawable_offsets(layer, &of->x, &of->y);
    of->view = (tilecut_image){.width = gimp_drawable_width(layer), .height = gimp_drawable_height(layer),
                               .channels = grey ? 1 : 3, .depth = deep ? 16 : 8};
    of->pixels = g_try_malloc(area(of) * (size_t)babl_format_get_bytes_per_pixel(format));
    of->labels = g_try_malloc0(area(of));
    of->mask = g_try_malloc0(area(of));
    if (!of->pixels || !of->labels || !of->mask) return refuse(of, "not enough memory for this layer");
    read_drawable(layer, GEGL_RECTANGLE(0, 0, of->view.width, of->view.height), format, of->pixels);
    of->view.pixels = of->pixels;
    return TRUE;
}

/* Reads the selection at the layer's position, one byte a pixel, into of->mask. GIMP stores selections and layer masks
 * as linear grey. */
static void read_selection(photo *of)
{
    read_drawable(gimp_image_get_selection(of->image), GEGL_RECTANGLE(of->x, of->y, of->view.width, of->view.height),
                  babl_format("Y u8"), of->mask);
}

static gboolean near(const guchar *a, int red, int green, int blue)
{
    return abs(a[0] - red) <= STROKE_TOLERANCE && abs(a[1] - green) <= STROKE_TOLERANCE &&
           abs(a[2] - blue) <= STROKE_TOLERANCE;
}

/* Green or white is foreground, red or black is background. Less than half opaque pixels are unknown. So is grey, which
 * is the canvas of a trimap, and the blend of two strokes where they meet. */
static gboolean read_strokes(photo *of, gint32 strokes, gboolean boxed)
{
    int dx, dy;
    size_t painted = 0, strange = 0;
    guchar *const row = g_try_malloc((size_t)of->view.width * 4);
    if (!row) return refuse(of, "not enough memory for the strokes");
    gimp_drawable_offsets(strokes, &dx, &dy);
    for (int y = 0; y < of->view.height; y++) {
        guchar *const labels = of->labels + (size_t)y * (size_t)of->view.width;
        read_drawable(strokes, GEGL_RECTANGLE(of->x - dx, of->y + y - dy, of->view.width, 1),
                      babl_format_with_space("R'G'B'A u8", gimp_drawable_get_format(strokes)), row);
        for (int x = 0; x < of->view.width; x++) {
            const guchar *const at = row + 4 * (size_t)x;
            const gboolean fg = near(at, 0, 255, 0) || near(at, 255, 255, 255);
            const gboolean bg = near(at, 255, 0, 0) || near(at, 0, 0, 0);
            if (at[3] < 128 || near(at, 128, 128, 128)) continue;
            painted++;
            strange += !fg && !bg;
            if (fg && boxed && labels[x] == TILECUT_OUTSIDE) {
                g_free(row);
                return refuse(of, "a stroke of the object lies outside of the selection; enlarge it or clear it");
            }
            if (fg || bg) labels[x] = fg ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        }
    }
    g_free(row);
    if (painted == area(of)) return refuse(of, "the layer of strokes is opaque everywhere; paint on a transparent one");
    if (2 * strange > painted)
        return refuse(of, "most of the strokes are neither green or white, for the object, nor red or black, for what "
                          "is not");
    return TRUE;
}

/* Returns the layer called "strokes", in upper or lower case, or -1 if there is none. */
static gint32 find_strokes(gint32 image, gint32 photo_layer)
{
    int count;
    gint32 found = -1, *const layers = gimp_image_get_layers(image, &count);
    for (int i = 0; i < count && found < 0; i++) {
        gchar *const name = gimp_item_get_name(layers[i]);
        if (layers[i] != photo_layer && !g_ascii_strcasecmp(name, STROKES)) found = layers[i];
        g_free(name);
    }
    g_free(layers);
    return found;
}

static tilecut_params common_params(void)
{
    return (tilecut_params){.size = sizeof(tilecut_params), .threads = CLAMP((int)g_get_num_processors(), 1, 256)};
}

/* ---- A layer mask -------------------------------------------------------------------------------- */

/* Writes of->mask, with a soft edge if `edge` asks for it, as the layer's mask. */
static gboolean write_layer_mask(photo *of, int edge)
{
    const tilecut_params params = common_params();
    uint16_t *const alpha = edge == HARD ? NULL : g_try_malloc(area(of) * sizeof *alpha);
    if (edge != HARD) {
        if (!alpha) return refuse(of, "not enough memory for a soft edge");
        const tilecut_status status =
            edge == SOFT ? tilecut_edge(&of->view, of->mask, params.threads, alpha, NULL)
                         : tilecut_edge_matte(&of->view, of->mask, of->labels, params.threads, alpha, NULL);
        for (size_t p = 0; p < area(of) && status == TILECUT_OK; p++) of->mask[p] = (guchar)((alpha[p] + 128) / 257);
        g_free(alpha);
        if (status != TILECUT_OK) return refuse_status(of, status);
    }
    gimp_image_undo_group_start(of->image);
    const gint32 made = gimp_layer_create_mask(of->layer, GIMP_ADD_MASK_BLACK);
    gimp_layer_add_mask(of->layer, made);
    GeglBuffer *const buffer = gimp_drawable_get_buffer(made);
    gegl_buffer_set(buffer, NULL, 0, babl_format("Y u8"), of->mask, GEGL_AUTO_ROWSTRIDE);
    g_object_unref(buffer);
    gimp_drawable_update(made, 0, 0, of->view.width, of->view.height);
    gimp_image_undo_group_end(of->image);
    return TRUE;
}

static gboolean cut(photo *of, gint32 layer, gint32 strokes, int edge)
{
    const tilecut_params params = common_params();
    const gboolean boxed = !gimp_selection_is_empty(gimp_item_get_image(layer));
    if (!gimp_item_is_layer(layer)) return refuse(of, "a mask belongs to a layer; choose the layer with the photo");
    if (gimp_layer_get_mask(layer) >= 0)
        return refuse(of, "this layer has a mask already; apply it or delete it first");
    if (strokes < 0) strokes = find_strokes(gimp_item_get_image(layer), layer);
    if (strokes < 0 && !boxed)
        return refuse(of, "select the object roughly, or paint on a layer called \"" STROKES "\": green or white for "
                          "the object, red or black for what is not");
    if (strokes == layer) return refuse(of, "the strokes cannot be their own photo; choose the layer with the photo");
    if (!read_photo(of, layer)) return FALSE;
    if (boxed) {
        read_selection(of);
        for (size_t p = 0; p < area(of); p++) of->labels[p] = of->mask[p] < 128 ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
    }
    if (strokes >= 0 && !read_strokes(of, strokes, boxed)) return FALSE;
    gimp_progress_init("Cutting the object out");
    const tilecut_status status = tilecut_segment(&of->view, of->labels, &params, of->mask, NULL);
    return status == TILECUT_OK ? write_layer_mask(of, edge) : refuse_status(of, status);
}

/* ---- A selection ------------------------------------------------------------------------------- */

static gboolean refine(photo *of, gint32 layer)
{
    tilecut_params params = common_params();
    if (gimp_selection_is_empty(gimp_item_get_image(layer)))
        return refuse(of, "there is no selection to be refined");
    if (!read_photo(of, layer)) return FALSE;
    read_selection(of);
    guchar *const before = g_memdup2(of->mask, area(of));
    params.prior = before;
    gimp_progress_init("Refining the selection");
    const tilecut_status status = tilecut_segment(&of->view, of->labels, &params, of->mask, NULL);
    g_free(before);
    if (status != TILECUT_OK) return refuse_status(of, status);

    gimp_image_undo_group_start(of->image);
    const gint32 channel = gimp_selection_save(of->image); /* the selection outside of the layer stays as it is */
    GeglBuffer *const buffer = gimp_drawable_get_buffer(channel);
    gegl_buffer_set(buffer, GEGL_RECTANGLE(of->x, of->y, of->view.width, of->view.height), 0,
                    babl_format("Y u8"), of->mask, GEGL_AUTO_ROWSTRIDE);
    g_object_unref(buffer);
    gimp_image_select_item(of->image, GIMP_CHANNEL_OP_REPLACE, channel);
    gimp_image_remove_channel(of->image, channel);
    gimp_image_undo_group_end(of->image);
    return TRUE;
}

/* ---- What GIMP asks ---------------------------------------------------------------------------- */

static void query(void)
{
    static const GimpParamDef args[] = {
        {GIMP_PDB_INT32, "run-mode", "0 interactive, 1 not"},
        {GIMP_PDB_IMAGE, "image", "not used"},
        {GIMP_PDB_DRAWABLE, "drawable", "the layer with the photo"},
        {GIMP_PDB_DRAWABLE, "strokes", "a layer: green or white is the object, red or black is not; -1: the one called "
                                       "\"" STROKES "\", if there is one"},
        {GIMP_PDB_INT32, "edge", "0 hard, 1 soft by a few pixels, 2 by matting where there is hair"},
    };
    gimp_install_procedure(CUT, "Cut an object out into a layer mask",
                           "By a minimum cut. The selection, if there is one, lies around the object; strokes say the "
                           "rest.", "tilecut", "MIT", "2026", "Cut Out with _tilecut", "RGB*, GRAY*", GIMP_PLUGIN,
                           G_N_ELEMENTS(args), 0, args, NULL);
    gimp_install_procedure(REFINE, "Move the selection to the photo's edges",
                           "By a minimum cut that begins from the selection.", "tilecut", "MIT", "2026",
                           "_Refine with tilecut", "RGB*, GRAY*", GIMP_PLUGIN, 3, 0, args, NULL);
    gimp_plugin_menu_register(CUT, "<Image>/Layer/Mask");
    gimp_plugin_menu_register(REFINE, "<Image>/Select");
}

static void run(const gchar *name, gint count, const GimpParam *args, gint *results, GimpParam **values)
{
    static GimpParam answer[2];
    photo of = {0};
    gboolean done = FALSE;
    const gboolean refines = !strcmp(name, REFINE), spoken = args[0].data.d_int32 == GIMP_RUN_INTERACTIVE;
    const gboolean given = !refines && args[0].data.d_int32 == GIMP_RUN_NONINTERACTIVE;
    const int edge = given && count > 4 ? args[4].data.d_int32 : SOFT;

    gegl_init(NULL, NULL);
    if (given && count != 5) of.why = g_strdup("takes run-mode, image, drawable, strokes and edge");
    else if (edge < HARD || edge >= EDGES) of.why = g_strdup("edge is 0, 1 or 2");
    else if (refines) done = refine(&of, args[2].data.d_drawable);
    else done = cut(&of, args[2].data.d_drawable, given ? args[3].data.d_drawable : -1, edge);
    if (done && spoken) gimp_displays_flush();

    answer[0] = (GimpParam){.type = GIMP_PDB_STATUS, .data.d_status = done ? GIMP_PDB_SUCCESS
                                                                           : GIMP_PDB_EXECUTION_ERROR};
    answer[1] = (GimpParam){.type = GIMP_PDB_STRING, .data.d_string = of.why};
    *values = answer;
    *results = done ? 1 : 2;
    g_free(of.pixels);
    g_free(of.labels);
    g_free(of.mask);
}

const GimpPlugInInfo PLUG_IN_INFO = {NULL, NULL, query, run};

MAIN()
