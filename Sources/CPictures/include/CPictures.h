/* Reads pictures with libjpeg-turbo and libpng, row by row, and writes JPEG. Both libraries leave an error by longjmp, which must not
   cross a function of Swift; here every error is caught before it reaches one, and becomes a result.

   A reader that answered anything but `done` may only be ended. Nothing here looks at metadata, opens a file or prints. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* What became of a step. */
typedef enum __attribute__((enum_extensibility(closed))) {
    moot_picture_result_done,
    /* No picture is like that. */
    moot_picture_result_broken,
    /* The bytes end before the picture does. */
    moot_picture_result_truncated,
    /* A valid picture of a kind that is not read: CMYK, arithmetic coding, 12 bits. */
    moot_picture_result_unsupported,
    /* It takes more memory than was allowed, or than there is. */
    moot_picture_result_out_of_memory,
    /* What is written has no room in the bytes that were given. */
    moot_picture_result_no_room
} moot_picture_result;

/* What a reader found. Every row has `width` × `channels` bytes: red, green, blue, and alpha where there are four. */
typedef struct {
    uint32_t width, height, channels;
} moot_picture_shape;

/* A JPEG that is being read. */
typedef struct moot_jpeg_reader moot_jpeg_reader;

/* Begins to read a JPEG of a known size, with its sides divided by `denominator`, which is 1, 2, 4 or 8; of another size it is broken.
   The bytes stay where they are until the end. `memory` bounds what a picture may take that comes in several scans, in bytes. */
moot_picture_result moot_jpeg_reader_begin(
    moot_jpeg_reader **reader, const uint8_t *bytes, size_t count, uint32_t width, uint32_t height,
    uint32_t denominator, size_t memory, moot_picture_shape *shape);
moot_picture_result moot_jpeg_reader_next(moot_jpeg_reader *reader, uint8_t *row);
void moot_jpeg_reader_end(moot_jpeg_reader *reader);

/* A PNG that is being read. */
typedef struct moot_png_reader moot_png_reader;

/* Begins to read a PNG of a known size as eight bits a channel; of another size it is broken. The bytes stay where they are until the
   end. `memory` bounds every single piece of memory; an interlaced picture needs one for all of it. */
moot_picture_result moot_png_reader_begin(
    moot_png_reader **reader, const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, size_t memory,
    moot_picture_shape *shape);
moot_picture_result moot_png_reader_next(moot_png_reader *reader, uint8_t *row);
void moot_png_reader_end(moot_png_reader *reader);

/* Writes rows of red, green and blue as a baseline JPEG into `capacity` bytes, and says how many it took. */
moot_picture_result moot_jpeg_write(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, uint8_t *bytes, size_t capacity,
    size_t *count);
