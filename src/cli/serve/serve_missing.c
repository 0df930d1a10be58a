/* SPDX-License-Identifier: MIT
 *
 * serve_missing.c - replaces serve.c if libmicrohttpd was not found when the program was built.
 */
#include <stddef.h>

#include "serve.h"

const char *serve_library(const char **missing)
{
    *missing = "built without libmicrohttpd";
    return NULL;
}

int serve(desk *d, int port, int (*ready)(void *context, const char *url, failure *why), void *context, failure *why)
{
    (void)d, (void)port, (void)ready, (void)context;
    return fail(why, EXIT_RESOURCES, "edit: this program was built without libmicrohttpd; install libmicrohttpd-dev "
                "and build it again, or use the page of 'make web'");
}
