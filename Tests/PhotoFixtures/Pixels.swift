import CPictures
import Photos

/// The pixels of a JPEG, to look at.
public struct Pixels {
    private let size: PictureSize
    private var rows: [[UInt8]] = []

    /// Why there are none.
    public struct Unreadable: Error {}

    /// Reads them.
    public init(of picture: EncodedPicture) throws {
        size = picture.size
        var reader: OpaquePointer?
        var shape = moot_picture_shape()
        let (width, height) = (size.width, size.height)
        rows = try picture.bytes.withUnsafeBufferPointer { bytes in
            let begun = moot_jpeg_reader_begin(
                &reader, bytes.baseAddress, bytes.count, UInt32(width), UInt32(height), 1, 1 << 26, &shape)
            guard begun == .done, let reader else { throw Unreadable() }
            defer { moot_jpeg_reader_end(reader) }
            return try (0..<height).map { _ in
                var row = [UInt8](repeating: 0, count: width * 3)
                guard moot_jpeg_reader_next(reader, &row) == .done else { throw Unreadable() }
                return row
            }
        }
    }

    /// A pixel; negative numbers count from the end.
    public subscript(x: Int, y: Int) -> Color {
        let row = rows[y < 0 ? size.height + y : y]
        let x = x < 0 ? size.width + x : x
        return Color(row[3 * x], row[3 * x + 1], row[3 * x + 2])
    }
}
