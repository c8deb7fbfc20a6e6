import CPictures
import Photos

/// A picture that is being read, one row after the other.
protocol RowSource: ~Copyable {
    /// The size in which it is read.
    var size: PictureSize { get }

    /// Reads the next row: red, green and blue of each pixel.
    mutating func next(into row: inout [UInt8]) throws(PhotoError)
}

extension moot_picture_result {
    /// Turns what C answers into an error.
    func check() throws(PhotoError) {
        switch self {
        case .done: return
        case .broken: throw .broken
        case .truncated: throw .truncated
        case .unsupported: throw .format
        case .out_of_memory, .no_room: throw .tooLarge
        }
    }
}
