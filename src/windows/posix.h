/* SPDX-License-Identifier: MIT
 *
 * posix.h - functions of POSIX that the sources use and mingw-w64 lacks, or has only for the system's code page. The
 * build for Windows includes this first in every file, so that no other file depends on the system. Paths are UTF-8
 * with either slash; functions here return them with '/'. Files are binary, and open files may be renamed and removed,
 * as on other systems. Each function does what its name in POSIX says, as far as the sources need that.
 */
#ifndef WINDOWS_POSIX_H
#define WINDOWS_POSIX_H

#define _CRT_RAND_S

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <process.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- files (posix_files.c) --------------------------------------------------------------------- */

#undef PATH_MAX
#define PATH_MAX 4096
#define EDQUOT 1133

#define O_CLOEXEC O_NOINHERIT
#define O_NOCTTY 0
#define O_NONBLOCK 0
#define O_PATH 0
#define O_NOFOLLOW 0x1000000
#define O_DIRECTORY 0x2000000
#define AT_FDCWD (-100)
#define AT_EACCESS 1
#define AT_SYMLINK_FOLLOW 2
#define F_GETFD 1
#define LOCK_EX 2
#define LOCK_NB 4
#define S_IFLNK 0xa000
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) 0
#define S_ISVTX 0
#undef S_IWOTH
#define S_IWOTH 0

struct posix_stat {
    uint64_t st_dev, st_ino;
    int64_t st_size;
    time_t st_mtime;
    unsigned st_nlink, st_uid, st_gid;
    mode_t st_mode;
};

#define dev_t uint64_t
#define ino_t uint64_t
#undef stat
#undef fstat
#undef lstat
#define stat posix_stat
#define lstat posix_lstat
#define fstat posix_fstat
#define open posix_open
#define openat posix_openat
#define close posix_close
#define pread posix_pread
#define pwrite posix_pwrite
#undef ftruncate
#define ftruncate posix_ftruncate
#define posix_fallocate posix_allocate
#define fsync _commit
#define fopen posix_fopen
#define rename posix_rename
#define unlink posix_unlink
#define unlinkat posix_unlinkat
#define mkdir posix_mkdir
#define rmdir posix_rmdir
#define access posix_access
#define faccessat(at, path, how, flags) posix_access(path, how)
#define realpath posix_realpath
#define mkstemp(path) posix_mkstemps(path, 0)
#define mkstemps posix_mkstemps
#define mkdtemp posix_mkdtemp
#define isatty posix_isatty
#define flock posix_flock
#define fcntl posix_fcntl
#define readlink posix_readlink
#define readlinkat(at, name, target, room) (errno = EINVAL, (ssize_t)-1)
/* Other files have functions with these names. So they are macros only after unistd.h or signal.h has been included. */
#undef tell
#define read posix_read
#define write posix_write
#define raise posix_raise
#define tell posix_tell
#define linkat(a, from, b, to, flags) ((void)(from), (void)(to), errno = ENOSYS, -1)
#define fchmod(file, mode) ((void)(file), (void)(mode), 0)
#define fchown(file, user, group) ((void)(file), (void)(user), (void)(group), 0)
#define geteuid() 0u
#define getegid() 0u

int posix_stat(const char *path, struct posix_stat *about);
int posix_lstat(const char *path, struct posix_stat *about);
int posix_fstat(int file, struct posix_stat *about);
int posix_open(const char *path, int flags, ...);
int posix_openat(int at, const char *name, int flags, ...);
int posix_close(int file);
ssize_t posix_pread(int file, void *to, size_t size, int64_t at);
ssize_t posix_pwrite(int file, const void *from, size_t size, int64_t at);
int posix_ftruncate(int file, int64_t size);
int posix_allocate(int file, int64_t at, int64_t size);
FILE *posix_fopen(const char *path, const char *how);
int posix_rename(const char *from, const char *to);
int posix_unlink(const char *path);
int posix_unlinkat(int at, const char *name, int flags);
int posix_mkdir(const char *path, int mode);
int posix_rmdir(const char *path);
int posix_access(const char *path, int how);
char *posix_realpath(const char *path, char *out);
int posix_mkstemps(char *path, int ending); /* a file that was unlinked before is deleted when it is closed */
char *posix_mkdtemp(char *path);
int posix_isatty(int file);
int posix_flock(int file, int how);
int posix_fcntl(int file, int what);
ssize_t posix_readlink(const char *path, char *target, size_t room); /* of /proc/self/exe */

/* ---- names by patterns (posix_folders.c; dirent.h has the rest) --------------------------------- */

int posix_fnmatch(const char *pattern, const char *name, int flags); /* the pattern may have '*', '?', [a-z], [!a] and
                                                                        backslashes */
#define fnmatch posix_fnmatch

typedef struct glob_t {
    size_t gl_pathc;
    char **gl_pathv;
} glob_t;
#define glob(pattern, flags, error, found) ((void)(pattern), *(found) = (glob_t){0, NULL}, 1)
#define globfree(found) ((void)(found))

/* ---- memory, processors and processes (posix_process.c) ---------------------------------------- */

