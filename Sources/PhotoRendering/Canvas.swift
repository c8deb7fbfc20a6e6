import Photos

/// Pixels in memory, row by row: red, green and blue.
struct Canvas: Hashable {
    let size: PictureSize
    let pixels: [UInt8]

    /// Bytes of a pixel.
    static let channels = 3

    /// Takes the pixels of a size.
    init(size: PictureSize, pixels: [UInt8]) {
        precondition(pixels.count == size.area * Self.channels, "a canvas is full")
        self.size = size
        self.pixels = pixels
    }

    /// The pixels as they are shown.
    func turned(by orientation: Orientation) -> Canvas {
        guard orientation != .upright else { return self }
        let shown = orientation.swapsSides ? size.turned : size
        let path = orientation.path(through: size)
        let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            for y in 0..<shown.height {
                var source = (path.start + y * path.alongColumn) * Self.channels
                for _ in 0..<shown.width {
                    for channel in 0..<Self.channels {
                        target.initializeElement(at: count + channel, to: pixels[source + channel])
                    }
                    count += Self.channels
                    source += path.alongRow * Self.channels
                }
            }
        }
        return Canvas(size: shown, pixels: turned)
    }

    /// The picture made so small that its sides are at most `side`.
    func fitting(within side: Int) -> Canvas {
        let target = size.fitting(within: side)
        guard target != size else { return self }
        var average = AreaAverage(of: size, to: target)
        for start in stride(from: 0, to: pixels.count, by: size.width * Self.channels) {
            average.add(row: pixels[start..<start + size.width * Self.channels])
        }
        return average.canvas
    }
}
