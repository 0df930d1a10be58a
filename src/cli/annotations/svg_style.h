/* SPDX-License-Identifier: MIT
 *
 * svg_style.h - properties of elements in a drawing: from attributes, from `style`, and from the rules of <style>.
 */
#ifndef CLI_SVG_STYLE_H
#define CLI_SVG_STYLE_H

#include "xml_reader.h"

enum { SVG_VALUE = 64 }; /* longest value of a property, with its end */

/* Rules, one behind another, without comments. Zero-initialise; bytes_free() when done. */
typedef bytes svg_sheet;

/* Adds the text of a <style>. EXIT_INPUT: it has rules about shapes for something else than elements, .classes and
 * #ids, so that what a shape looks like is not known. */
int svg_sheet_add(svg_sheet *sheet, const xml_reader *r, const char *text);

/* The value that a property has on the latest opening tag, in small letters; "" if nothing says it. */
const char *svg_property(const svg_sheet *sheet, const xml_reader *r, const char *name, char value[SVG_VALUE]);

typedef enum svg_paint { SVG_NONE, SVG_WHITE, SVG_BLACK, SVG_OTHER } svg_paint;

/* What a value of `fill` or `stroke` is. */
svg_paint svg_paint_of(const char *value);

/* "0", "0.0", "0%": nothing of it is seen. */
bool svg_is_clear(const char *opacity);

/* A length in pixels, 96 to an inch; a share is one of `whole`. False: it is none, or in a unit of text. */
bool svg_length(const char *text, double whole, double *pixels);

#endif
