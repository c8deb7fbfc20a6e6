import CPictures
import Photos

/// Reads a JPEG, with fewer pixels than it has where fewer are wanted: the cosines of a block give half, a quarter or
/// an eighth of its sides at less cost than all of it.
struct JPEGReader: RowSource, ~Copyable {
    let size: PictureSize
    private let reader: OpaquePointer

    /// Begins.
    ///
    /// - Parameters:
    ///   - file: stays where it is as long as the reader lives.
    ///   - full: the size that the header said.
    ///   - target: what is wanted in the end.
    init(
        file: UnsafeBufferPointer<UInt8>, full: PictureSize, target: PictureSize, memory: Int
    ) throws(PhotoError) {
        var reader: OpaquePointer?
        var shape = moot_picture_shape()
        try moot_jpeg_reader_begin(
            &reader, file.baseAddress, file.count, UInt32(full.width), UInt32(full.height),
            Self.denominator(from: full, to: target), memory, &shape
        ).check()
        guard let reader else { throw .broken }
        guard let size = PictureSize(width: Int(shape.width), height: Int(shape.height)),
            Int(shape.channels) == Canvas.channels
        else {
            moot_jpeg_reader_end(reader)
            throw .broken
        }
        self.reader = reader
        self.size = size
    }

    deinit { moot_jpeg_reader_end(reader) }

    mutating func next(into row: inout [UInt8]) throws(PhotoError) {
        precondition(row.count == size.width * Canvas.channels, "a row is as long as the picture is wide")
        try moot_jpeg_reader_next(reader, &row).check()
    }

    /// The largest that leaves no side shorter than wanted.
    private static func denominator(from full: PictureSize, to target: PictureSize) -> UInt32 {
        [8, 4, 2].first { full.width >= $0 * target.width && full.height >= $0 * target.height }
            .map(UInt32.init) ?? 1
    }
}
