/* SPDX-License-Identifier: MIT
 *
 * old_glibc.c - goes into the libraries of a wheel, so that they run on glibc 2.28: what newer ones have under a new
 * version of its symbol is called by the old version, which they keep, and what was inline before 2.33 is here.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

/* The oldest version, and the number by which the functions behind stat() know the layout of its struct. */
#ifdef __x86_64__
#define OLDEST "GLIBC_2.2.5"
#define LAYOUT 1
#else
#define OLDEST "GLIBC_2.17"
#define LAYOUT 0
#endif

/* Found before the function of that name in glibc, and seen by nobody else. */
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
