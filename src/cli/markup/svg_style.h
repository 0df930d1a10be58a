/* SPDX-License-Identifier: MIT
 *
 * svg_style.h - properties of elements in a drawing: from attributes, from `style`, and from the rules of <style>.
 */
#pragma once

#include "xml_reader.h"

enum { SVG_VALUE = 64 }; /* room for the longest value of a property, with a 0 byte */

/* The text of style rules, without comments. Zero-initialise; bytes_free() when done. */
typedef bytes svg_sheet;

/* Adds the text of a <style> element. EXIT_INPUT: a rule for shapes uses selectors other than elements, .classes and
 * #ids, so the looks of shapes cannot be determined. */
int svg_sheet_add(svg_sheet *sheet, const xml_reader *r, const char *text);

/* Returns the value of a property for the latest opening tag, in lower case; "" if nothing sets it. */
const char *svg_property(const svg_sheet *sheet, const xml_reader *r, const char *name, char value[SVG_VALUE]);

/* Kinds of paint. SVG_SERVER: a gradient or a pattern; SVG_FAINT: a colour that is less than half opaque; SVG_INVALID:
 * not a paint, so the property counts as not given. */
typedef enum svg_paint { SVG_NONE, SVG_WHITE, SVG_BLACK, SVG_OTHER, SVG_SERVER, SVG_FAINT, SVG_INVALID } svg_paint;

/* Finds the CSS name of a colour, in any case, as 0xRRGGBB. Returns false if there is no such name. */
bool css_color(const char *name, uint32_t *rgb);

/* Returns the kind of paint that a value of `fill` or `stroke` is. */
svg_paint svg_paint_of(const char *value);

/* Reads an opacity such as ".5" or "50%" and limits it to 0 .. 1. Text that is no number gives 1. Also used to
 * see if a width is 0. */
double svg_share(const char *text);

/* Reads a length in pixels, 96 per inch; a percentage refers to `whole`. Returns false if the text is not a length, or
 * its unit depends on a font. */
bool svg_length(const char *text, double whole, double *pixels);