#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void *)-1)
#define MADV_DONTNEED 4
#define mmap posix_mmap
#define munmap posix_munmap
#define madvise posix_madvise
#define aligned_alloc(alignment, size) malloc(size) /* by malloc(), so that callers can free() the memory */
void *posix_mmap(void *at, size_t size, int access, int flags, int file, int64_t offset);
int posix_munmap(void *memory, size_t size);
int posix_madvise(void *memory, size_t size, int advice); /* leaves memory that is a view of a file unchanged */

typedef struct cpu_set_t {
    uint64_t bits;
} cpu_set_t;
#define CPU_SETSIZE 64
#define CPU_COUNT(set) __builtin_popcountll((set)->bits)
#define CPU_ZERO(set) ((set)->bits = 0)
#define CPU_ISSET(cpu, set) ((int)((set)->bits >> (cpu) & 1))
#define CPU_SET(cpu, set) ((set)->bits |= (uint64_t)1 << (cpu))
int sched_getaffinity(int process, size_t size, cpu_set_t *allowed);

enum { _SC_NPROCESSORS_ONLN, _SC_PAGESIZE, _SC_LEVEL3_CACHE_SIZE };
#define sysconf posix_sysconf
long posix_sysconf(int what);

enum { RLIMIT_STACK, RLIMIT_AS, RUSAGE_SELF = 0, RUSAGE_CHILDREN };
#define RLIM_INFINITY UINT64_MAX
typedef uint64_t rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};
struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss; /* kB */
};
int getrlimit(int what, struct rlimit *limit); /* knows RLIMIT_AS alone, and returns the memory that is left */
int getrusage(int of, struct rusage *used);
#define pthread_setattr_default_np(how) ((void)(how), 0)

#define SIGHUP 1
#define SIGQUIT 3
#define SIGTRAP 5
#define SIGBUS 7
#define SIGKILL 9
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGIO 29
#define SIGPWR 30
#define SIGSYS 31
#define SA_RESTART 1
#define SA_RESETHAND 2
#define SA_NODEFER 4
#define sigset_t uint64_t
struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
#define sigemptyset(set) (*(set) = 0)
#define sigfillset(set) (*(set) = UINT64_MAX)
#define sigaddset(set, number) (*(set) |= (uint64_t)1 << (number))
#define sigdelset(set, number) (*(set) &= ~((uint64_t)1 << (number)))

enum { ITIMER_REAL };
struct itimerval {
    struct timeval it_interval, it_value;
};
#define setitimer(which, value, before) ((void)(value), errno = ENOSYS, -1)

/* The program starts only one other process: the user's browser, which it calls xdg-open. */
#define WNOHANG 1
#define POSIX_SPAWN_SETPGROUP 1
typedef int posix_spawn_file_actions_t, posix_spawnattr_t;
#define posix_spawn_file_actions_init(actions) (*(actions) = 0)
#define posix_spawn_file_actions_destroy(actions) ((void)(actions), 0)
#define posix_spawn_file_actions_addopen(actions, file, path, flags, mode) ((void)(actions), (void)(file), 0)
#define posix_spawn_file_actions_adddup2(actions, from, to) ((void)(from), (void)(to), (void)(actions), 0)
#define posix_spawnattr_init(how) (*(how) = 0)
#define posix_spawnattr_setflags(how, flags) ((void)(how), 0)
#define posix_spawnattr_destroy(how) ((void)(how), 0)
#define posix_spawn posix_spawnp
#define pipe2(ends, flags) (errno = ENOSYS, -1)
#define kill(process, number) ((void)(process), errno = ENOSYS, -1)
#define waitpid(process, status, flags) ((void)(process), (void)(status), errno = ENOSYS, -1)
#define clock_getcpuclockid(process, clock) ((void)(process), (void)(clock), ENOSYS)
#define WIFEXITED(status) 0
#define WEXITSTATUS(status) (status)
int posix_spawnp(pid_t *child, const char *command, const void *actions, const void *how, char *const *words,
                 char *const *environment);
#undef environ
#define environ posix_environ
extern char **posix_environ;

#define getenv posix_getenv
#define setenv posix_setenv
char *posix_getenv(const char *name); /* HOME, TMPDIR and XDG_CACHE_HOME have their equivalents on Windows */
int posix_setenv(const char *name, const char *value, int replace);
ssize_t getrandom(void *to, size_t size, unsigned flags);

/* Libraries are never loaded by name. */
enum { RTLD_NOW, RTLD_LOCAL, RTLD_GLOBAL };
#define dlopen(name, how) ((void)(name), NULL)
#define dlsym(library, name) ((void)(library), NULL)
#define dlerror() "this build loads nothing"

/* ---- text (posix_text.c) ----------------------------------------------------------------------- */

typedef int locale_t; /* the C library uses the decimal point unless somebody calls setlocale() */
#define LC_ALL_MASK 0
#define newlocale(mask, name, base) ((locale_t)0)
#define uselocale(locale) (locale)
#define freelocale(locale) ((void)(locale))
#define memmem posix_memmem
#define strndup posix_strndup
#define strsep posix_strsep
#define strcasestr posix_strcasestr
void *posix_memmem(const void *in, size_t room, const void *what, size_t size);
char *posix_strndup(const char *text, size_t size);
char *posix_strsep(char **rest, const char *marks);
char *posix_strcasestr(const char *in, const char *what);

#define WINDOWS_POSIX_READY
#endif
