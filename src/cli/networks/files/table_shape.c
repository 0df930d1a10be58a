/* SPDX-License-Identifier: MIT */
#include "table_shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The number of lines that are inspected. A longer text with three or four columns is a list. */
enum { LOOKED = 1000 };

typedef struct look {
    table_shape shape;
    bool numbers;              /* true: all words are numbers                         */
    bool nodes;                /* true: each line begins with two numbers that can be nodes */
    bool named;                /* true: a comment says that these are edges, as SNAP and KONECT write it */
    int64_t pair[LOOKED][2];   /* the first two numbers of each line */
    /* head: the first two numbers of the first line; lines, words: how many lines follow it, empty ones included, and
       how many words these have */
    int64_t head[2], lines, words;
    bool joined;               /* all words of the lines are nodes 1 .. head[0], and no node is its own neighbour */
    uint64_t there, back;      /* hash sums over "i has neighbour j", and over "j has neighbour i" */
} look;

/* True if a word that begins with # is a fault in a cell, as spreadsheets write it. */
static bool is_cell(lines text)
{
    static const char *const faults[] = {"#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NUM!", "#NAME?", "#NULL!"};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (lines_name(&text, faults[i])) return true;
    return false;
}

static bool is_comment(const lines *text)
{
    return *text->at == '%' || (*text->at == '#' && !is_cell(*text));
}

bool table_at_end(lines *text)
{
    return lines_at_end(text) || is_comment(text);
}

/* True if a comment names edges: KONECT begins with '% sym ...', '% asym ...' or '% bip ...'; SNAP names
 * FromNodeId and ToNodeId. */
static bool names_edges(lines text)
{
    static const char from[] = "FromNodeId";
    for (const char *at = text.at; (size_t)(text.eol - at) >= sizeof from - 1; at++)
        if (!memcmp(at, from, sizeof from - 1)) return true;
    return lines_word(&text, "%") &&
           (lines_word(&text, "sym") || lines_word(&text, "asym") || lines_word(&text, "bip"));
}

bool table_lacks(lines text)
{
    static const char *const none[] = {"na", "n/a", "nan", "null", "none", "-nan"};
    const char *end, *const at = lines_take(&text, &end);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if ((size_t)(end - at) == strlen(none[i]) && !strncasecmp(at, none[i], strlen(none[i]))) return true;
    return false;
}

/* Skips a word. Returns true if it stands for a number: a number, even one that is too large, inf, or a
 * word such as NA. */
static bool like_number(lines *text)
{
    const bool lacks = table_lacks(*text);
    const char *end, *const at = lines_take(text, &end), *const first = at + (*at == '-' || *at == '+');
    if (lacks) return true;
    if (end - first >= 3 && (!strncasecmp(first, "inf", 3) || !strncasecmp(first, "nan", 3))) return true;
    return first < end && (*first == '.' || (*first >= '0' && *first <= '9'));
}

/* Goes to the next line that is neither empty nor a comment, and counts its words and the numbers among them. */
static bool count_numbers(lines *text, int64_t *words, int64_t *numbers)
{
    *words = *numbers = 0;
    while (lines_next(text)) {
        for (lines rest = *text; !table_at_end(&rest); ++*words) *numbers += like_number(&rest);
        if (*words) return true;
    }
    return false;
}

bool table_headed(const char *name, const uint8_t *data, size_t size, lines *word, failure *why)
{
    enum { LOOKED_AT = 4096 };
    int64_t words, numbers;
    lines text = lines_open(name, data, size, why);
    if (memchr(data, 0, size < LOOKED_AT ? size : LOOKED_AT) || !count_numbers(&text, &words, &numbers)) return false;
    if (numbers == words) return false;
    *word = text;
    for (lines rest = text; like_number(&rest);) *word = rest;
    return count_numbers(&text, &words, &numbers) && numbers && numbers >= words - 1;
}

static uint64_t mix(int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a * 0x9e3779b97f4a7c15U + (uint64_t)b;
    x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9U;
    return x ^ x >> 29;
}

/* Adds a line to the test for lists of neighbours, in which each edge occurs twice, once from either end. */
static void look_at_neighbours(look *l, lines text)
{
    int64_t node = 0;
    if (!l->shape.rows) {
        for (int k = 0; k < 2; k++)
            if (!file_number_node(&text, &l->head[k])) l->joined = false;
        return;
    }
    for (; l->joined && !table_at_end(&text); l->words++) {
        l->joined = file_number_node(&text, &node) && node >= 1 && node <= l->head[0] && node != l->lines;
        l->there += mix(l->lines, node), l->back += mix(node, l->lines);
    }
}

