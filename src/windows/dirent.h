/* SPDX-License-Identifier: MIT
 *
 * dirent.h - lists the contents of a folder, with names in UTF-8 (posix.h).
 */
#ifndef WINDOWS_DIRENT_H
#define WINDOWS_DIRENT_H

#define dirent posix_dirent
#define DIR posix_folder
#define opendir posix_opendir
#define readdir posix_readdir
#define closedir posix_closedir
#define dirfd posix_dirfd
#define scandir posix_scandir
#define alphasort posix_alphasort

struct posix_dirent {
    char d_name[1024];
};
typedef struct posix_folder posix_folder;
posix_folder *posix_opendir(const char *path);
struct posix_dirent *posix_readdir(posix_folder *folder);
int posix_closedir(posix_folder *folder);
int posix_dirfd(posix_folder *folder);
int posix_scandir(const char *path, struct posix_dirent ***out, int (*wanted)(const struct posix_dirent *),
                  int (*order)(const struct posix_dirent **, const struct posix_dirent **));
int posix_alphasort(const struct posix_dirent **a, const struct posix_dirent **b);

#endif
