/* SPDX-License-Identifier: MIT */
/* Gives every file of the folders to the target that each folder is named
 * after. For compilers without libFuzzer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { FILE_MAX = 1 << 20 };

static void replay_file(const char *folder, const char *name)
{
    static unsigned char bytes[FILE_MAX];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size_t n = fread(bytes, 1, FILE_MAX, file);
    fclose(file);
    /* Of that size exactly, so that AddressSanitizer sees a byte beyond. */
    unsigned char *copy = malloc(n ? n : 1);
    if (!copy)
        exit(1);
    memcpy(copy, bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

/* Returns the number of files. */
static unsigned replay(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    unsigned files = 0;
    if (!fuzz_choose(slash ? slash + 1 : folder))
        return 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        replay_file(folder, entry->d_name);
        files++;
    }
    if (dir)
        closedir(dir);
    return files;
}

int main(int argc, char **argv)
{
    unsigned files = 0;
    for (int i = 1; i < argc; i++)
        files += replay(argv[i]);
    printf("%u files\n", files);
    return files == 0;
}