static void look_at_line(look *l, lines text)
{
    table_shape *const s = &l->shape;
    int64_t words = 0, node, *const pair = l->pair[s->rows];
    lines nodes = text;
    for (int k = 0; k < 2; k++) {
        if (!file_number_node(&nodes, &node)) l->nodes = false;
        else pair[k] = node;
    }
    for (; !table_at_end(&text); words++)
        if (!like_number(&text)) l->numbers = false;
    if (!s->rows) s->columns = words;
    else if (words != s->columns) s->columns = 0;
}

static void look_at_text(look *l, const uint8_t *data, size_t size)
{
    failure ignored;
    lines text = lines_open("", data, size, &ignored);
    while (lines_next(&text)) {
        const bool nothing = lines_at_end(&text);
        l->lines += l->shape.rows && (nothing || !is_comment(&text));
        if (nothing) continue;
        if (is_comment(&text)) {
            if (!l->shape.rows && names_edges(text)) l->named = true;
            continue;
        }
        look_at_neighbours(l, text);
        if (l->shape.rows < LOOKED) look_at_line(l, text);
        l->shape.rows++;
    }
    l->shape.neighbours = l->joined && l->head[0] >= l->shape.rows - 1 && l->head[0] <= l->lines + 1 && l->words &&
                          l->words == 2 * l->head[1] && l->there == l->back;
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t *const x = a, *const y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* True if the first two columns look like edges: no pair occurs twice, nodes are numbered from 0 or 1 without gaps, and
 * a graph that is not bipartite has no loops. The numbers of a matrix hardly ever look so. */
static bool like_edges(look *l, bool sides)
{
    const int64_t rows = l->shape.rows;
    bool used[2][LOOKED + 2] = {{false}};
    int64_t least = 1, most[2] = {0, 0};
    qsort(l->pair, (size_t)rows, sizeof *l->pair, compare_numbers);
    for (int64_t r = 0; r < rows; r++) {
        const int64_t *const pair = l->pair[r];
        if ((r && !compare_numbers(pair, l->pair[r - 1])) || (!sides && pair[0] == pair[1])) return false;
        for (int k = 0; k < 2; k++) {
            if (pair[k] > LOOKED) return false;
            used[sides ? k : 0][pair[k]] = true;
            if (pair[k] > most[sides ? k : 0]) most[sides ? k : 0] = pair[k];
            if (pair[k] < least) least = pair[k];
        }
    }
    for (int k = 0; k <= (int)sides; k++)
        for (int64_t v = least; v <= most[k]; v++)
            if (!used[k][v]) return false;
    return true;
}

/* Decides what the text is. The matrix of a graph is square. A table of costs or of pairs need not be, but if it has
 * few columns, it has few rows. */
static void decide(look *l, const network_reading *options)
{
    /* EDGE: columns of an edge with a value; WIDE: too many columns for an edge */
    enum { FEW_ROWS = 16, EDGE = 3, WIDE = 5 };
    table_shape *const s = &l->shape;
    const bool square = s->rows == s->columns;
    if (!l->numbers || l->named || s->neighbours) return;
    if (!l->nodes) {
        s->matrix = true;
    } else if (s->columns >= WIDE) {
        s->matrix = square || options->sides;
        s->unsure = !square;
    } else if (s->columns >= EDGE) {
        const bool edges = s->rows > LOOKED || like_edges(l, options->sides);
        s->matrix = !edges && (square || (options->sides && s->rows <= FEW_ROWS));
        s->unsure = square || s->columns > EDGE || (options->sides && s->rows <= LOOKED);
    } else if (s->columns && options->sides && options->costs) {
        s->matrix = s->rows <= FEW_ROWS; /* edges without costs make no sense */
        s->unsure = true;
    } else if (s->columns) {
        s->unsure = (square || (options->sides && s->rows <= FEW_ROWS)) && !like_edges(l, options->sides);
    }
}

table_shape table_look(const uint8_t *data, size_t size, const network_reading *options)
{
    look l = {.numbers = true, .nodes = true, .joined = true};
    look_at_text(&l, data, size);
    if (options->matrix || options->edges) l.shape.matrix = options->matrix;
    else decide(&l, options);
    return l.shape;
}

void table_hint(const table_shape *shape, const network_reading *options, saved_network *out)
{
    const char *const value = options->costs ? "COST" : options->sides ? "WEIGHT" : "CAPACITY";
    if (shape->matrix)
        snprintf(out->hint, sizeof out->hint, "read as a matrix of %" PRId64 " x %" PRId64 "; if it is a list of edges "
                 "FROM TO %s, say --edges", shape->rows, shape->columns, value);
    else
        snprintf(out->hint, sizeof out->hint, "read as a list of edges FROM TO %s; if it is a matrix, say --matrix",
                 value);
}
