import Photos

/// Makes a photo of a file that somebody chose: any JPEG or PNG, or bytes that were made to harm.
///
/// It has no effect but its result. What it cannot promise, because C reads the pixels, is that it survives; that is
/// why it runs in a process of its own, which may do nothing else.
public enum PhotoRenderer {
    /// Makes a photo.
    ///
    /// - Complexity: O(*n*), where *n* is the number of pixels in the file. Memory is linear in its width and in the
    ///   size of the result, apart from pictures in several scans and interlaced ones, which `limits.pixelMemory`
    ///   bounds.
    public static func photo(of file: [UInt8], limits: PhotoLimits = PhotoLimits()) throws(PhotoError) -> Photo {
        guard file.count <= limits.fileByteCount else { throw .tooLarge }
        let header = try PictureHeader(of: file)
        guard header.size.area <= limits.area else { throw .tooLarge }
        let target = header.size.fitting(within: limits.side)
        let canvas = try file.withUnsafeBufferPointer { file throws(PhotoError) in
            switch header.format {
            case .jpeg:
                var reader = try JPEGReader(
                    file: file, full: header.size, target: target, memory: limits.pixelMemory)
                return try rows(of: &reader, averagedTo: target)
            case .png:
                var reader = try PNGReader(file: file, full: header.size, memory: limits.pixelMemory)
                return try rows(of: &reader, averagedTo: target)
            }
        }.turned(by: header.orientation)
        return Photo(
            picture: try canvas.encoded(maximumBytes: limits.photoByteCount),
            thumbnail: try canvas.fitting(within: limits.thumbnailSide).encoded(maximumBytes: limits.thumbnailByteCount)
        )
    }

    private static func rows(
        of source: inout some RowSource & ~Copyable, averagedTo target: PictureSize
    ) throws(PhotoError) -> Canvas {
        var average = AreaAverage(of: source.size, to: target)
        var row = [UInt8](repeating: 0, count: source.size.width * Canvas.channels)
        for _ in 0..<source.size.height {
            try source.next(into: &row)
            average.add(row: row[...])
        }
        return average.canvas
    }
}
