import CPictures
import Photos

/// Reads a PNG. What shines through is put on white, so nothing stays of what stood under transparent pixels.
struct PNGReader: RowSource, ~Copyable {
    let size: PictureSize
    private let reader: OpaquePointer
    /// A row with alpha; empty where the picture has none.
    private var translucent: [UInt8]

    /// Begins.
    ///
    /// - Parameters:
    ///   - file: stays where it is as long as the reader lives.
    ///   - full: the size that the header said.
    init(file: UnsafeBufferPointer<UInt8>, full: PictureSize, memory: Int) throws(PhotoError) {
        var reader: OpaquePointer?
        var shape = moot_picture_shape()
        try moot_png_reader_begin(
            &reader, file.baseAddress, file.count, UInt32(full.width), UInt32(full.height), memory, &shape
        ).check()
        guard let reader else { throw .broken }
        guard [3, 4].contains(shape.channels) else {
            moot_png_reader_end(reader)
            throw .broken
        }
        self.reader = reader
        size = full
        translucent = shape.channels == 4 ? Array(repeating: 0, count: full.width * 4) : []
    }

    deinit { moot_png_reader_end(reader) }

    mutating func next(into row: inout [UInt8]) throws(PhotoError) {
        precondition(row.count == size.width * Canvas.channels, "a row is as long as the picture is wide")
        guard !translucent.isEmpty else {
            try moot_png_reader_next(reader, &row).check()
            return
        }
        try moot_png_reader_next(reader, &translucent).check()
        for x in 0..<size.width {
            let alpha = UInt32(translucent[x * 4 + 3])
            for channel in 0..<Canvas.channels {
                let color = UInt32(translucent[x * 4 + channel])
                row[x * Canvas.channels + channel] = UInt8((color * alpha + 255 * (255 - alpha) + 127) / 255)
            }
        }
    }
}
