#include "CPictures.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <png.h>

struct moot_png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t left;
    size_t memory;
    /* All rows of an interlaced picture, or NULL. */
    uint8_t *rows;
    size_t row_bytes;
    uint32_t height;
    uint32_t next_row;
    jmp_buf failed;
    /* `done` until something goes wrong: the library does not tell its reasons apart. */
    moot_picture_result result;
};

static void on_error(png_structp png, png_const_charp text) {
    (void)text;
    moot_png_reader *reader = png_get_error_ptr(png);
    if (reader->result == moot_picture_result_done) reader->result = moot_picture_result_broken;
    longjmp(reader->failed, 1);
}

/* A warning is about metadata, which is not kept anyhow; what is wrong with pixels is an error. */
static void on_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void *allocate(moot_png_reader *reader, size_t count) {
    void *memory = count <= reader->memory ? malloc(count) : NULL;
    if (memory == NULL) reader->result = moot_picture_result_out_of_memory;
    return memory;
}

static png_voidp on_allocate(png_structp png, png_alloc_size_t count) { return allocate(png_get_mem_ptr(png), count); }

static void on_free(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void on_read(png_structp png, png_bytep bytes, size_t count) {
    moot_png_reader *reader = png_get_io_ptr(png);
    if (count > reader->left) {
        reader->result = moot_picture_result_truncated;
        png_error(png, "truncated");
    }
    memcpy(bytes, reader->bytes, count);
    reader->bytes += count;
    reader->left -= count;
}

/* Has every picture come as eight bits of red, green, blue and, if it has any, alpha. */
static void transform(moot_png_reader *reader) {
    png_set_expand(reader->png);
    png_set_scale_16(reader->png);
    png_set_gray_to_rgb(reader->png);
}

static void read_rows(moot_png_reader *reader, int passes) {
    reader->rows = allocate(reader, reader->row_bytes * reader->height);
    if (reader->rows == NULL) png_error(reader->png, "memory");
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t row = 0; row < reader->height; row++)
            png_read_row(reader->png, reader->rows + reader->row_bytes * row, NULL);
}

moot_picture_result moot_png_reader_begin(
    moot_png_reader **begun, const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, size_t memory,
    moot_picture_shape *shape) {
    moot_png_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return moot_picture_result_out_of_memory;
    reader->bytes = bytes;
    reader->left = count;
    reader->memory = memory;
    if (setjmp(reader->failed)) {
        moot_picture_result result = reader->result;
        moot_png_reader_end(reader);
        return result;
    }
    reader->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, reader, on_error, on_warning, reader, on_allocate, on_free);
    reader->info = reader->png == NULL ? NULL : png_create_info_struct(reader->png);
    if (reader->info == NULL) {
        moot_png_reader_end(reader);
        return moot_picture_result_out_of_memory;
    }
    png_set_read_fn(reader->png, reader, on_read);
    /* The sides a JPEG can have. */
    png_set_user_limits(reader->png, 65535, 65535);
    /* Metadata is skipped, however much there is: nothing of it is inflated or kept. */
    png_set_chunk_malloc_max(reader->png, 0);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(reader->png, reader->info);
    if (png_get_image_width(reader->png, reader->info) != width ||
        png_get_image_height(reader->png, reader->info) != height)
        png_error(reader->png, "size");
    transform(reader);
    int passes = png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    reader->height = height;
    reader->row_bytes = png_get_rowbytes(reader->png, reader->info);
    *shape = (moot_picture_shape){
        .width = width, .height = height, .channels = png_get_channels(reader->png, reader->info)};
    if (reader->row_bytes != (size_t)width * shape->channels) png_error(reader->png, "row");
    if (passes > 1) read_rows(reader, passes);
    *begun = reader;
    return moot_picture_result_done;
}

moot_picture_result moot_png_reader_next(moot_png_reader *reader, uint8_t *row) {
    if (reader->next_row == reader->height) return moot_picture_result_broken;
    if (setjmp(reader->failed)) return reader->result;
    if (reader->rows == NULL)
        png_read_row(reader->png, row, NULL);
    else
        memcpy(row, reader->rows + reader->row_bytes * reader->next_row, reader->row_bytes);
    reader->next_row++;
    return moot_picture_result_done;
}

void moot_png_reader_end(moot_png_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader->rows);
    free(reader);
}
