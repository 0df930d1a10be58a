/* SPDX-License-Identifier: MIT
 *
 * mpi_open.c - opens the exchange between processes of mpirun: through shared memory if all run on this machine, else
 * by tilecut-mpi.so (src/mpi), which lies beside the program or in ../lib/tilecut.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#include "apart.h"
#include "job_part.h"

/* True if mpirun started several processes: Open MPI, PMIx and MPICH's Hydra set these variables. */
bool job_part_by_mpi(void)
{
    const char *const size = getenv("OMPI_COMM_WORLD_SIZE");
    return size && atoi(size) > 1;
}

const char *job_part_mpi_line(void)
{
    char path[PATH_MAX];
    return apart_find_object("tilecut-mpi.so", path) ? "Open MPI: mpirun -n N tilecut segment"
                                                     : "no, tilecut-mpi.so was not built or is not there";
}

int mpi_open(mpi_exchange *out, failure *why)
{
    char path[PATH_MAX];
    int (*begin)(tilecut_exchange *);
    if (host_exchange_open(out)) return EXIT_DONE;
    if (!apart_find_object("tilecut-mpi.so", path))
        return fail(why, EXIT_RESOURCES, "mpirun: tilecut-mpi.so is neither beside the program nor in ../lib/tilecut; "
                    "build with Open MPI (libopenmpi-dev), or use --parts on one machine");
    void *const object = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!object) return fail(why, EXIT_RESOURCES, "%s: cannot be loaded: %s", path, dlerror());
    *(void **)&begin = dlsym(object, "tilecut_mpi_begin");
    *(void **)&out->speaks = dlsym(object, "tilecut_mpi_speaks");
    *(void **)&out->end = dlsym(object, "tilecut_mpi_end");
    if (!begin || !out->speaks || !out->end || begin(&out->exchange) != 0)
        return fail(why, EXIT_RESOURCES, "%s: MPI does not start", path);
    return EXIT_DONE;
}
