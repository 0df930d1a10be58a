/* SPDX-License-Identifier: MIT
 *
 * svg_style.h - properties of elements in a drawing: from attributes, from `style`, and from the rules of <style>.
 */
#pragma once

#include "xml_reader.h"

enum { SVG_VALUE = 64 }; /* room for the longest value of a property, and a 0 byte */

/* Rules of style, one after another, without comments. Zero-initialise; bytes_free() when done. */
typedef bytes svg_sheet;

/* Adds the text of a <style>. EXIT_INPUT: a rule for shapes uses selectors other than elements, .classes and #ids, so
 * the looks of shapes cannot be known. */
int svg_sheet_add(svg_sheet *sheet, const xml_reader *r, const char *text);

/* The value of a property for the latest opening tag, in lower case; "" if nothing sets it. */
const char *svg_property(const svg_sheet *sheet, const xml_reader *r, const char *name, char value[SVG_VALUE]);

/* SVG_SERVER: a gradient or a pattern; SVG_FAINT: a colour of which less than half covers; SVG_INVALID: no paint, so
 * the property counts as not given. */
typedef enum svg_paint { SVG_NONE, SVG_WHITE, SVG_BLACK, SVG_OTHER, SVG_SERVER, SVG_FAINT, SVG_INVALID } svg_paint;

/* Which kind of paint the value of `fill` or `stroke` is. */
svg_paint svg_paint_of(const char *value);

/* An opacity such as ".5" or "50%", from 0 to 1; a width is at least 0 so. What is no number is 1. */
double svg_share(const char *text);

/* Reads a length in pixels, 96 to an inch; a percentage is a part of `whole`. False: it is not a length, or its unit
 * depends on a font. */
bool svg_length(const char *text, double whole, double *pixels);
