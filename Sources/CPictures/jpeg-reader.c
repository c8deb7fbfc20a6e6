#include "CPictures.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
#include <jerror.h>

/* A progressive picture of a camera has about ten scans. Each costs a pass over all of the picture but only a few bytes. */
static const int scan_limit = 64;

struct moot_jpeg_reader {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    moot_picture_result result;
};

static void fail(j_common_ptr codec, moot_picture_result result) {
    moot_jpeg_reader *reader = codec->client_data;
    reader->result = result;
    longjmp(reader->failed, 1);
}

static void on_error(j_common_ptr codec) {
    switch (codec->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
    case JERR_WIDTH_OVERFLOW:
        fail(codec, moot_picture_result_out_of_memory);
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_SOF_UNSUPPORTED:
        fail(codec, moot_picture_result_unsupported);
    default:
        fail(codec, moot_picture_result_broken);
    }
}

/* A warning says that pixels were invented in place of those that are lost; only three kinds lose none. */
static void on_message(j_common_ptr codec, int level) {
    if (level >= 0) return;
    switch (codec->err->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
        return;
    default:
        fail(codec, moot_picture_result_broken);
    }
}

static void print_nothing(j_common_ptr codec) { (void)codec; }

static void do_nothing(j_decompress_ptr codec) { (void)codec; }

static boolean on_end_of_bytes(j_decompress_ptr codec) {
    fail((j_common_ptr)codec, moot_picture_result_truncated);
    return FALSE;
}

static void skip(j_decompress_ptr codec, long count) {
    if (count <= 0) return;
    if ((size_t)count > codec->src->bytes_in_buffer) fail((j_common_ptr)codec, moot_picture_result_truncated);
    codec->src->next_input_byte += count;
    codec->src->bytes_in_buffer -= (size_t)count;
}

static void on_progress(j_common_ptr codec) {
    if (((j_decompress_ptr)codec)->input_scan_number > scan_limit) fail(codec, moot_picture_result_broken);
}

moot_picture_result moot_jpeg_reader_begin(
    moot_jpeg_reader **begun, const uint8_t *bytes, size_t count, uint32_t width, uint32_t height,
    uint32_t denominator, size_t memory, moot_picture_shape *shape) {
    moot_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return moot_picture_result_out_of_memory;
    struct jpeg_decompress_struct *codec = &reader->codec;
    codec->err = jpeg_std_error(&reader->errors);
    codec->client_data = reader;
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    reader->errors.output_message = print_nothing;
    if (setjmp(reader->failed)) {
        moot_picture_result result = reader->result;
        moot_jpeg_reader_end(reader);
        return result;
    }
    jpeg_create_decompress(codec);
    codec->mem->max_memory_to_use = (long)memory;
    reader->progress.progress_monitor = on_progress;
    codec->progress = &reader->progress;
    reader->source = (struct jpeg_source_mgr){
        .next_input_byte = bytes, .bytes_in_buffer = count, .init_source = do_nothing,
        .fill_input_buffer = on_end_of_bytes, .skip_input_data = skip, .resync_to_restart = jpeg_resync_to_restart,
        .term_source = do_nothing};
    codec->src = &reader->source;
    jpeg_read_header(codec, TRUE);
    if (codec->image_width != width || codec->image_height != height)
        fail((j_common_ptr)codec, moot_picture_result_broken);
    switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr:
        break;
    default:
        fail((j_common_ptr)codec, moot_picture_result_unsupported);
    }
    codec->out_color_space = JCS_RGB;
    codec->scale_num = 1;
    codec->scale_denom = denominator;
    jpeg_start_decompress(codec);
    *shape = (moot_picture_shape){
        .width = codec->output_width, .height = codec->output_height,
        .channels = (uint32_t)codec->output_components};
    *begun = reader;
    return moot_picture_result_done;
}

moot_picture_result moot_jpeg_reader_next(moot_jpeg_reader *reader, uint8_t *row) {
    if (setjmp(reader->failed)) return reader->result;
    JSAMPROW rows[] = {row};
    return jpeg_read_scanlines(&reader->codec, rows, 1) == 1 ? moot_picture_result_done : moot_picture_result_broken;
}

void moot_jpeg_reader_end(moot_jpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->codec);
    free(reader);
}
