/* The files of the page, which the compiler puts into the program: a node needs no file next to it, and the page cannot be of another
   version. As Swift the same bytes would take minutes and gigabytes to compile. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* One file, whose bytes are there for as long as the program runs. */
struct moot_page_file {
    const char *_Nonnull name;
    const uint8_t *_Nonnull bytes;
    size_t count;
};

/* All files. */
const struct moot_page_file *_Nonnull moot_page_files(void);

/* How many there are. */
size_t moot_page_file_count(void);
