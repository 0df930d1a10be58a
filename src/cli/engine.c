/* SPDX-License-Identifier: MIT
 *
 * engine.c - see engine.h.
 */
#include "engine.h"

#include <string.h>

#include "machine.h"
#include "signals.h"

int engine_choose(const common *asked, tilecut_params *params, notes *log, failure *why)
{
    const char *device = asked->device;
    if (device && !strncmp(device, "cuda", 4))
        return fail(why, EXIT_RESOURCES,
                    "--device: %s is not available: this tilecut is built without CUDA; use cpu or auto",
                    device);
    params->solver = asked->solver;
    params->threads = asked->threads ? asked->threads : machine_threads(log);
    params->cancel = &signals_caught;
    return EXIT_DONE;
}

const char *engine_device(const tilecut_params *params)
{
    (void)params;
    return "cpu";
}

int engine_failure(tilecut_status status, const char *subject, failure *why)
{
    static const int exits[] = {
        [TILECUT_OK] = EXIT_DONE,
        [TILECUT_EINVAL] = EXIT_USAGE,
        [TILECUT_ESEEDS] = EXIT_SEEDS,
        [TILECUT_ENOMEM] = EXIT_RESOURCES,
        [TILECUT_ERANGE] = EXIT_INPUT,
        [TILECUT_ENODEVICE] = EXIT_RESOURCES,
        [TILECUT_EDEVICE] = EXIT_RESOURCES,
        [TILECUT_EUNPROVEN] = EXIT_UNPROVEN,
    };
    if (status == TILECUT_OK) return EXIT_DONE;
    if (status == TILECUT_ECANCELLED) return fail(why, signals_status(), "interrupted");
    const size_t known = sizeof exits / sizeof *exits;
    const int exit_status = (size_t)status < known ? exits[status] : EXIT_RUNTIME;
    const char *detail = tilecut_error_detail();
    return fail(why, exit_status, "%s%s%s", subject ? subject : "", subject ? ": " : "",
                *detail ? detail : tilecut_strerror(status));
}
