import Photos

/// Makes a picture smaller: each pixel is the mean of the area that it covers, so nothing is left out and nothing
/// flickers.
///
/// Rows come one after the other and are added up at once, so it holds one row and the result. Whole numbers count how
/// much of each pixel is where, so the result is the same on every machine.
///
/// - Complexity: O(1) for each pixel of the source.
struct AreaAverage {
    /// The part of a row that one pixel of the result covers. A pixel of the source is as wide as the result has
    /// pixels, and the other way round.
    private struct Cover {
        let first: Int
        let last: Int
        let firstWeight: UInt32
        let lastWeight: UInt32
    }

    private let source: PictureSize
    private let target: PictureSize
    private let covers: [Cover]
    /// The row that came last, made as short as the result's.
    private var row: [UInt32]
    /// The row of the result that is being added up.
    private var sums: [UInt64]
    private var rowsTaken = 0
    private var pixels: [UInt8] = []

    /// Begins with nothing.
    ///
    /// - Parameters:
    ///   - source: the size of what comes.
    ///   - target: the size of the result; no side is longer.
    init(of source: PictureSize, to target: PictureSize) {
        precondition(target.width <= source.width && target.height <= source.height, "pictures only become smaller")
        self.source = source
        self.target = target
        covers = (0..<target.width).map { x in
            let (start, end) = (x * source.width, (x + 1) * source.width)
            let (first, last) = (start / target.width, (end - 1) / target.width)
            let firstEnd = min(end, (first + 1) * target.width)
            return Cover(
                first: first, last: last, firstWeight: UInt32(firstEnd - start),
                lastWeight: first == last ? 0 : UInt32(end - last * target.width))
        }
        row = Array(repeating: 0, count: target.width * Canvas.channels)
        sums = Array(repeating: 0, count: target.width * Canvas.channels)
        pixels.reserveCapacity(target.area * Canvas.channels)
    }

    /// Takes the next row, which is as long as the source is wide.
    mutating func add(row bytes: ArraySlice<UInt8>) {
        precondition(bytes.count == source.width * Canvas.channels, "a row is as long as the picture is wide")
        precondition(rowsTaken < source.height, "a picture has so many rows only")
        shorten(bytes)
        let start = rowsTaken * target.height
        let end = start + target.height
        let boundary = (start / source.height + 1) * source.height
        rowsTaken += 1
        add(weight: min(end, boundary) - start)
        guard end >= boundary else { return }
        finishRow()
        if end > boundary { add(weight: end - boundary) }
    }

    /// The result, when all rows have come.
    var canvas: Canvas { Canvas(size: target, pixels: pixels) }

    private mutating func shorten(_ bytes: ArraySlice<UInt8>) {
        let whole = UInt32(target.width)
        bytes.withUnsafeBufferPointer { bytes in
            for (x, cover) in covers.enumerated() {
                var offset = cover.first * Canvas.channels
                var red = UInt32(bytes[offset]) * cover.firstWeight
                var green = UInt32(bytes[offset + 1]) * cover.firstWeight
                var blue = UInt32(bytes[offset + 2]) * cover.firstWeight
                if cover.last > cover.first {
                    var sum: (red: UInt32, green: UInt32, blue: UInt32) = (0, 0, 0)
                    offset += Canvas.channels
                    for _ in cover.first + 1..<cover.last {
                        sum.red &+= UInt32(bytes[offset])
                        sum.green &+= UInt32(bytes[offset + 1])
                        sum.blue &+= UInt32(bytes[offset + 2])
                        offset += Canvas.channels
                    }
                    // At most 255 times the longest side a picture can have: it fits.
                    red &+= sum.red &* whole &+ UInt32(bytes[offset]) &* cover.lastWeight
                    green &+= sum.green &* whole &+ UInt32(bytes[offset + 1]) &* cover.lastWeight
                    blue &+= sum.blue &* whole &+ UInt32(bytes[offset + 2]) &* cover.lastWeight
                }
                row[x * Canvas.channels] = red
                row[x * Canvas.channels + 1] = green
                row[x * Canvas.channels + 2] = blue
            }
        }
    }

    private mutating func add(weight: Int) {
        let weight = UInt64(weight)
        for index in sums.indices { sums[index] &+= UInt64(row[index]) &* weight }
    }

    private mutating func finishRow() {
        // Sums are whole numbers below 2⁵³, where a Double is exact.
        let share = 1 / Double(source.area)
        for index in sums.indices {
            pixels.append(UInt8(Double(sums[index]) * share + 0.5))
            sums[index] = 0
        }
    }
}
