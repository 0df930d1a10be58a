/* SPDX-License-Identifier: MIT
 *
 * old_glibc.c - linked into the libraries of a wheel, so that they run on glibc 2.28. Newer versions of glibc have some
 * symbols under new versions; this calls the old versions, which they keep. It also defines functions that were inline
 * before 2.33.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

/* The oldest symbol version, and the number that tells the functions behind stat() the layout of its struct. */
#ifdef __x86_64__
#define OLDEST "GLIBC_2.2.5"
#define LAYOUT 1
#else
#define OLDEST "GLIBC_2.17"
#define LAYOUT 0
#endif

/* Defines a function that the linker finds before glibc's, and that is not exported. */
#define OLD(result, name, parameters, arguments)           \
    __asm__(".symver old_" #name "," #name "@" OLDEST);    \
    result old_##name parameters;                          \
    __attribute__((visibility("hidden"))) result name parameters { return old_##name arguments; }

OLD(double, exp, (double x), (x))
OLD(double, log, (double x), (x))
OLD(double, pow, (double x, double y), (x, y))
OLD(double, hypot, (double x, double y), (x, y))
OLD(int, pthread_create, (pthread_t * t, const pthread_attr_t *a, void *(*f)(void *), void *x), (t, a, f, x))
OLD(int, pthread_join, (pthread_t t, void **x), (t, x))
OLD(int, pthread_mutex_trylock, (pthread_mutex_t * m), (m))
OLD(int, pthread_attr_setstacksize, (pthread_attr_t * a, size_t size), (a, size))
OLD(void *, dlopen, (const char *path, int how), (path, how))
OLD(void *, dlsym, (void *library, const char *name), (library, name))
OLD(int, dlclose, (void *library), (library))
OLD(char *, dlerror, (void), ())

#define STAT(name, behind, parameters, ...) \
    int behind(int layout, __VA_ARGS__);    \
    __attribute__((visibility("hidden"))) int name(__VA_ARGS__) { return behind parameters; }

STAT(fstat, __fxstat, (LAYOUT, fd, out), int fd, struct stat *out)
STAT(fstat64, __fxstat64, (LAYOUT, fd, out), int fd, struct stat64 *out)
STAT(stat, __xstat, (LAYOUT, path, out), const char *path, struct stat *out)
STAT(lstat, __lxstat, (LAYOUT, path, out), const char *path, struct stat *out)
