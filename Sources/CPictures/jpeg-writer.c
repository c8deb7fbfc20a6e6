#include "CPictures.h"
#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>

struct writer {
    struct jpeg_compress_struct codec;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf failed;
    moot_picture_result result;
};

static void fail(j_common_ptr codec, moot_picture_result result) {
    struct writer *writer = codec->client_data;
    writer->result = result;
    longjmp(writer->failed, 1);
}

static void on_error(j_common_ptr codec) {
    fail(codec, codec->err->msg_code == JERR_OUT_OF_MEMORY ? moot_picture_result_out_of_memory
                                                           : moot_picture_result_broken);
}

static void print_nothing(j_common_ptr codec) { (void)codec; }

static void do_nothing(j_compress_ptr codec) { (void)codec; }

static boolean on_full(j_compress_ptr codec) {
    fail((j_common_ptr)codec, moot_picture_result_no_room);
    return FALSE;
}

/* Apart from its caller, who owns the writer: what is local to a function that calls setjmp is lost by longjmp. */
static moot_picture_result write_rows(struct writer *writer, const uint8_t *pixels, int quality) {
    struct jpeg_compress_struct *codec = &writer->codec;
    if (setjmp(writer->failed)) return writer->result;
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, quality, TRUE);
    codec->optimize_coding = TRUE;
    jpeg_start_compress(codec, TRUE);
    while (codec->next_scanline < codec->image_height) {
        JSAMPROW rows[] = {(JSAMPROW)(pixels + (size_t)codec->next_scanline * codec->image_width * 3)};
        jpeg_write_scanlines(codec, rows, 1);
    }
    jpeg_finish_compress(codec);
    return moot_picture_result_done;
}

static moot_picture_result create(struct writer *writer) {
    if (setjmp(writer->failed)) return writer->result;
    jpeg_create_compress(&writer->codec);
    return moot_picture_result_done;
}

moot_picture_result moot_jpeg_write(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, uint8_t *bytes, size_t capacity,
    size_t *count) {
    struct writer writer = {0};
    struct jpeg_compress_struct *codec = &writer.codec;
    codec->err = jpeg_std_error(&writer.errors);
    codec->client_data = &writer;
    writer.errors.error_exit = on_error;
    writer.errors.output_message = print_nothing;
    moot_picture_result result = create(&writer);
    if (result == moot_picture_result_done) {
        writer.destination = (struct jpeg_destination_mgr){
            .next_output_byte = bytes, .free_in_buffer = capacity, .init_destination = do_nothing,
            .empty_output_buffer = on_full, .term_destination = do_nothing};
        codec->dest = &writer.destination;
        codec->image_width = width;
        codec->image_height = height;
        codec->input_components = 3;
        codec->in_color_space = JCS_RGB;
        result = write_rows(&writer, pixels, quality);
    }
    *count = capacity - writer.destination.free_in_buffer;
    jpeg_destroy_compress(codec);
    return result;
}
